//===- PrecisionCMAModels.cpp - Precision classes of the dialect's ops ----===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gives the ops of `cma` their precision class and the bounds of
// their results.
//
//===----------------------------------------------------------------------===//

#include "PrecisionOpModel.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace cma;

using Class = PrecisionClass;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// How many products an element of the result sums; 0 where an extent is not
/// known.
static std::optional<double> countTerms(ContractOp op) {
  Einsum einsum = op.getEinsum();
  SmallVector<int64_t> extents = op.getLabelExtents();
  double count = 1;
  for (size_t label = 0; label < extents.size(); ++label) {
    if (llvm::is_contained(einsum.result, static_cast<LabelId>(label)))
      continue;
    if (ShapedType::isDynamic(extents[label]))
      return std::nullopt;
    count *= static_cast<double>(extents[label]);
  }
  return count;
}

namespace {
struct ContractModel
    : PrecisionOpInterface::ExternalModel<ContractModel, ContractOp> {
  /// A contraction of one operand is a sum, or moves data.
  Class getPrecisionClass(Operation *op, Type) const {
    auto contract = cast<ContractOp>(op);
    if (contract.getInputs().size() > 1)
      return Class::Always;
    return hasFreeResult(op) ? Class::Follow : Class::Data;
  }
  bool hasFreeResult(Operation *op) const {
    auto contract = cast<ContractOp>(op);
    if (contract.getInputs().size() > 1)
      return true;
    Einsum einsum = contract.getEinsum();
    return llvm::any_of(einsum.operands[0], [&](LabelId label) {
      return !llvm::is_contained(einsum.result, label);
    });
  }
  bool isLegalPrecision(Operation *, Type type) const {
    return isStorageFloat(type) || type.isTF32();
  }
  void inferRange(Operation *op, ArrayRef<Interval> operands,
                  MutableArrayRef<Interval> results) const {
    auto contract = cast<ContractOp>(op);
    std::optional<double> count = countTerms(contract);
    // The steps of a contraction that is not planned round in between.
    if (operands.size() > 2 || !count)
      return;
    Interval product =
        operands.size() == 1
            ? operands[0]
            : roundOutward(multiply(operands[0], operands[1]), kF32Format);
    results[0] = *count == 1 ? product : sum(product, *count);
  }
};
} // namespace

static Interval broadcastRule(BroadcastOp op, ArrayRef<Interval> operands) {
  Einsum einsum = op.getEinsum();
  std::vector<LabelId> labels = einsum.result;
  llvm::sort(labels);
  bool isDiagonal =
      std::adjacent_find(labels.begin(), labels.end()) != labels.end();
  return isDiagonal ? join(operands[0], Interval::point(0)) : operands[0];
}

//===----------------------------------------------------------------------===//
// Activations and norms
//===----------------------------------------------------------------------===//

/// Beyond it a square is beyond f32.
static constexpr double kLargestSquared = 1e18;

static double getLastExtent(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t extent = tensor.getRank() ? tensor.getShape().back() : 1;
  return ShapedType::isDynamic(extent) ? std::ldexp(1, 63)
                                       : static_cast<double>(extent);
}

static Interval reluRule(ReluOp, ArrayRef<Interval> operands) {
  return maximum(operands[0], Interval::point(0));
}

static Interval geluRule(GeluOp, ArrayRef<Interval> operands) {
  Interval x = operands[0];
  // Never below -0.1701 nor below x, and between 0 and x for x above 0; the
  // error of erf is multiplied by x.
  double error = std::isinf(x.low) ? 0 : std::fabs(x.low) * 0x1p-19;
  double low = x.low >= 0 ? 0 : std::max(x.low, -0.1702);
  return widen(
      {low - error, std::max(x.high, 0.0), x.mayBeNaN || x.low == -HUGE_VAL},
      0x1p-18);
}

static Interval geluGradRule(GeluGradOp, ArrayRef<Interval> operands) {
  Interval x = operands[0], cotangent = operands[1];
  // The derivative is between -0.1290 and 1.1290.
  Interval result = multiply(Interval::between(-0.13, 1.13), cotangent);
  result.mayBeNaN |= x.mayBeNaN || x.getMagnitude() > kLargestSquared;
  return result;
}

static Interval softmaxRule(SoftmaxOp op, ArrayRef<Interval> operands) {
  double error = 0x1p-18 + getLastExtent(op.getType()) * 0x1p-23;
  return {0, 1 + error, operands[0].mayBeNaN || operands[0].mayBeInfinite()};
}

/// Of deviations divided by the root of their mean square.
static double getNormalizedBound(double extent) {
  double error = 0x1p-16 + extent * 0x1p-22;
  return error < 0.5 ? std::sqrt(extent) * (1 + error) : HUGE_VAL;
}

static Interval layerNormRule(LayerNormOp op, ArrayRef<Interval> operands) {
  double epsilon = op.getEpsilon().convertToDouble();
  Interval result =
      Interval::symmetric(getNormalizedBound(getLastExtent(op.getType())));
  result.mayBeNaN = operands[0].mayBeNaN || epsilon < 0x1p-120 ||
                    operands[0].getMagnitude() > kLargestSquared;
  unsigned next = 1;
  if (op.getScale())
    result = roundOutward(multiply(result, operands[next++]), kF32Format);
  if (op.getShift())
    result = add(result, operands[next]);
  return result;
}

