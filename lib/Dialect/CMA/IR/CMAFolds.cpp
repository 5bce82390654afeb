//===- CMAFolds.cpp - Folders and canonicalisers -------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file simplifies contractions and broadcasts. Nothing here changes the
// tree of a planned network: only ops that move data are merged away.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// One operand of the result's element type, and the result keeps each of its
/// labels: a transpose (or nothing) when the operand repeats no label, else a
/// diagonal. Where the types differ, it rounds.
static bool onlyMovesData(ContractOp op, const Einsum &einsum) {
  return op.getInputs().size() == 1 &&
         einsum.result.size() == einsum.labels.size() &&
         getElementTypeOrSelf(op.getInputs()[0].getType()) ==
             op.getResult().getType().getElementType();
}

static bool isIdentity(const Einsum &einsum) {
  return einsum.operands.size() == 1 && einsum.operands[0] == einsum.result;
}

/// `value`, which is the same in every element, under another shape; null where
/// it is not.
static Attribute resizeSplat(Attribute value, RankedTensorType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

OpFoldResult ContractOp::fold(FoldAdaptor adaptor) {
  Einsum einsum = getEinsum();
  if (isIdentity(einsum) && getInputs()[0].getType() == getResult().getType())
    return getInputs()[0];
  if (onlyMovesData(*this, einsum))
    return resizeSplat(adaptor.getInputs()[0], getResult().getType());
  return {};
}

/// Zeros off a diagonal are embedded in zeros, anything else is not.
static bool isZeroSplat(Attribute value) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  if (!splat)
    return false;
  if (auto number = dyn_cast<FloatAttr>(splat.getSplatValue<Attribute>()))
    return number.getValue().isPosZero();
  auto number = dyn_cast<IntegerAttr>(splat.getSplatValue<Attribute>());
  return number && number.getValue().isZero();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  Einsum einsum = getEinsum();
  if (isIdentity(einsum) && getInput().getType() == getResult().getType())
    return getInput();
  bool repeats = einsum.result.size() != einsum.labels.size();
  if (!repeats || isZeroSplat(adaptor.getInput()))
    return resizeSplat(adaptor.getInput(), getResult().getType());
  return {};
}

//===----------------------------------------------------------------------===//
// Reading through ops that move data
//===----------------------------------------------------------------------===//

/// The producer of `input` and its equation where it is a transpose. A diagonal
/// is none: its user would read a strided view. A path makes a network of its
/// own, which reports list.
static ContractOp getTranspose(Value input, Einsum &einsum) {
  auto producer = input.getDefiningOp<ContractOp>();
  if (!producer || producer.getPathAttr())
    return {};
  einsum = producer.getEinsum();
  bool isTranspose = onlyMovesData(producer, einsum) &&
                     einsum.operands[0].size() == einsum.result.size();
  return isTranspose ? producer : ContractOp();
}

/// Labels for the axes of a transpose's operand, where a user has `axes` for
/// those of its result.
static std::vector<LabelId> readThrough(const Einsum &transpose,
                                        const std::vector<LabelId> &axes) {
  std::vector<LabelId> outer(transpose.labels.size());
  for (size_t i = 0; i < axes.size(); ++i)
    outer[transpose.result[i]] = axes[i];
  std::vector<LabelId> replaced;
  for (LabelId label : transpose.operands[0])
    replaced.push_back(outer[label]);
  return replaced;
}

namespace {
/// Reads through a transpose: `ij->ji` into `ab,bc->ac` gives `ba,bc->ac`.
/// Holds for transpose of transpose too.
struct FoldTransposeIntoContract : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    Einsum einsum = op.getEinsum(), inner;
    SmallVector<Value> inputs(op.getInputs());
    bool changed = false;
    for (auto [axes, input] : llvm::zip(einsum.operands, inputs)) {
      ContractOp producer = getTranspose(input, inner);
      if (!producer)
        continue;
      axes = readThrough(inner, axes);
      input = producer.getInputs()[0];
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose");
    rewriter.modifyOpInPlace(op, [&] {
      op.setEquationAttr(EinsumAttr::get(op.getContext(), einsum));
      op.getInputsMutable().assign(inputs);
    });
    return success();
  }
};

/// `ij->ji` into `ab->acb` gives `ba->acb`.
struct FoldTransposeIntoBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Einsum einsum = op.getEinsum(), inner;
    ContractOp producer = getTranspose(op.getInput(), inner);
    if (!producer)
      return rewriter.notifyMatchFailure(op, "the operand is no transpose");
    einsum.operands[0] = readThrough(inner, einsum.operands[0]);
    rewriter.modifyOpInPlace(op, [&] {
      op.setEquationAttr(EinsumAttr::get(op.getContext(), einsum));
      op.getInputMutable().assign(producer.getInputs()[0]);
    });
    return success();
  }
};

} // namespace

/// What `outer` makes of `inner`'s result, as one broadcast: both only repeat,
/// permute and embed. The labels of `outer`'s operand become those that
/// `inner`'s result has in these places; its other labels are new ones.
static Einsum compose(const Einsum &inner, const Einsum &outer) {
  constexpr LabelId unset = ~LabelId(0);
  std::vector<LabelId> names(outer.labels.size(), unset);
  for (size_t i = 0; i < outer.operands[0].size(); ++i)
    names[outer.operands[0][i]] = inner.result[i];
  Einsum composed;
  for (size_t i = 0; i < inner.labels.size(); ++i)
    composed.labels.push_back("i" + std::to_string(i));
  for (LabelId &name : names) {
    if (name != unset)
      continue;
    name = static_cast<LabelId>(composed.labels.size());
    composed.labels.push_back("i" + std::to_string(name));
  }
  composed.operands = inner.operands;
  for (LabelId label : outer.result)
    composed.result.push_back(names[label]);
  return composed;
}

namespace {
/// `n->bn` into `bn->abn` gives `n->abn`, and into the transpose `bn->nb` gives
/// `n->nb`.
template <typename OpTy>
struct MergeBroadcast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Einsum outer = op.getEinsum();
    if (outer.operands.size() != 1)
      return rewriter.notifyMatchFailure(op, "not one operand");
    auto producer = op->getOperand(0).template getDefiningOp<BroadcastOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
    if constexpr (std::is_same_v<OpTy, ContractOp>) {
      bool isTranspose = onlyMovesData(op, outer) &&
                         outer.operands[0].size() == outer.result.size();
      if (!isTranspose || op.getPathAttr())
        return rewriter.notifyMatchFailure(op, "not a transpose");
    }
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, op.getResult().getType(), compose(producer.getEinsum(), outer),
        producer.getInput());
    return success();
  }
};
} // namespace

void ContractOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<FoldTransposeIntoContract, MergeBroadcast<ContractOp>>(context);
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<FoldTransposeIntoBroadcast, MergeBroadcast<BroadcastOp>>(
      context);
}
