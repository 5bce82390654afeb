//===- RangeAnalysis.cpp - Bounds of the values of a function -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file bounds values by one walk over a function; loops are executed in
// intervals until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <cmath>
#include <vector>

using namespace mlir;
using namespace cma;

FloatFormat cma::getFloatFormat(Type element) {
  if (element.isF32())
    return kF32Format;
  if (element.isTF32())
    return kTF32Format;
  if (element.isF16())
    return kF16Format;
  if (element.isBF16())
    return kBF16Format;
  if (isa<Float8E4M3FNType>(element))
    return kF8E4M3FNFormat;
  if (isa<Float8E5M2Type>(element))
    return kF8E5M2Format;
  return kF64Format;
}

/// The element type of floats and tensors of floats; null for others.
static Type getFloat(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return isa<FloatType>(element) ? element : Type();
}

Interval RangeAnalysis::getInterval(Value value) const {
  return intervals.lookup_or(value, Interval::unbounded());
}

void RangeAnalysis::setInterval(Value value, Interval interval) {
  if (getFloat(value))
    intervals[value] = interval;
}

RangeAnalysis::RangeAnalysis(func::FuncOp func, const RangeOptions &options)
    : options(options) {
  if (func.isDeclaration())
    return;
  visitArguments(func);
  for (Block &block : func.getBody())
    visitBlock(block);
}

/// `interval` as a value of type `element`, of which users may read a copy in
/// the low type.
Interval RangeAnalysis::round(Interval interval, Type element) const {
  interval = roundOutward(interval, getFloatFormat(element));
  if (options.low && element.isF32())
    interval = roundOutward(interval, getFloatFormat(options.low));
  return interval;
}

/// What the user declared, in the numbers of the argument's type.
void RangeAnalysis::visitArguments(func::FuncOp func) {
  Value scale = findLossScaleArgument(func);
  for (BlockArgument argument : func.getArguments()) {
    Type element = getFloat(argument);
    if (!element)
      continue;
    unsigned index = argument.getArgNumber();
    auto given = options.arguments.find(getArgumentName(func, index));
    auto declared = func.getArgAttrOfType<RangeAttr>(index, kRangeAttr);
    Interval interval = Interval::unbounded();
    if (argument == scale && options.lossScale)
      interval = Interval::point(*options.lossScale);
    else if (given != options.arguments.end())
      interval = given->second;
    else if (declared)
      interval = Interval::between(declared.getLow().convertToDouble(),
                                   declared.getHigh().convertToDouble());
    setInterval(argument, round(interval, element));
  }
}

/// `interval` as the op stores it: rounded to its type, and perhaps to the low
/// type.
Interval RangeAnalysis::store(Interval interval, Operation *op,
                              Type element) const {
  FloatFormat format = getFloatFormat(element);
  Interval stored = round(interval, element);
  auto cast = dyn_cast<cma::CastOp>(op);
  // Stochastic rounding goes up from anywhere above the largest number.
  bool goesUp = cast && cast.getRound() == Rounding::Stochastic &&
                interval.getMagnitude() > format.largest;
  if (isLowFloat(element) && (goesUp || !isKnownToFit(interval, format))) {
    if (cast && cast.getOverflow() == Overflow::Saturate)
      return clamp(stored, Interval::symmetric(format.largest));
    return Interval::unbounded();
  }
  if (!cast || !cast.getTf32())
    return stored;
  // What lies above tf32's largest number may round to infinity.
  stored = roundOutward(stored, kTF32Format);
  Interval finite = Interval::symmetric(kTF32Format.largest);
  if (cast.getOverflow() == Overflow::Saturate)
    return clamp(stored, finite);
  if (stored.high > kTF32Format.largest)
    stored.high = HUGE_VAL;
  if (stored.low < -kTF32Format.largest)
    stored.low = -HUGE_VAL;
  return join(stored, clamp(stored, finite));
}

/// The numbers of a constant.
static Interval getConstantInterval(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return Interval::around({number.getValueAsDouble()});
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements)
    return Interval::unbounded();
  std::vector<double> numbers;
  auto addElement = [&](APFloat element) {
    bool losesInfo;
    element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    numbers.push_back(element.convertToDouble());
  };
  if (elements.isSplat())
    addElement(elements.getSplatValue<APFloat>());
  else
    for (const APFloat &element : elements)
      addElement(element);
  return Interval::around(numbers);
}