static Interval layerNormGradRule(LayerNormGradOp op,
                                  ArrayRef<Interval> operands) {
  double epsilon = op.getEpsilon().convertToDouble();
  double bound = getNormalizedBound(getLastExtent(op.getType()));
  if (epsilon < 0x1p-120 || std::isinf(bound) ||
      operands[0].getMagnitude() > kLargestSquared ||
      operands[1].getMagnitude() > kLargestSquared)
    return Interval::unbounded();
  // |dy - mean(dy)| <= 2 D, and |mean(dy h)| <= D since mean(h^2) <= 1.
  Interval result = Interval::symmetric(
      operands[1].getMagnitude() * (2 + bound) / std::sqrt(epsilon) * 1.01);
  result.mayBeNaN = operands[0].mayBeNaN || operands[1].mayBeNaN;
  return result;
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// Whether f32 may not hold the sum of `count` terms of up to `size`, which is
/// formed before it is divided.
static bool mayOverflowSum(double size, double count) {
  return !(size * count < 0.99 * kF32Format.largest);
}

static Interval mseRule(MSEOp op, ArrayRef<Interval> operands) {
  auto type = cast<RankedTensorType>(op.getPrediction().getType());
  double count = type.hasStaticShape()
                     ? static_cast<double>(type.getNumElements())
                     : HUGE_VAL;
  double difference = subtract(operands[0], operands[1]).getMagnitude();
  if (!(difference <= kLargestSquared) || count * 0x1p-22 > 0.5 ||
      mayOverflowSum(difference * difference, count))
    return Interval::unbounded();
  Interval result = {0, difference * difference * (1 + count * 0x1p-21 + 1e-6),
                     operands[0].mayBeNaN || operands[1].mayBeNaN};
  return result;
}

static double getNumRows(RankedTensorType labels) {
  return labels.hasStaticShape() ? static_cast<double>(labels.getNumElements())
                                 : HUGE_VAL;
}

static Interval crossEntropyRule(CrossEntropyOp op,
                                 ArrayRef<Interval> operands) {
  Interval logits = operands[0];
  double classes = getLastExtent(op.getLogits().getType());
  double rows = getNumRows(cast<RankedTensorType>(op.getLabels().getType()));
  if (!logits.isFinite() || (classes + rows) * 0x1p-22 > 0.5)
    return Interval::unbounded();
  double largest = std::log(std::max(classes, 1.0)) + logits.high - logits.low;
  double error = (0x1p-18 + (classes + rows) * 0x1p-22) *
                 (1 + largest + logits.getMagnitude());
  if (mayOverflowSum(largest + error, rows))
    return Interval::unbounded();
  return Interval::between(-error, largest + error);
}

/// Softmax minus a one is between -1 and 1; at least one row counts.
static Interval crossEntropyGradRule(CrossEntropyGradOp op,
                                     ArrayRef<Interval> operands) {
  Interval logits = operands[0], cotangent = operands[2];
  double classes = getLastExtent(op.getLogits().getType());
  double rows = getNumRows(cast<RankedTensorType>(op.getLabels().getType()));
  if (classes * 0x1p-22 > 0.5)
    return Interval::unbounded();
  double size = cotangent.getMagnitude() * (1 + 0x1p-16 + classes * 0x1p-22);
  if (!op.getIgnoreIndex() && rows > 0 && std::isfinite(rows))
    size /= rows;
  Interval result = Interval::symmetric(size);
  result.mayBeNaN =
      logits.mayBeNaN || logits.mayBeInfinite() || cotangent.mayBeNaN;
  return result;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void cma::attachCMAPrecision(MLIRContext *context) {
  ContractOp::attachInterface<ContractModel>(*context);
  attachPrecision<BroadcastOp, Class::Data, broadcastRule>(context);
  attachPrecision<LinearOp, Class::Always>(context);
  attachPrecision<LowRankLinearOp, Class::Always>(context);
  attachPrecision<TTLinearOp, Class::Always>(context);
  attachPrecision<TTMLinearOp, Class::Always>(context);
  attachPrecision<ReluOp, Class::Data, reluRule>(context);
  attachPrecision<GeluOp, Class::Follow, geluRule>(context);
  attachPrecision<GeluGradOp, Class::Follow, geluGradRule>(context);
  attachPrecision<SoftmaxOp, Class::Follow, softmaxRule>(context);
  attachPrecision<LayerNormOp, Class::Follow, layerNormRule>(context);
  attachPrecision<LayerNormGradOp, Class::Follow, layerNormGradRule>(context);
  attachPrecision<MSEOp, Class::Deny, mseRule>(context);
  attachPrecision<CrossEntropyOp, Class::Deny, crossEntropyRule>(context);
  attachPrecision<CrossEntropyGradOp, Class::Deny, crossEntropyGradRule>(
      context);
  attachPrecision<SGDOp, Class::Deny>(context);
}
