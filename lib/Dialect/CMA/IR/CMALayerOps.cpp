//===- CMALayerOps.cpp - Verifiers of the linear layers ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file verifies the linear layers and tells what they stand for; their
// expansion is in CMALayerExpansion.cpp.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace cma;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static bool extentsAgree(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

//===----------------------------------------------------------------------===//
// Checks that the layers share
//===----------------------------------------------------------------------===//

/// All operands and the result have the input's element type.
static LogicalResult verifyElementTypes(Operation *op) {
  Type element = tensorType(op->getOperand(0)).getElementType();
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (tensorType(value).getElementType() != element)
      return op->emitOpError()
             << "expected operand #" << i
             << " to have the input's element type " << element << ", got "
             << tensorType(value).getElementType();
  Type result = tensorType(op->getResult(0)).getElementType();
  if (result != element)
    return op->emitOpError() << "expected the result to have the input's "
                                "element type "
                             << element << ", got " << result;
  return success();
}

static LogicalResult verifyRank(Operation *op, Value value, const Twine &name,
                                int64_t rank) {
  if (tensorType(value).getRank() == rank)
    return success();
  return op->emitOpError() << "expected " << name << " to have " << rank
                           << " axes, got " << value.getType();
}

static LogicalResult verifyInputRank(Operation *op, Value input) {
  if (tensorType(input).getRank() >= 1)
    return success();
  return op->emitOpError() << "expected 'input' to have at least one axis, got "
                           << input.getType();
}

/// The input's last extent is `features`, which `what` describes.
static LogicalResult verifyInputFeatures(Operation *op, Value input,
                                         int64_t features, StringRef what) {
  int64_t extent = tensorType(input).getShape().back();
  if (extentsAgree(extent, features))
    return success();
  return op->emitOpError() << "expected the input's last extent to be " << what
                           << ", " << features << ", got " << extent;
}

static LogicalResult verifyBias(Operation *op, Value bias, int64_t features) {
  if (!bias)
    return success();
  RankedTensorType type = tensorType(bias);
  if (type.getRank() == 1 && extentsAgree(type.getDimSize(0), features))
    return success();
  return op->emitOpError() << "expected 'bias' to have one axis of extent "
                           << features << ", got " << type;
}

/// The result has the input's leading axes and then `features`.
static LogicalResult verifyResult(Operation *op, Value input,
                                  int64_t features) {
  SmallVector<int64_t> expected(tensorType(input).getShape().drop_back());
  expected.push_back(features);
  ArrayRef<int64_t> shape = tensorType(op->getResult(0)).getShape();
  if (shape.size() == expected.size() &&
      llvm::all_of(llvm::zip(shape, expected), [](auto pair) {
        return extentsAgree(std::get<0>(pair), std::get<1>(pair));
      }))
    return success();
  return op->emitOpError() << "expected the result's shape to be the input's "
                              "leading axes and then "
                           << features << ", got " << op->getResult(0).getType()
                           << " for input " << input.getType();
}

