//===- Contractions.cpp - Contractions and broadcasts to linalg -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the network ops. A contraction of two tensors becomes one
// linalg.generic whose maps name each loop at most once; what would need more,
// a diagonal or a sum over a label of one operand only, is done before it, on
// that operand alone. That costs one more pass over the operand, and saves the
// repetition of its elements in the product. Operands below the accumulation
// type are converted by ops of their own, and so is the result: the sum itself
// knows one type.
//
//===----------------------------------------------------------------------===//

#include "AxisGroups.h"
#include "BatchLabels.h"
#include "LinalgEmitter.h"
#include "Patterns.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

static Axes toAxes(const std::vector<LabelId> &labels) {
  return Axes(labels.begin(), labels.end());
}

/// The element that `axes` name at a point of `loops`.
static AffineMap getMap(ArrayRef<LabelId> axes, ArrayRef<LabelId> loops,
                        MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (LabelId label : axes)
    exprs.push_back(
        getAffineDimExpr(llvm::find(loops, label) - loops.begin(), context));
  return AffineMap::get(loops.size(), 0, exprs, context);
}

static Value multiplyTerms(ImplicitLocOpBuilder &b, ValueRange args) {
  return arith::MulFOp::create(b, args[0], args[1]);
}

namespace {
/// Lowers one op. Every tensor is under the labels of the op's equation.
class NetworkLowering {
public:
  NetworkLowering(OpBuilder &builder, Location loc, Type element,
                  ArrayRef<int64_t> extents, ArrayRef<LabelId> batch)
      : emitter(builder, loc), context(builder.getContext()), element(element),
        extents(extents), batch(batch) {}

  Value lowerOne(const LabelledTensor &input, const Axes &result);
  Value lowerTwo(LabelledTensor left, LabelledTensor right, const Axes &result);
  Value embed(const LabelledTensor &input, const Axes &result,
              ArrayRef<std::pair<LabelId, LabelId>> equal);

private:
  LabelledTensor reduceToShared(const LabelledTensor &input, const Axes &other,
                                const Axes &result);
  Value multiplyFolded(const LabelledTensor &left, const LabelledTensor &right,
                       const Axes &result, const AxisGroups &groups);
  Value sum(ArrayRef<LabelledTensor> inputs, const Axes &result,
            const Axes &loops, const AxisGroups &groups);
  Access access(const LabelledTensor &tensor, ArrayRef<LabelId> loops) {
    return {tensor.value, getMap(tensor.axes, loops, context)};
  }

  LinalgEmitter emitter;
  MLIRContext *context;
  Type element;
  ArrayRef<int64_t> extents;
  ArrayRef<LabelId> batch;
};
} // namespace

/// Sums the product of one or two tensors over the loops that `result` lacks.
Value NetworkLowering::sum(ArrayRef<LabelledTensor> inputs, const Axes &result,
                           const Axes &loops, const AxisGroups &groups) {
  SmallVector<Access> accesses;
  for (const LabelledTensor &input : inputs)
    accesses.push_back(access(input, loops));
  Value zero = emitter.filled(groups.getShape(result), element, 0.0);
  return emitter.reduce(accesses, access({zero, result}, loops),
                        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                          Value term = args.size() == 3 ? multiplyTerms(b, args)
                                                        : args[0];
                          return arith::AddFOp::create(b, args.back(), term);
                        });
}

