//===- CMADifferentiation.cpp - Derivatives of the ops -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements DifferentiableOpInterface for the ops of the dialect.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Network ops
//===----------------------------------------------------------------------===//

using Axes = std::vector<LabelId>;

/// The distinct labels of `axes` for which `keep` holds, in order.
static Axes distinct(const Axes &axes,
                     function_ref<bool(LabelId)> keep = nullptr) {
  Axes labels;
  for (LabelId label : axes)
    if (!llvm::is_contained(labels, label) && (!keep || keep(label)))
      labels.push_back(label);
  return labels;
}

/// `value` in the element type of `type`. A cotangent is rounded to nearest
/// even and keeps its infinities, whatever the cast was that it comes from.
static Value castLike(OpBuilder &builder, Location loc, Value value,
                      RankedTensorType type) {
  if (getElementTypeOrSelf(value.getType()) == type.getElementType())
    return value;
  return CastOp::create(builder, loc,
                        tensorType(value).clone(type.getElementType()), value,
                        Rounding::NearestEven, Overflow::IEEE);
}

/// A contraction of a reverse sweep. It is a message of the tree that forward
/// uses, so no planner may change it.
static Value createMessage(OpBuilder &builder, Location loc,
                           RankedTensorType type, const Einsum &einsum,
                           ValueRange inputs) {
  auto contract = ContractOp::create(builder, loc, type, einsum, inputs);
  contract.setPlanned(true);
  return contract;
}

/// `value`, whose axes are `from` (all distinct), as a tensor of `type` whose
/// axes are `to`: a transpose where that suffices, else new labels repeat the
/// value and a repeated label embeds a diagonal.
static Value expandTo(OpBuilder &builder, Location loc, Value value,
                      const Einsum &labels, const Axes &from, const Axes &to,
                      RankedTensorType type) {
  value = castLike(builder, loc, value, type);
  if (from == to)
    return value;
  Einsum einsum{labels.labels, {from}, to};
  if (from.size() == to.size())
    return createMessage(builder, loc, type, einsum, value);
  return BroadcastOp::create(builder, loc, type, einsum, value);
}

/// `value`, whose axes are `from`, summed over the labels that `to` lacks.
static Value sumTo(OpBuilder &builder, Location loc, Value value,
                   const Einsum &labels, const Axes &from, const Axes &to,
                   RankedTensorType type) {
  if (from == to)
    return castLike(builder, loc, value, type);
  return createMessage(builder, loc, type, Einsum{labels.labels, {from}, to},
                       value);
}

/// The gradient of operand `index` of a contraction of two: the cotangent
/// stands in the operand's place.
static Value createPairGradient(OpBuilder &builder, ContractOp op,
                                const Einsum &einsum, Value cotangent,
                                unsigned index) {
  const Axes &axes = einsum.operands[index];
  const Axes &other = einsum.operands[1 - index];
  // A label that only this operand has was summed: its gradient is constant
  // along it.
  Axes known = distinct(axes, [&](LabelId label) {
    return llvm::is_contained(einsum.result, label) ||
           llvm::is_contained(other, label);
  });
  Einsum message{einsum.labels, {einsum.result, other}, known};
  SmallVector<Value> inputs{cotangent, op.getInputs()[1 - index]};
  if (index == 1) {
    std::swap(message.operands[0], message.operands[1]);
    std::swap(inputs[0], inputs[1]);
  }
  SmallVector<int64_t> extents = op.getLabelExtents(), shape;
  for (LabelId label : known)
    shape.push_back(extents[label]);
  RankedTensorType type = tensorType(op.getInputs()[index]);
  Value gradient = createMessage(
      builder, op.getLoc(), RankedTensorType::get(shape, type.getElementType()),
      message, inputs);
  gradient.getDefiningOp<ContractOp>().setAccumulateAttr(
      op.getAccumulateAttr());
  return expandTo(builder, op.getLoc(), gradient, einsum, known, axes, type);
}

LogicalResult ContractOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                                   ArrayRef<bool> wanted,
                                   MutableArrayRef<Value> gradients) {
  if (getInputs().size() > 2)
    return emitOpError() << "expected at most 2 operands to differentiate, got "
                         << getInputs().size()
                         << "; run cma-plan-contractions first";
  Einsum einsum = getEinsum();
  if (getInputs().size() == 1) {
    if (wanted[0])
      gradients[0] =
          expandTo(builder, getLoc(), cotangents[0], einsum, einsum.result,
                   einsum.operands[0], tensorType(getInputs()[0]));
    return success();
  }
  for (unsigned i = 0; i < 2; ++i)
    if (wanted[i])
      gradients[i] =
          createPairGradient(builder, *this, einsum, cotangents[0], i);
  return success();
}