/// Weight types are static: a layer's features never depend on the batch.
static LogicalResult verifyStaticWeights(Operation *op, ValueRange weights,
                                         StringRef what) {
  for (auto [i, weight] : llvm::enumerate(weights))
    if (!tensorType(weight).hasStaticShape())
      return op->emitOpError()
             << "expected " << what << " #" << i
             << " to have a static shape, got " << weight.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Trains of cores
//===----------------------------------------------------------------------===//

/// Axes and boundary ranks of the cores, and that they chain.
static LogicalResult verifyChain(Operation *op, ArrayRef<Value> cores,
                                 int64_t axes) {
  for (auto [k, core] : llvm::enumerate(cores))
    if (failed(verifyRank(op, core, "core #" + Twine(k),
                          axes))) // tt_linear_c2, ttm_linear_c2
      return failure();
  // tt_linear_c11, ttm_linear_c11
  if (failed(verifyStaticWeights(op, cores, "core")))
    return failure();
  int64_t first = tensorType(cores.front()).getShape().front();
  int64_t last = tensorType(cores.back()).getShape().back();
  if (first != 1 || last != 1) // tt_linear_c3, ttm_linear_c3
    return op->emitOpError() << "expected the boundary ranks to be 1, got "
                             << first << " and " << last;
  for (size_t k = 0; k + 1 < cores.size(); ++k) {
    int64_t right = tensorType(cores[k]).getShape().back();
    int64_t left = tensorType(cores[k + 1]).getShape().front();
    if (right != left) // tt_linear_c4, ttm_linear_c4
      return op->emitOpError() << "expected the last extent of core #" << k
                               << " to be the first extent of core #" << k + 1
                               << ", got " << right << " and " << left;
  }
  return success();
}

static LogicalResult verifyGates(Operation *op, OperandRange gates,
                                 ArrayRef<Value> cores) {
  if (gates.empty())
    return success();
  if (gates.size() + 1 != cores.size()) // tt_linear_c6, ttm_linear_c6
    return op->emitOpError()
           << "expected no gates, or " << cores.size() - 1 << " for "
           << cores.size() << " cores, got " << gates.size();
  for (auto [k, gate] : llvm::enumerate(gates)) {
    int64_t bond = tensorType(cores[k]).getShape().back();
    RankedTensorType type = tensorType(gate);
    if (type.getRank() != 1 ||
        type.getDimSize(0) != bond) // tt_linear_c7, ttm_linear_c7
      return op->emitOpError()
             << "expected gate #" << k << " to have one axis of bond " << k
             << "'s extent " << bond << ", got " << type;
  }
  return success();
}

/// Product of the extents of `axis` over the cores; an error where it exceeds
/// an int64, since then the matrix has too many elements.
static FailureOr<int64_t> getModeProduct(Operation *op, ArrayRef<Value> cores,
                                         unsigned axis, StringRef what) {
  SmallVector<int64_t> modes = llvm::map_to_vector(
      cores, [&](Value core) { return tensorType(core).getDimSize(axis); });
  std::optional<int64_t> product = checkedProduct(modes);
  if (product)
    return *product;
  // tt_linear_c12, ttm_linear_c12
  op->emitOpError() << "expected the product of the " << what
                    << " modes to be at most 2^63 - 1";
  return failure();
}

/// The layer's dense matrix has at most 2^63 - 1 elements.
static LogicalResult verifyDenseCount(Operation *op, int64_t in, int64_t out) {
  if (checkedProduct({in, out}))
    return success();
  return op->emitOpError() << "expected the layer's matrix to have at most "
                              "2^63 - 1 elements, got "
                           << in << " x " << out;
}

/// The checks of both kinds of train once the cores chain.
static LogicalResult verifyTrain(Operation *op, Value input,
                                 ArrayRef<Value> cores, OperandRange gates,
                                 Value bias, FailureOr<int64_t> in,
                                 FailureOr<int64_t> out) {
  if (failed(in) || failed(out) || failed(verifyInputRank(op, input)) ||
      failed(verifyInputFeatures(
          op, input, *in,
          "the product of the input modes")) || // tt_linear_c5, ttm_linear_c5
      failed(verifyGates(
          op, gates,
          cores)) || // tt_linear_c6, ttm_linear_c6, tt_linear_c7, ttm_linear_c7
      failed(verifyBias(op, bias, *out)) ||    // tt_linear_c8, ttm_linear_c8
      failed(verifyResult(op, input, *out)) || // tt_linear_c9, ttm_linear_c9
      failed(verifyElementTypes(op)))          // tt_linear_c10, ttm_linear_c10
    return failure();
  return verifyDenseCount(op, *in, *out); // tt_linear_c12, ttm_linear_c12
}

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  if (failed(verifyInputRank(*this, getInput())) ||
      failed(verifyRank(*this, getWeight(), "'weight'", 2)) ||   // linear_c1
      failed(verifyStaticWeights(*this, getWeight(), "weight"))) // linear_c6
    return failure();
  ArrayRef<int64_t> weight = tensorType(getWeight()).getShape();
  if (failed(verifyInputFeatures(*this, getInput(), weight[0],
                                 "the weight's first extent")) || // linear_c2
      failed(verifyBias(*this, getBias(), weight[1])) ||          // linear_c3
      failed(verifyResult(*this, getInput(), weight[1])))         // linear_c4
    return failure();
  return verifyElementTypes(*this); // linear_c5
}

