//===- LowerTensorBodies.cpp - Bodies that compute tensors as loops -------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-lower-tensor-bodies pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace cma {
#define GEN_PASS_DEF_LOWERTENSORBODIESPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// The first op in the region of `op` that computes a tensor, or null.
static Operation *findTensorOp(Operation *op) {
  Operation *found = nullptr;
  op->getRegion(0).walk([&](Operation *inner) {
    if (!llvm::any_of(inner->getResultTypes(), llvm::IsaPred<TensorType>) ||
        inner->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    found = inner;
    return WalkResult::interrupt();
  });
  return found;
}

/// Loops that insert what `body` yields for each index of a tensor of `type`.
static Value buildLoops(Operation *op, Block &body, RankedTensorType type,
                        ValueRange dynamicExtents) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicExtents);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> lows(type.getRank(), zero), steps(type.getRank(), one);
  SmallVector<Value> highs;
  unsigned nextDynamic = 0;
  for (int64_t extent : type.getShape())
    highs.push_back(
        ShapedType::isDynamic(extent)
            ? dynamicExtents[nextDynamic++]
            : arith::ConstantIndexOp::create(builder, loc, extent).getResult());
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lows, highs, steps, empty,
      [&](OpBuilder &inner, Location, ValueRange indices, ValueRange carried) {
        IRMapping mapping;
        mapping.map(body.getArguments(), indices);
        for (Operation &bodyOp : body.without_terminator())
          inner.clone(bodyOp, mapping);
        Value element =
            mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
        return scf::ValueVector{tensor::InsertOp::create(
            inner, loc, element, carried.front(), indices)};
      });
  return nest.results.front();
}

static void lower(tensor::GenerateOp op) {
  op.replaceAllUsesWith(buildLoops(op, op.getBody().front(), op.getType(),
                                   op.getDynamicExtents()));
  op.erase();
}

/// The padding everywhere, and the source inserted into it.
static LogicalResult lower(tensor::PadOp op) {
  if (!op.getResultType().hasStaticShape() ||
      !op.getSourceType().hasStaticShape())
    return op.emitOpError()
           << "expected static shapes where the padding is "
              "computed from tensors, got "
           << op.getSourceType() << " to " << op.getResultType();
  Value padding =
      buildLoops(op, op.getRegion().front(), op.getResultType(), {});
  OpBuilder builder(op);
  SmallVector<OpFoldResult> strides(op.getResultType().getRank(),
                                    builder.getIndexAttr(1));
  Value padded = tensor::InsertSliceOp::create(
      builder, op.getLoc(), op.getSource(), padding, op.getMixedLowPad(),
      tensor::getMixedSizes(builder, op.getLoc(), op.getSource()), strides);
  op.replaceAllUsesWith(padded);
  op.erase();
  return success();
}

namespace {
struct LowerTensorBodies
    : cma::impl::LowerTensorBodiesPassBase<LowerTensorBodies> {
  void runOnOperation() override {
    // Outer ops first: the body of one may be copied with one inside.
    while (Operation *op = findNext())
      if (auto generate = dyn_cast<tensor::GenerateOp>(op))
        lower(generate);
      else if (failed(lower(cast<tensor::PadOp>(op))))
        return signalPassFailure();
    if (getOperation().walk(refuseLinalg).wasInterrupted())
      signalPassFailure();
  }

  Operation *findNext() {
    Operation *next = nullptr;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<tensor::GenerateOp, tensor::PadOp>(op) || !findTensorOp(op))
        return WalkResult::advance();
      next = op;
      return WalkResult::interrupt();
    });
    return next;
  }

  static WalkResult refuseLinalg(linalg::LinalgOp op) {
    Operation *inner = op.hasPureTensorSemantics() ? findTensorOp(op) : nullptr;
    if (!inner)
      return WalkResult::advance();
    InFlightDiagnostic diag =
        op->emitOpError("expected a body that computes scalars only, got one "
                        "that computes a tensor");
    diag.attachNote(inner->getLoc()) << "the tensor is computed here";
    return WalkResult::interrupt();
  }
};
} // namespace
