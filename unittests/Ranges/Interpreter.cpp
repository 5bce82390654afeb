//===- Interpreter.cpp - Runs functions on numbers ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file computes each op by its definition, in f32.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace cma;
using namespace cma::test;

namespace {
using Unary = float (*)(float);
using Binary = float (*)(float, float);
} // namespace

static float relu(float x) { return x < 0 ? 0 : x; }
static float negate(float x) { return -x; }
static float add(float a, float b) { return a + b; }
static float subtract(float a, float b) { return a - b; }
static float multiply(float a, float b) { return a * b; }
static float divide(float a, float b) { return a / b; }
static float maximum(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b);
}
static float minimum(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b);
}
static float rsqrt(float x) { return 1 / std::sqrt(x); }
static float roundEven(float x) { return std::nearbyint(x); }

static const llvm::StringMap<Unary> &getUnaries() {
  static const llvm::StringMap<Unary> table = {
      {"cma.relu", relu},         {"arith.negf", negate},
      {"math.exp", std::exp},     {"math.exp2", std::exp2},
      {"math.expm1", std::expm1}, {"math.log", std::log},
      {"math.log2", std::log2},   {"math.log10", std::log10},
      {"math.log1p", std::log1p}, {"math.sqrt", std::sqrt},
      {"math.rsqrt", rsqrt},      {"math.cbrt", std::cbrt},
      {"math.tanh", std::tanh},   {"math.sinh", std::sinh},
      {"math.cosh", std::cosh},   {"math.erf", std::erf},
      {"math.erfc", std::erfc},   {"math.atan", std::atan},
      {"math.sin", std::sin},     {"math.cos", std::cos},
      {"math.absf", std::fabs},   {"math.floor", std::floor},
      {"math.ceil", std::ceil},   {"math.round", std::round},
      {"math.trunc", std::trunc}, {"math.roundeven", roundEven},
  };
  return table;
}

static const llvm::StringMap<Binary> &getBinaries() {
  static const llvm::StringMap<Binary> table = {
      {"arith.addf", add},
      {"arith.subf", subtract},
      {"arith.mulf", multiply},
      {"arith.divf", divide},
      {"arith.remf", std::fmod},
      {"arith.maximumf", maximum},
      {"arith.minimumf", minimum},
      {"arith.maxnumf", std::fmax},
      {"arith.minnumf", std::fmin},
      {"math.powf", std::pow},
      {"math.copysign", std::copysign},
  };
  return table;
}