SmallVector<Value> LinearOp::getLayerWeights() { return {getWeight()}; }

int64_t LinearOp::getDenseWeightCount() {
  return tensorType(getWeight()).getNumElements();
}

//===----------------------------------------------------------------------===//
// TTLinearOp
//===----------------------------------------------------------------------===//

LogicalResult TTLinearOp::verify() {
  SmallVector<Value> in(getInputCores()), out(getOutputCores());
  if (in.empty() || out.empty()) // tt_linear_c1
    return emitOpError() << "expected at least one input core and one output "
                            "core, got "
                         << in.size() << " and " << out.size();
  SmallVector<Value> cores(in);
  cores.append(out);
  if (failed(verifyChain(*this, cores, /*axes=*/3)))
    return failure();
  return verifyTrain(*this, getInput(), cores, getGates(), getBias(),
                     getModeProduct(*this, in, 1, "input"),
                     getModeProduct(*this, out, 1, "output"));
}

SmallVector<Value> TTLinearOp::getLayerWeights() {
  SmallVector<Value> weights(getInputCores());
  weights.append(getOutputCores().begin(), getOutputCores().end());
  weights.append(getGates().begin(), getGates().end());
  return weights;
}

int64_t TTLinearOp::getDenseWeightCount() {
  return *getModeProduct(*this, SmallVector<Value>(getInputCores()), 1,
                         "input") *
         *getModeProduct(*this, SmallVector<Value>(getOutputCores()), 1,
                         "output");
}

//===----------------------------------------------------------------------===//
// TTMLinearOp
//===----------------------------------------------------------------------===//

LogicalResult TTMLinearOp::verify() {
  SmallVector<Value> cores(getCores());
  if (cores.empty()) // ttm_linear_c1
    return emitOpError() << "expected at least one core, got 0";
  if (failed(verifyChain(*this, cores, /*axes=*/4)))
    return failure();
  return verifyTrain(*this, getInput(), cores, getGates(), getBias(),
                     getModeProduct(*this, cores, 1, "input"),
                     getModeProduct(*this, cores, 2, "output"));
}

SmallVector<Value> TTMLinearOp::getLayerWeights() {
  SmallVector<Value> weights(getCores());
  weights.append(getGates().begin(), getGates().end());
  return weights;
}

int64_t TTMLinearOp::getDenseWeightCount() {
  SmallVector<Value> cores(getCores());
  return *getModeProduct(*this, cores, 1, "input") *
         *getModeProduct(*this, cores, 2, "output");
}

//===----------------------------------------------------------------------===//
// LowRankLinearOp
//===----------------------------------------------------------------------===//

LogicalResult LowRankLinearOp::verify() {
  if (failed(verifyInputRank(*this, getInput())) ||
      failed(verifyRank(*this, getLeft(), "'left'", 2)) ||
      failed(
          verifyRank(*this, getRight(), "'right'", 2)) || // low_rank_linear_c1
      failed(verifyStaticWeights(*this, {getLeft(), getRight()},
                                 "factor"))) // low_rank_linear_c7
    return failure();
  ArrayRef<int64_t> left = tensorType(getLeft()).getShape();
  ArrayRef<int64_t> right = tensorType(getRight()).getShape();
  if (failed(verifyInputFeatures(
          *this, getInput(), left[0],
          "the left factor's first extent"))) // low_rank_linear_c2
    return failure();
  if (left[1] != right[0]) // low_rank_linear_c3
    return emitOpError()
           << "expected the left factor's second extent to be the "
              "right factor's first, got "
           << left[1] << " and " << right[0];
  if (failed(verifyBias(*this, getBias(), right[1])) ||    // low_rank_linear_c4
      failed(verifyResult(*this, getInput(), right[1])) || // low_rank_linear_c5
      failed(verifyElementTypes(*this)))                   // low_rank_linear_c6
    return failure();
  return verifyDenseCount(*this, left[0], right[1]); // low_rank_linear_c8
}

SmallVector<Value> LowRankLinearOp::getLayerWeights() {
  return {getLeft(), getRight()};
}

int64_t LowRankLinearOp::getDenseWeightCount() {
  return tensorType(getLeft()).getDimSize(0) *
         tensorType(getRight()).getDimSize(1);
}