/// Results unbounded; what stands in the regions is bounded by itself.
void RangeAnalysis::visitUnknown(Operation *op) {
  for (Value result : op->getResults())
    setInterval(result, Interval::unbounded());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block);
}

void RangeAnalysis::visitLoop(scf::ForOp loop) {
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  auto carried = loop.getRegionIterArgs();
  auto yielded = loop.getYieldedValues();
  for (auto [argument, init] : llvm::zip(carried, loop.getInitArgs()))
    setInterval(argument, getInterval(init));
  // Values of all iterations: the body sees what any iteration before left.
  constexpr unsigned patience = 64;
  for (unsigned i = 0;; ++i) {
    visitBlock(*loop.getBody());
    bool changed = false;
    for (auto [argument, value] : llvm::zip(carried, yielded)) {
      if (!getFloat(argument))
        continue;
      Interval before = getInterval(argument);
      Interval after = join(before, getInterval(value));
      if (after.low == before.low && after.high == before.high &&
          after.mayBeNaN == before.mayBeNaN)
        continue;
      changed = true;
      setInterval(argument, i < patience ? after : Interval::unbounded());
    }
    if (!changed || (trips && trips->ule(i + 1)))
      break;
  }
  if (trips && trips->ule(patience))
    visitBlock(*loop.getBody());
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    setInterval(result, join(getInterval(loop.getInitArgs()[i]),
                             getInterval(carried[i])));
}

void RangeAnalysis::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op);
      branch && branch.getNumResults() != 0) {
    visitUnknown(op);
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      setInterval(result, join(getInterval(branch.thenYield().getOperand(i)),
                               getInterval(branch.elseYield().getOperand(i))));
    return;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (Type element = getFloat(constant))
      setInterval(constant,
                  round(getConstantInterval(constant.getValue()), element));
    return;
  }
  if (op->getNumResults() == 0 || op->getNumRegions() > 1)
    return visitUnknown(op);

  SmallVector<Interval> operands, results(op->getNumResults());
  for (Value operand : op->getOperands())
    operands.push_back(getInterval(operand));
  if (isa<cma::CastOp, arith::ExtFOp, arith::TruncFOp>(op)) {
    results[0] = operands[0];
  } else if (auto iface = dyn_cast<PrecisionOpInterface>(op)) {
    iface.inferRange(operands, results);
  } else {
    return visitUnknown(op);
  }
  for (auto [result, interval] : llvm::zip(op->getResults(), results))
    if (Type element = getFloat(result))
      setInterval(result, store(interval, op, element));
}

void RangeAnalysis::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

//===----------------------------------------------------------------------===//
// The loss scale
//===----------------------------------------------------------------------===//

Value cma::findLossScaleArgument(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    StringRef role = getArgumentRole(func, argument.getArgNumber());
    if (role == "cotangent" ||
        (role == "state" &&
         getArgumentName(func, argument.getArgNumber()) == "loss_scale"))
      return argument;
  }
  return {};
}

SmallVector<Value> cma::collectDependents(func::FuncOp func, Value source) {
  llvm::DenseSet<Value> reached = {source};
  SmallVector<Value> dependents = {source};
  auto add = [&](Value value) {
    if (reached.insert(value).second && getFloat(value))
      dependents.push_back(value);
  };
  // Loops feed values back: until nothing is added.
  for (size_t before = 0; before != dependents.size();) {
    before = dependents.size();
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!llvm::any_of(op->getOperands(),
                        [&](Value v) { return reached.contains(v); }))
        return;
      // Unscaled gradients have left the scale behind.
      if (op->getName().getStringRef() == "cma.unscale")
        return;
      for (Value result : op->getResults())
        add(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            add(argument);
      if (op->hasTrait<OpTrait::IsTerminator>() &&
          !isa<func::FuncOp>(op->getParentOp()))
        for (Value result : op->getParentOp()->getResults())
          add(result);
    });
  }
  return dependents;
}

std::optional<double> cma::findLargestLossScale(func::FuncOp func,
                                                RangeOptions options,
                                                ArrayRef<Value> dependents) {
  FloatFormat format = getFloatFormat(options.low);
  auto fits = [&](int exponent) {
    options.lossScale = std::ldexp(1, exponent);
    RangeAnalysis ranges(func, options);
    return llvm::all_of(dependents, [&](Value value) {
      return isKnownToFit(ranges.getInterval(value), format);
    });
  };
  if (!fits(0))
    return std::nullopt;
  int good = 0, bad = format.maxExponent + 1;
  while (bad - good > 1) {
    int middle = (good + bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return std::ldexp(1, good);
}