LogicalResult BroadcastOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                                    ArrayRef<bool> wanted,
                                    MutableArrayRef<Value> gradients) {
  if (!wanted[0])
    return success();
  Einsum einsum = getEinsum();
  gradients[0] = sumTo(builder, getLoc(), cotangents[0], einsum, einsum.result,
                       einsum.operands[0], tensorType(getInput()));
  return success();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

LogicalResult CastOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> wanted,
                               MutableArrayRef<Value> gradients) {
  if (wanted[0])
    gradients[0] =
        castLike(builder, getLoc(), cotangents[0], tensorType(getInput()));
  return success();
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

LogicalResult ReluOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> wanted,
                               MutableArrayRef<Value> gradients) {
  if (!wanted[0])
    return success();
  // The result tells what the input does, and its users keep it anyway. A NaN
  // lets the cotangent pass, as in forward.
  Value zero = createFilled(builder, getLoc(), getResult().getType(), 0.0);
  Value positive = arith::CmpFOp::create(
      builder, getLoc(), arith::CmpFPredicate::UGT, getResult(), zero);
  gradients[0] =
      arith::SelectOp::create(builder, getLoc(), positive, cotangents[0], zero);
  return success();
}

LogicalResult GeluOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> wanted,
                               MutableArrayRef<Value> gradients) {
  if (wanted[0])
    gradients[0] =
        GeluGradOp::create(builder, getLoc(), getInput().getType(), getInput(),
                           cotangents[0], getApproximateAttr());
  return success();
}

/// Labels for a tensor of `rank` axes, all distinct, in order.
static Einsum makeLabels(int64_t rank, Axes &axes) {
  Einsum einsum;
  for (int64_t i = 0; i < rank; ++i) {
    axes.push_back(static_cast<LabelId>(i));
    einsum.labels.push_back(i < 26 ? std::string(1, static_cast<char>('a' + i))
                                   : "l" + std::to_string(i));
  }
  return einsum;
}

LogicalResult SoftmaxOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                                  ArrayRef<bool> wanted,
                                  MutableArrayRef<Value> gradients) {
  if (!wanted[0])
    return success();
  // dx = y (dy - sum(dy y)), the sum along the last axis.
  RankedTensorType type = tensorType(getResult());
  Axes axes;
  Einsum labels = makeLabels(type.getRank(), axes);
  Axes rows(axes.begin(), axes.end() - 1);
  auto rowType =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  Value sums = createMessage(builder, getLoc(), rowType,
                             Einsum{labels.labels, {axes, axes}, rows},
                             {cotangents[0], getResult()});
  Value repeated = expandTo(builder, getLoc(), sums, labels, rows, axes, type);
  Value centred =
      arith::SubFOp::create(builder, getLoc(), cotangents[0], repeated);
  gradients[0] = arith::MulFOp::create(builder, getLoc(), getResult(), centred);
  return success();
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                                    ArrayRef<bool> wanted,
                                    MutableArrayRef<Value> gradients) {
  RankedTensorType type = tensorType(getInput());
  Axes axes;
  Einsum labels = makeLabels(type.getRank(), axes);
  Axes last{axes.back()};
  Location loc = getLoc();
  unsigned operand = 0;
  if (wanted[operand++]) {
    Value scaled = cotangents[0];
    if (getScale()) {
      Value scale =
          expandTo(builder, loc, getScale(), labels, last, axes, type);
      scaled = arith::MulFOp::create(builder, loc, scaled, scale);
    }
    gradients[0] = LayerNormGradOp::create(builder, loc, type, getInput(),
                                           scaled, getEpsilonAttr());
  }
  if (getScale() && wanted[operand++]) {
    Value normalised = LayerNormOp::create(builder, loc, type, getInput(),
                                           Value(), Value(), getEpsilonAttr());
    gradients[operand - 1] = createMessage(
        builder, loc, tensorType(getScale()),
        Einsum{labels.labels, {axes, axes}, last}, {cotangents[0], normalised});
  }
  if (getShift() && wanted[operand++])
    gradients[operand - 1] = sumTo(builder, loc, cotangents[0], labels, axes,
                                   last, tensorType(getShift()));
  return success();
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

LogicalResult MSEOp::buildVJP(OpBuilder &builder, ValueRange cotangents,
                              ArrayRef<bool> wanted,
                              MutableArrayRef<Value> gradients) {
  if (!wanted[0] && !wanted[1])
    return success();
  RankedTensorType type = tensorType(getPrediction());
  Location loc = getLoc();
  // 2 / elements of the cotangent goes to each difference. Without elements
  // there is no gradient either: the factor only has to be finite.
  int64_t elements = std::max<int64_t>(type.getNumElements(), 1);
  Value factor = createFilled(builder, loc, getLoss().getType(),
                              2.0 / static_cast<double>(elements));
  Value scaled = arith::MulFOp::create(builder, loc, cotangents[0], factor);
  Axes axes;
  Einsum labels = makeLabels(type.getRank(), axes);
  Value repeated = expandTo(builder, loc, scaled, labels, {}, axes, type);
  auto gradientOf = [&](Value a, Value b) -> Value {
    Value difference = arith::SubFOp::create(builder, loc, a, b);
    return arith::MulFOp::create(builder, loc, repeated, difference);
  };
  if (wanted[0])
    gradients[0] = gradientOf(getPrediction(), getTarget());
  if (wanted[1])
    gradients[1] = gradientOf(getTarget(), getPrediction());
  return success();
}

LogicalResult CrossEntropyOp::buildVJP(OpBuilder &builder,
                                       ValueRange cotangents,
                                       ArrayRef<bool> wanted,
                                       MutableArrayRef<Value> gradients) {
  if (wanted[0])
    gradients[0] = CrossEntropyGradOp::create(
        builder, getLoc(), getLogits().getType(), getLogits(), getLabels(),
        cotangents[0], getIgnoreIndexAttr());
  return success();
}