/// A sum, a diagonal, a permutation of axes, or a mixture.
Value NetworkLowering::lowerOne(const LabelledTensor &input,
                                const Axes &resultAxes) {
  AxisGroups groups({input.axes, resultAxes}, extents, batch);
  ImplicitLocOpBuilder &builder = emitter.getBuilder();
  LabelledTensor folded = groups.fold(builder, builder.getLoc(), input);
  Axes result = groups.fold(resultAxes);
  Axes loops(result);
  for (LabelId label : folded.axes)
    if (!llvm::is_contained(loops, label))
      loops.push_back(label);

  Value value = folded.value;
  if (loops.size() != result.size())
    value = sum(folded, result, loops, groups);
  else if (folded.axes != result)
    value = emitter.map(
        access(folded, loops), groups.getShape(result), element,
        [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
  return groups.unfold(builder, builder.getLoc(), value, resultAxes);
}

/// `input` without its diagonals and without the labels that neither the other
/// operand nor the result has.
LabelledTensor NetworkLowering::reduceToShared(const LabelledTensor &input,
                                               const Axes &other,
                                               const Axes &result) {
  Axes kept;
  for (LabelId label : input.axes)
    if (!llvm::is_contained(kept, label) &&
        (llvm::is_contained(other, label) || llvm::is_contained(result, label)))
      kept.push_back(label);
  if (kept == input.axes)
    return input;
  return {lowerOne(input, kept), kept};
}

Value NetworkLowering::lowerTwo(LabelledTensor left, LabelledTensor right,
                                const Axes &result) {
  left = reduceToShared(left, right.axes, result);
  right = reduceToShared(right, left.axes, result);
  AxisGroups groups({left.axes, right.axes, result}, extents, batch);
  ImplicitLocOpBuilder &builder = emitter.getBuilder();
  left = groups.fold(builder, builder.getLoc(), left);
  right = groups.fold(builder, builder.getLoc(), right);
  Value value = multiplyFolded(left, right, groups.fold(result), groups);
  return groups.unfold(builder, builder.getLoc(), value, result);
}

Value NetworkLowering::multiplyFolded(const LabelledTensor &left,
                                      const LabelledTensor &right,
                                      const Axes &result,
                                      const AxisGroups &groups) {
  // The right operand holds the result's last axis: then vectors run along it.
  if (!result.empty() && !llvm::is_contained(right.axes, result.back()))
    return multiplyFolded(right, left, result, groups);

  Axes batchLoops, leftLoops, rightLoops, summedLoops;
  for (LabelId label : result) {
    bool inLeft = llvm::is_contained(left.axes, label);
    bool inRight = llvm::is_contained(right.axes, label);
    (inLeft && inRight ? batchLoops
     : inLeft          ? leftLoops
                       : rightLoops)
        .push_back(label);
  }
  for (LabelId label : left.axes)
    if (!llvm::is_contained(result, label))
      summedLoops.push_back(label);

  if (summedLoops.empty())
    return emitter.map({access(left, result), access(right, result)},
                       groups.getShape(result), element, multiplyTerms);
  Axes loops(batchLoops);
  loops.append(leftLoops);
  loops.append(rightLoops);
  loops.append(summedLoops);
  return sum({left, right}, result, loops, groups);
}

/// Repeats `input` along the labels that it lacks, where the labels of each
/// pair of `equal` agree, and gives zeros elsewhere.
Value NetworkLowering::embed(const LabelledTensor &input,
                             const Axes &resultAxes,
                             ArrayRef<std::pair<LabelId, LabelId>> equal) {
  Axes keep(batch);
  for (auto [first, other] : equal)
    keep.append({first, other});
  AxisGroups groups({input.axes, resultAxes}, extents, keep);
  ImplicitLocOpBuilder &builder = emitter.getBuilder();
  LabelledTensor folded = groups.fold(builder, builder.getLoc(), input);
  Axes result = groups.fold(resultAxes);
  Value value = folded.value;
  if (folded.axes != result)
    value = emitter.map(
        access(folded, result), groups.getShape(result), element,
        [&](ImplicitLocOpBuilder &b, ValueRange args) {
          auto indexOf = [&](LabelId label) -> Value {
            return linalg::IndexOp::create(b, llvm::find(result, label) -
                                                  result.begin());
          };
          Value embedded = args[0];
          for (auto [first, other] : equal) {
            Value onDiagonal = arith::CmpIOp::create(
                b, arith::CmpIPredicate::eq, indexOf(first), indexOf(other));
            Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
            embedded = arith::SelectOp::create(b, onDiagonal, embedded, zero);
          }
          return embedded;
        });
  return groups.unfold(builder, builder.getLoc(), value, resultAxes);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The type in which `op` computes: of its operand, where it only moves that.
static Type getArithmeticType(ContractOp op, const Einsum &einsum) {
  bool onlyMoves = op.getInputs().size() == 1 &&
                   einsum.result.size() == einsum.labels.size();
  return onlyMoves ? getElementTypeOrSelf(op.getInputs()[0].getType())
                   : op.getAccumulationType();
}

namespace {
struct LowerContract : OpRewritePattern<ContractOp> {
  LowerContract(MLIRContext *context, const BatchLabels &batchLabels)
      : OpRewritePattern(context), batchLabels(batchLabels) {}

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    Einsum einsum = op.getEinsum();
    SmallVector<int64_t> extents = op.getLabelExtents();
    LinalgEmitter emitter(rewriter, op.getLoc());
    Type element = getArithmeticType(op, einsum);
    SmallVector<LabelledTensor> inputs;
    for (auto [axes, value] : llvm::zip(einsum.operands, op.getInputs()))
      inputs.push_back({emitter.convert(value, element), toAxes(axes)});
    NetworkLowering lowering(rewriter, op.getLoc(), element, extents,
                             batchLabels.getLabels(op));
    Axes result = toAxes(einsum.result);
    Value value = inputs.size() == 1
                      ? lowering.lowerOne(inputs[0], result)
                      : lowering.lowerTwo(inputs[0], inputs[1], result);
    rewriter.replaceOp(
        op, emitter.convert(value, op.getResult().getType().getElementType()));
    return success();
  }

  const BatchLabels &batchLabels;
};

/// A result axis is a loop of its own, also where its label is repeated: the
/// axes are labelled by position, the operand's by the first axis of that
/// label.
struct LowerBroadcast : OpRewritePattern<BroadcastOp> {
  LowerBroadcast(MLIRContext *context, const BatchLabels &batchLabels)
      : OpRewritePattern(context), batchLabels(batchLabels) {}

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Einsum einsum = op.getEinsum();
    RankedTensorType type = op.getResult().getType();
    Axes result = llvm::to_vector(llvm::seq<LabelId>(0, einsum.result.size()));
    auto firstAxis = [&](LabelId label) -> LabelId {
      return llvm::find(einsum.result, label) - einsum.result.begin();
    };
    LabelledTensor input{op.getInput(), {}};
    for (LabelId label : einsum.operands[0])
      input.axes.push_back(firstAxis(label));
    SmallVector<std::pair<LabelId, LabelId>> equal;
    for (LabelId axis : result)
      if (LabelId first = firstAxis(einsum.result[axis]);
          first != axis && type.getDimSize(axis) != 1)
        equal.push_back({first, axis});
    Axes batch;
    for (LabelId label : batchLabels.getLabels(op))
      batch.push_back(firstAxis(label));
    NetworkLowering lowering(rewriter, op.getLoc(), type.getElementType(),
                             type.getShape(), batch);
    rewriter.replaceOp(op, lowering.embed(input, result, equal));
    return success();
  }

  const BatchLabels &batchLabels;
};
} // namespace

void cma::populateContractionPatterns(RewritePatternSet &patterns,
                                      const BatchLabels &batchLabels) {
  patterns.add<LowerContract, LowerBroadcast>(patterns.getContext(),
                                              batchLabels);
}
