//===- FuseElementwise.cpp - Elementwise ops become few linalg ops --------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-fuse-elementwise pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cma {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// When fusing pays
//===----------------------------------------------------------------------===//

/// Limits on a fused op: more does not fit registers, and compiles slowly.
static constexpr unsigned kMaxBodyOps = 64;
static constexpr unsigned kMaxOperands = 16;

/// Whether `op` only moves, repeats or numbers elements.
static bool isDataMovement(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(),
                      llvm::IsaPred<linalg::IndexOp>);
}

/// Whether `op` sums products of several tensors.
static bool isContraction(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() > 1;
}

static bool fitsOneBody(linalg::GenericOp producer,
                        linalg::GenericOp consumer) {
  size_t ops = producer.getBody()->getOperations().size() +
               consumer.getBody()->getOperations().size();
  return ops <= kMaxBodyOps &&
         producer->getNumOperands() + consumer->getNumOperands() <=
             kMaxOperands;
}

/// Whether `op` is a comparison. It costs less than a mask in memory, which
/// holds one bit a byte and cannot be read as a vector.
static bool isComparison(linalg::GenericOp op) {
  return op->getNumResults() == 1 &&
         getElementTypeOrSelf(op->getResult(0)).isInteger(1) &&
         llvm::hasNItemsOrLess(op.getBody()->without_terminator(), 2);
}

/// Whether the producer of `fused` may be computed inside its consumer: never
/// in a contraction, which reads each element many times, and only where no
/// arithmetic to speak of is then done twice.
static bool shouldFuse(OpOperand *fused) {
  auto producer = fused->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(fused->getOwner());
  if (!producer || !consumer || isContraction(consumer) ||
      !fitsOneBody(producer, consumer))
    return false;
  if (isDataMovement(producer))
    return true;
  bool onlyUser = llvm::all_of(
      producer->getUsers(), [&](Operation *user) { return user == consumer; });
  return consumer.getMatchingIndexingMap(fused).isPermutation() &&
         (onlyUser || isComparison(producer));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Writes a tensor of one repeated constant as a fill: a global would hold
/// every element.
struct FillFromSplat : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!type || !value)
      return rewriter.notifyMatchFailure(op, "not a dense tensor");
    if (!value.isSplat() && type.getNumElements() != 0)
      return rewriter.notifyMatchFailure(op, "elements differ");
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    if (type.getNumElements() == 0) {
      rewriter.replaceOp(op, empty);
      return success();
    }
    Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             value.getSplatValue<TypedAttr>());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, scalar, empty);
    return success();
  }
};
} // namespace

namespace {
/// Writes named ops as generics, the one form that the later passes look at.
struct GeneralizeNamedOp : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op))
      return rewriter.notifyMatchFailure(op, "already in its final form");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

static LogicalResult fuse(func::FuncOp func, bool enabled) {
  MLIRContext *context = func.getContext();
  RewritePatternSet toLinalg(context);
  linalg::populateElementwiseToLinalgConversionPatterns(toLinalg);
  tensor::populateDecomposeTensorConcatPatterns(toLinalg);
  toLinalg.add<GeneralizeNamedOp>(context);
  if (failed(applyPatternsGreedily(func, std::move(toLinalg))))
    return failure();

  RewritePatternSet fusion(context);
  linalg::populateElementwiseOpsFusionPatterns(
      fusion, enabled ? shouldFuse : [](OpOperand *) { return false; });
  if (failed(applyPatternsGreedily(func, std::move(fusion))))
    return failure();

  // Afterwards: fusion folds a constant operand into the body.
  RewritePatternSet constants(context);
  constants.add<FillFromSplat>(context);
  GreedyRewriteConfig config;
  config.enableConstantCSE(false);
  return applyPatternsGreedily(func, std::move(constants), config);
}

namespace {
struct FuseElementwise : cma::impl::FuseElementwisePassBase<FuseElementwise> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(fuse(getOperation(), fuseOps)))
      signalPassFailure();
  }
};
} // namespace
