//===- ReverseSweep.cpp - Reverse mode over one block ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the engine of cma-differentiate for straight-line code;
// loops are in ReverseLoop.cpp.
//
//===----------------------------------------------------------------------===//

#include "ReverseSweep.h"

#include "PrecisionListener.h"

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAInterfaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cma;

SmallVector<Operation *> cma::getBodyOps(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  return ops;
}

void cma::eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseDeadOps(inner);
  }
}

//===----------------------------------------------------------------------===//
// Activity
//===----------------------------------------------------------------------===//

SmallVector<Value> ReverseSweep::getActiveCaptures(Operation *op) const {
  llvm::SetVector<Value> captures;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!region.isAncestor(operand.getParentRegion()) && isActive(operand))
          captures.insert(operand);
    });
  return captures.takeVector();
}

bool ReverseSweep::propagate(ArrayRef<Operation *> ops) {
  bool changed = false;
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      changed |= propagateLoop(loop);
      continue;
    }
    if (!llvm::any_of(op->getOperands(),
                      [&](Value v) { return isActive(v); }) &&
        getActiveCaptures(op).empty())
      continue;
    for (Value result : op->getResults())
      if (isDifferentiableType(result.getType()))
        changed |= active.insert(result).second;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

/// Where `gradient` is zero but for a slice or an element, adds that part alone
/// to `sum`: a loop that takes a slice in each iteration does not go over the
/// whole sum each time. Null where `gradient` is not of this form.
static Value addSparse(OpBuilder &builder, Value sum, Value gradient) {
  Operation *op = gradient.getDefiningOp();
  if (!isa_and_nonnull<tensor::InsertSliceOp, tensor::InsertOp>(op) ||
      !matchPattern(op->getOperand(1), m_AnyZeroFloat()))
    return {};
  Location loc = op->getLoc();
  Value result;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Value part = tensor::ExtractSliceOp::create(
        builder, loc, insert.getSourceType(), sum, insert.getMixedOffsets(),
        insert.getMixedSizes(), insert.getMixedStrides());
    part = arith::AddFOp::create(builder, loc, part, insert.getSource());
    result = tensor::InsertSliceOp::create(
        builder, loc, part, sum, insert.getMixedOffsets(),
        insert.getMixedSizes(), insert.getMixedStrides());
  } else {
    auto single = cast<tensor::InsertOp>(op);
    Value part =
        tensor::ExtractOp::create(builder, loc, sum, single.getIndices());
    part = arith::AddFOp::create(builder, loc, part, single.getScalar());
    result =
        tensor::InsertOp::create(builder, loc, part, sum, single.getIndices());
  }
  return result;
}

void ReverseSweep::addCotangent(Value value, Value cotangent) {
  Value &sum = cotangents[value];
  if (!sum) {
    sum = cotangent;
    return;
  }
  Value sparse = addSparse(builder, sum, cotangent);
  sum = sparse ? sparse
               : arith::AddFOp::create(builder, cotangent.getLoc(), sum,
                                       cotangent);
}

LogicalResult ReverseSweep::run(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    bool hasCotangent = llvm::any_of(op->getResults(), [&](Value result) {
      return isActive(result) && getCotangent(result);
    });
    if (!hasCotangent)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (failed(loop ? differentiateLoop(loop) : differentiate(op)))
      return failure();
  }
  return success();
}

static LogicalResult checkStaticShapes(Operation *op) {
  auto check = [&](Type type) -> LogicalResult {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || shaped.hasStaticShape())
      return success();
    return op->emitOpError() << "expected static shapes to differentiate, got "
                             << type << "; run cma-specialize first";
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

LogicalResult ReverseSweep::differentiate(Operation *op) {
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitOpError() << "has no derivative";
  if (!getActiveCaptures(op).empty())
    return op->emitOpError() << "has no derivative with respect to the values "
                                "that its region uses";
  if (failed(checkStaticShapes(op)))
    return failure();

  SmallVector<Value> incoming = llvm::map_to_vector(
      op->getResults(), [&](Value result) { return getCotangent(result); });
  SmallVector<bool> wanted = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return isActive(operand); });
  SmallVector<Value> gradients(op->getNumOperands());
  {
    PrecisionListener listener(builder, op);
    if (failed(differentiable.buildVJP(builder, incoming, wanted, gradients)))
      return failure();
  }
  for (auto [operand, gradient] : llvm::zip(op->getOperands(), gradients))
    if (gradient)
      addCotangent(operand, gradient);
  return success();
}