static int64_t getRowLength(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

//===----------------------------------------------------------------------===//
// Ops of the dialect
//===----------------------------------------------------------------------===//

/// Sums over all labels that the result lacks, in row-major order.
static Numbers contract(ContractOp op, ArrayRef<const Numbers *> operands) {
  Einsum einsum = op.getEinsum();
  SmallVector<int64_t> extents = op.getLabelExtents();
  Numbers result(cast<RankedTensorType>(op.getType()).getNumElements(), 0.0f);
  SmallVector<int64_t> point(extents.size(), 0);
  auto getOffset = [&](const std::vector<LabelId> &axes) {
    int64_t offset = 0;
    for (LabelId label : axes)
      offset = offset * extents[label] + point[label];
    return offset;
  };
  for (bool more = true; more;) {
    float product = 1;
    for (auto [i, operand] : llvm::enumerate(operands))
      product *= (*operand)[getOffset(einsum.operands[i])];
    result[getOffset(einsum.result)] += product;
    more = false;
    for (size_t label = point.size(); label-- > 0 && !more;) {
      more = ++point[label] < extents[label];
      if (!more)
        point[label] = 0;
    }
  }
  return result;
}

/// From a number or a vector to the rows or to the diagonal of a square.
static Numbers broadcast(BroadcastOp op, const Numbers &input) {
  Einsum einsum = op.getEinsum();
  if (einsum.operands[0].empty())
    return Numbers(op.getType().getNumElements(), input[0]);
  auto n = static_cast<int64_t>(input.size());
  bool isDiagonal = einsum.result[0] == einsum.result[1];
  bool isFirst = einsum.result[0] == einsum.operands[0][0];
  Numbers result;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      result.push_back(isDiagonal && i != j ? 0 : input[isFirst ? i : j]);
  return result;
}

static float gelu(float x, bool isTanh) {
  float inner = isTanh ? std::tanh(0.79788456f * (x + 0.044715f * x * x * x))
                       : std::erf(x * 0.70710678f);
  return 0.5f * x * (1 + inner);
}

static float geluGrad(float x, float dy, bool isTanh) {
  if (!isTanh)
    return dy * (0.5f * (1 + std::erf(x * 0.70710678f)) +
                 x * 0.39894228f * std::exp(-0.5f * x * x));
  float t = std::tanh(0.79788456f * (x + 0.044715f * x * x * x));
  return dy * (0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.79788456f *
                                    (1 + 3 * 0.044715f * x * x));
}

static Numbers softmax(const Numbers &x, int64_t length) {
  Numbers result(x.size());
  for (size_t row = 0; row < x.size(); row += length) {
    float largest = -INFINITY, sum = 0;
    for (int64_t i = 0; i < length; ++i)
      largest = maximum(largest, x[row + i]);
    for (int64_t i = 0; i < length; ++i)
      sum += result[row + i] = std::exp(x[row + i] - largest);
    for (int64_t i = 0; i < length; ++i)
      result[row + i] /= sum;
  }
  return result;
}

/// The normalised rows, and what their deviations were multiplied by.
static Numbers normalize(const Numbers &x, int64_t length, float epsilon,
                         Numbers &factors) {
  Numbers result(x.size());
  for (size_t row = 0; row < x.size(); row += length) {
    float mean = 0, variance = 0;
    for (int64_t i = 0; i < length; ++i)
      mean += x[row + i] / static_cast<float>(length);
    for (int64_t i = 0; i < length; ++i)
      variance += (x[row + i] - mean) * (x[row + i] - mean) /
                  static_cast<float>(length);
    factors.push_back(1 / std::sqrt(variance + epsilon));
    for (int64_t i = 0; i < length; ++i)
      result[row + i] = (x[row + i] - mean) * factors.back();
  }
  return result;
}

static Numbers layerNorm(LayerNormOp op, ArrayRef<const Numbers *> operands) {
  int64_t length = getRowLength(op.getInput());
  Numbers factors;
  Numbers result = normalize(*operands[0], length,
                             op.getEpsilon().convertToFloat(), factors);
  size_t next = 1;
  if (op.getScale()) {
    for (size_t i = 0; i < result.size(); ++i)
      result[i] *= (*operands[next])[i % length];
    ++next;
  }
  if (op.getShift())
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += (*operands[next])[i % length];
  return result;
}

static Numbers layerNormGrad(LayerNormGradOp op, const Numbers &x,
                             const Numbers &dy) {
  int64_t length = getRowLength(op.getInput());
  Numbers factors;
  Numbers h = normalize(x, length, op.getEpsilon().convertToFloat(), factors),
          result;
  for (size_t row = 0; row < x.size(); row += length) {
    float mean = 0, product = 0;
    for (int64_t i = 0; i < length; ++i) {
      mean += dy[row + i] / static_cast<float>(length);
      product += dy[row + i] * h[row + i] / static_cast<float>(length);
    }
    for (int64_t i = 0; i < length; ++i)
      result.push_back((dy[row + i] - mean - h[row + i] * product) *
                       factors[row / length]);
  }
  return result;
}

/// Labels are a constant of the tests: row i has label i.
static Numbers crossEntropy(const Numbers &logits, int64_t classes) {
  Numbers probabilities = softmax(logits, classes);
  auto rows = static_cast<float>(logits.size()) / static_cast<float>(classes);
  float loss = 0;
  for (size_t row = 0; row * classes < logits.size(); ++row) {
    float largest = -INFINITY, sum = 0;
    for (int64_t i = 0; i < classes; ++i)
      largest = maximum(largest, logits[row * classes + i]);
    for (int64_t i = 0; i < classes; ++i)
      sum += std::exp(logits[row * classes + i] - largest);
    loss += std::log(sum) + largest - logits[row * classes + row % classes];
  }
  return {loss / rows};
}

static Numbers crossEntropyGrad(const Numbers &logits, int64_t classes,
                                float cotangent) {
  Numbers result = softmax(logits, classes);
  auto rows = static_cast<float>(logits.size()) / static_cast<float>(classes);
  for (size_t i = 0; i < result.size(); ++i) {
    bool isLabel = i % classes == i / classes % classes;
    result[i] = cotangent / rows * (result[i] - (isLabel ? 1 : 0));
  }
  return result;
}

static Numbers meanSquare(const Numbers &a, const Numbers &b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return {sum / static_cast<float>(a.size())};
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void Interpreter::define(Value value, Numbers numbers) {
  if (auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
      type && type.getWidth() < 32)
    for (float &number : numbers)
      number = roundTo(number, type.getFloatSemantics());
  observe(value, numbers);
  values[value] = std::move(numbers);
}

/// Integers as numbers.
static Numbers readConstant(Attribute value) {
  Numbers numbers;
  if (auto number = dyn_cast<FloatAttr>(value))
    numbers.push_back(number.getValue().convertToFloat());
  else if (auto floats = dyn_cast<DenseFPElementsAttr>(value))
    for (const APFloat &element : floats)
      numbers.push_back(element.convertToFloat());
  else if (auto integers = dyn_cast<DenseIntElementsAttr>(value))
    for (const APInt &element : integers)
      numbers.push_back(static_cast<float>(element.getSExtValue()));
  return numbers;
}

bool Interpreter::runBranch(Operation &op) {
  auto branch = cast<scf::IfOp>(op);
  bool isTaken = values[branch.getCondition()].front() != 0;
  Block &block = isTaken ? *branch.thenBlock() : *branch.elseBlock();
  if (!runBlock(block))
    return false;
  for (auto [result, value] :
       llvm::zip(op.getResults(), block.getTerminator()->getOperands()))
    define(result, values[value]);
  return true;
}

bool Interpreter::runLoop(Operation &op) {
  auto loop = cast<scf::ForOp>(op);
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips)
    return false;
  std::vector<Numbers> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(values[init]);
  for (uint64_t i = 0; i < trips->getZExtValue(); ++i) {
    for (auto [argument, numbers] :
         llvm::zip(loop.getRegionIterArgs(), carried))
      define(argument, numbers);
    if (!runBlock(*loop.getBody()))
      return false;
    for (auto [value, numbers] : llvm::zip(loop.getYieldedValues(), carried))
      numbers = values[value];
  }
  for (auto [result, numbers] : llvm::zip(loop.getResults(), carried))
    define(result, numbers);
  return true;
}

bool Interpreter::runOp(Operation &op) {
  if (isa<scf::ForOp>(op))
    return runLoop(op);
  if (isa<scf::IfOp>(op))
    return runBranch(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    define(constant, readConstant(constant.getValue()));
    return true;
  }
  SmallVector<const Numbers *> operands;
  for (Value operand : op.getOperands())
    operands.push_back(&values[operand]);
  const Numbers empty;
  const Numbers &a = operands.empty() ? empty : *operands[0];
  const Numbers &b = operands.size() < 2 ? empty : *operands[1];
  Numbers result;
  StringRef name = op.getName().getStringRef();
  if (auto it = getUnaries().find(name); it != getUnaries().end()) {
    for (float x : a)
      result.push_back(it->second(x));
  } else if (auto it = getBinaries().find(name); it != getBinaries().end()) {
    for (auto [x, y] : llvm::zip(a, b))
      result.push_back(it->second(x, y));
  } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    for (auto [x, y] : llvm::zip(a, b))
      result.push_back(x < y ? 1 : 0);
  } else if (isa<arith::SelectOp>(op)) {
    for (size_t i = 0; i < a.size(); ++i)
      result.push_back(a[i] != 0 ? b[i] : (*operands[2])[i]);
  } else if (isa<math::FmaOp>(op)) {
    for (size_t i = 0; i < a.size(); ++i)
      result.push_back(std::fma(a[i], b[i], (*operands[2])[i]));
  } else if (auto contraction = dyn_cast<ContractOp>(op)) {
    result = contract(contraction, operands);
  } else if (auto repeat = dyn_cast<BroadcastOp>(op)) {
    result = broadcast(repeat, a);
  } else if (auto unit = dyn_cast<GeluOp>(op)) {
    for (float x : a)
      result.push_back(
          gelu(x, unit.getApproximate() == GeluApproximation::Tanh));
  } else if (auto unit = dyn_cast<GeluGradOp>(op)) {
    for (auto [x, dy] : llvm::zip(a, b))
      result.push_back(
          geluGrad(x, dy, unit.getApproximate() == GeluApproximation::Tanh));
  } else if (isa<SoftmaxOp>(op)) {
    result = softmax(a, getRowLength(op.getOperand(0)));
  } else if (auto norm = dyn_cast<LayerNormOp>(op)) {
    result = layerNorm(norm, operands);
  } else if (auto norm = dyn_cast<LayerNormGradOp>(op)) {
    result = layerNormGrad(norm, a, b);
  } else if (isa<MSEOp>(op)) {
    result = meanSquare(a, b);
  } else if (isa<CrossEntropyOp>(op)) {
    result = crossEntropy(a, getRowLength(op.getOperand(0)));
  } else if (isa<CrossEntropyGradOp>(op)) {
    result = crossEntropyGrad(a, getRowLength(op.getOperand(0)),
                              operands[2]->front());
  } else if (!runMove(op, operands, result)) {
    return op.hasTrait<OpTrait::IsTerminator>();
  }
  define(op.getResult(0), std::move(result));
  return true;
}

bool Interpreter::runBlock(Block &block) {
  return llvm::all_of(block, [&](Operation &op) { return runOp(op); });
}

bool Interpreter::run(func::FuncOp func,
                      const std::vector<Numbers> &arguments) {
  for (auto [argument, numbers] : llvm::zip(func.getArguments(), arguments))
    define(argument, numbers);
  return runBlock(func.getBody().front());
}
