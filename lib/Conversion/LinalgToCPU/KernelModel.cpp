//===- KernelModel.cpp - The loops of a structured op ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the loop model of linalg ops.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cma;

int64_t KernelModel::getNumPoints() const {
  int64_t points = 1;
  for (const KernelLoop &loop : loops)
    points *= loop.extent;
  return points;
}

bool KernelModel::isEmpty() const {
  return llvm::any_of(loops,
                      [](const KernelLoop &loop) { return loop.extent == 0; });
}

/// Adds `factor * expr` to the linear form (`coefficients`, `constant`).
static LogicalResult addLinear(AffineExpr expr, int64_t factor,
                               MutableArrayRef<int64_t> coefficients,
                               int64_t &constant) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    coefficients[dim.getPosition()] += factor;
    return success();
  }
  if (auto cst = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * cst.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (binary.getKind() == AffineExprKind::Add)
    return success(
        succeeded(addLinear(binary.getLHS(), factor, coefficients, constant)) &&
        succeeded(addLinear(binary.getRHS(), factor, coefficients, constant)));
  if (binary.getKind() == AffineExprKind::Mul)
    if (auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addLinear(binary.getLHS(), factor * scale.getValue(), coefficients,
                       constant);
  return failure();
}

/// Gives every loop its stride in operand number `number`.
static LogicalResult addOperand(KernelModel &model, OpOperand &operand,
                                std::string &why) {
  unsigned number = operand.getOperandNumber();
  SmallVector<int64_t> coefficients(model.loops.size(), 0);
  int64_t constant = 0;
  if (auto type = dyn_cast<MemRefType>(operand.get().getType())) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic)) {
      why = "a shape or stride is not static";
      return failure();
    }
    AffineMap map = model.op.getMatchingIndexingMap(&operand);
    for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides))
      if (failed(addLinear(result, stride, coefficients, constant))) {
        why = "an indexing map is not linear";
        return failure();
      }
  } else if (isa<ShapedType>(operand.get().getType())) {
    why = "an operand is no memref";
    return failure();
  }
  model.constants[number] = constant;
  for (auto [loop, stride] : llvm::zip_equal(model.loops, coefficients))
    loop.strides.push_back(loop.extent == 1 ? 0 : stride);
  return success();
}

/// Whether `inner` continues `outer` in every operand.
static bool canFuse(const KernelLoop &outer, const KernelLoop &inner) {
  if (outer.isReduction != inner.isReduction || outer.indexedDim ||
      inner.indexedDim)
    return false;
  for (auto [wide, narrow] : llvm::zip_equal(outer.strides, inner.strides))
    if (wide != narrow * inner.extent)
      return false;
  return true;
}

void cma::fuseKernelLoops(SmallVectorImpl<KernelLoop> &loops) {
  for (unsigned outer = 0; outer < loops.size();) {
    bool changed = false;
    for (unsigned inner = 0; inner < loops.size(); ++inner) {
      if (inner == outer || !canFuse(loops[outer], loops[inner]))
        continue;
      loops[outer].extent *= loops[inner].extent;
      loops[outer].strides = loops[inner].strides;
      loops.erase(loops.begin() + inner);
      changed = true;
      break;
    }
    // A fused loop may fit another one now: start over.
    outer = changed ? 0 : outer + 1;
  }
}

FailureOr<KernelModel> cma::analyzeKernel(linalg::LinalgOp op, std::string &why,
                                          std::optional<unsigned> keptDim) {
  KernelModel model;
  model.op = op;
  model.numInputs = op.getNumDpsInputs();
  model.constants.resize(op->getNumOperands());
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::is_contained(extents, ShapedType::kDynamic)) {
    why = "a shape is not static";
    return failure();
  }
  for (auto [extent, kind] :
       llvm::zip_equal(extents, op.getIteratorTypesArray())) {
    KernelLoop loop;
    loop.extent = extent;
    loop.isReduction = kind == utils::IteratorType::reduction;
    model.loops.push_back(loop);
  }
  op.getBlock()->walk([&](linalg::IndexOp index) {
    model.loops[index.getDim()].indexedDim = index.getDim();
  });
  if (keptDim)
    model.loops[*keptDim].indexedDim = *keptDim;
  for (OpOperand &operand : op->getOpOperands())
    if (failed(addOperand(model, operand, why)))
      return failure();
  llvm::erase_if(model.loops, [](const KernelLoop &loop) {
    return loop.extent == 1 && !loop.indexedDim;
  });
  fuseKernelLoops(model.loops);
  return model;
}

Operation *cma::getReductionCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  BlockArgument out = op.getRegionOutputArgs().front();
  if (!out.hasOneUse())
    return nullptr;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner != *out.getUsers().begin() || !yielded.hasOneUse())
    return nullptr;
  // `x - out` uses the old value too, but is no reduction.
  if (!isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
           arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
           arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
           arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return nullptr;
  return combiner;
}
