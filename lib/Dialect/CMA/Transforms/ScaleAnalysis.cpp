//===- ScaleAnalysis.cpp - Which values carry a loss scale ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file follows loss scales through functions, and implements the
// cma-verify-scales pass. A value's scale is a product of powers of the loss
// scales; constant factors do not count.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/ScaleAnalysis.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cma {
#define GEN_PASS_DEF_CMAVERIFYSCALESPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// What is known of a value.
struct Scale {
  enum class Kind {
    Any,    ///< All zeros or infinities, or nothing yet: any scale fits.
    Known,  ///< `powers` of the function's scales.
    Unknown ///< Not a product of powers.
  };
  Kind kind = Kind::Known;
  SmallVector<int> powers;

  bool operator==(const Scale &other) const {
    return kind == other.kind &&
           (kind != Kind::Known || powers == other.powers);
  }
  bool operator!=(const Scale &other) const { return !(*this == other); }
};

class ScaleAnalysis {
public:
  explicit ScaleAnalysis(func::FuncOp func) : func(func) {}
  LogicalResult run();

private:
  Scale getNone() const {
    return {Scale::Kind::Known, SmallVector<int>(symbols.size(), 0)};
  }
  static Scale getUnknown() { return {Scale::Kind::Unknown, {}}; }
  static Scale getAny() { return {Scale::Kind::Any, {}}; }
  Scale getScaleOf(Value symbol) const;
  /// A value that was not seen is one without a scale.
  Scale lookup(Value value) const {
    auto it = scales.find(value);
    return it == scales.end() ? getNone() : it->second;
  }
  bool isUnscaled(Value value) const {
    Scale scale = lookup(value);
    return scale.kind == Scale::Kind::Any || scale == getNone();
  }
  void set(ValueRange values, const Scale &scale) {
    for (Value value : values)
      scales[value] = scale;
  }

  void collectSymbols();
  void startArguments();
  LogicalResult visit(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitAlone(Operation *op);
  LogicalResult visitUnscale(UnscaleOp op);
  LogicalResult visitGuard(GuardOp op);
  LogicalResult visitFor(scf::ForOp op);
  LogicalResult visitIf(scf::IfOp op);
  LogicalResult visitReturn(func::ReturnOp op);
  LogicalResult visitLayer(Operation *op, Value bias);
  LogicalResult visitRegions(Operation *op);
  LogicalResult checkOptimizer(Operation *op, ValueRange gradients);
  void visitOther(Operation *op);
  Scale multiply(ValueRange factors, Value divisor) const;
  Scale getRoot(Value value, int degree) const;
  FailureOr<Scale> join(Operation *op, ValueRange values);
  LogicalResult setJoined(Operation *op, ValueRange values);
  LogicalResult requireUnscaled(Operation *op, Value value, StringRef what);

  std::string spell(Value value) const;
  std::string spell(const Scale &scale) const;
  void explain(InFlightDiagnostic &error, Value value) const;

  func::FuncOp func;
  /// The loss scales, in the order in which they are found.
  SmallVector<Value> symbols;
  DenseMap<Value, Scale> scales;
};
} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The name of an argument, else the value as the printer names it.
std::string ScaleAnalysis::spell(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  func::FuncOp handle = func; // its accessors are not const
  if (argument && argument.getOwner() == &handle.getBody().front())
    if (auto name = handle.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kNameAttr))
      return "'" + name.str() + "'";
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.printAsOperand(stream, OpPrintingFlags());
  return "'" + text + "'";
}

std::string ScaleAnalysis::spell(const Scale &scale) const {
  if (scale.kind == Scale::Kind::Unknown)
    return "an unknown scale";
  std::string text;
  for (auto [symbol, power] : llvm::zip(symbols, scale.powers))
    if (power != 0)
      text += (text.empty() ? "" : " * ") + spell(symbol) +
              (power == 1 ? "" : "^" + std::to_string(power));
  return text.empty() ? "no scale" : "the scale " + text;
}

void ScaleAnalysis::explain(InFlightDiagnostic &error, Value value) const {
  error.attachNote(value.getLoc())
      << spell(value) << " has " << spell(lookup(value));
}

//===----------------------------------------------------------------------===//
// The algebra
//===----------------------------------------------------------------------===//

Scale ScaleAnalysis::getScaleOf(Value symbol) const {
  Scale scale = getNone();
  scale.powers[std::distance(symbols.begin(), llvm::find(symbols, symbol))] = 1;
  return scale;
}

/// The scale of a product, divided by `divisor` where there is one.
Scale ScaleAnalysis::multiply(ValueRange factors, Value divisor) const {
  Scale result = getNone();
  bool isAny = false;
  auto addPowers = [&](Value value, int sign) {
    Scale scale = lookup(value);
    isAny |= scale.kind == Scale::Kind::Any;
    if (scale.kind == Scale::Kind::Unknown)
      result = getUnknown();
    for (auto [sum, power] : llvm::zip(result.powers, scale.powers))
      sum += sign * power;
  };
  for (Value value : factors)
    addPowers(value, 1);
  if (divisor)
    addPowers(divisor, -1);
  // Zero times anything is zero, but an infinity or a quotient by zero has the
  // sign of what is unknown.
  return isAny && result.kind != Scale::Kind::Unknown ? getAny() : result;
}

/// The scale of the root of a value, or, where `degree` is negative, of the
/// root's reciprocal.
Scale ScaleAnalysis::getRoot(Value value, int degree) const {
  Scale scale = lookup(value);
  for (int &power : scale.powers) {
    if (power % degree != 0)
      return getUnknown();
    power /= degree;
  }
  return scale;
}

/// The one scale of values that are added, compared or chosen from.
FailureOr<Scale> ScaleAnalysis::join(Operation *op, ValueRange values) {
  Scale result = getAny();
  Value first;
  for (Value value : values) {
    Scale scale = lookup(value);
    if (scale.kind == Scale::Kind::Any || value == first)
      continue;
    if (!first) {
      result = scale;
      first = value;
    } else if (scale.kind == Scale::Kind::Unknown || scale != result) {
      // Two unknown scales are not known to agree.
      InFlightDiagnostic error = op->emitOpError()
                                 << "expected values of one loss scale, got "
                                 << spell(first) << " with " << spell(result)
                                 << " and " << spell(value) << " with "
                                 << spell(scale);
      explain(error, first);
      explain(error, value);
      return error;
    }
  }
  return result;
}

LogicalResult ScaleAnalysis::setJoined(Operation *op, ValueRange values) {
  FailureOr<Scale> scale = join(op, values);
  if (failed(scale))
    return failure();
  set(op->getResults(), *scale);
  return success();
}

LogicalResult ScaleAnalysis::requireUnscaled(Operation *op, Value value,
                                             StringRef what) {
  if (isUnscaled(value))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected " << what << " " << spell(value)
                             << " to have no loss scale, got "
                             << spell(lookup(value))
                             << "; cma.unscale takes it away";
  explain(error, value);
  return error;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult ScaleAnalysis::visitUnscale(UnscaleOp op) {
  Scale wanted = getScaleOf(op.getScale());
  for (Value gradient : op.getGradients()) {
    Scale scale = lookup(gradient);
    if (scale.kind == Scale::Kind::Any || scale == wanted)
      continue;
    InFlightDiagnostic error = op.emitOpError()
                               << "expected " << spell(gradient) << " to have "
                               << spell(wanted) << ", which is taken away, got "
                               << spell(scale);
    if (auto earlier = gradient.getDefiningOp<UnscaleOp>())
      error.attachNote(earlier.getLoc())
          << spell(gradient) << " is unscaled here already";
    else
      explain(error, gradient);
    return error;
  }
  set(op->getResults(), getNone());
  return success();
}

LogicalResult ScaleAnalysis::visitGuard(GuardOp op) {
  Block &body = op.getBody().front();
  if (failed(visit(body)))
    return failure();
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [old, value, result] :
       llvm::zip(op.getOldValues(), yield.getValues(), op.getNewValues())) {
    FailureOr<Scale> scale = join(op, {old, value});
    if (failed(scale))
      return failure();
    scales[result] = *scale;
  }
  return success();
}

/// A carried value that starts at zero has the scale that the body gives it.
LogicalResult ScaleAnalysis::visitFor(scf::ForOp op) {
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  for (auto [init, argument] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs()))
    scales[argument] = lookup(init);
  bool changed = true;
  while (changed) {
    changed = false;
    if (failed(visit(*op.getBody())))
      return failure();
    for (auto [argument, value] :
         llvm::zip(op.getRegionIterArgs(), yield.getOperands())) {
      FailureOr<Scale> scale = join(yield, {argument, value});
      if (failed(scale))
        return failure();
      // From zero to a scale to unknown: this ends.
      changed |= *scale != lookup(argument);
      scales[argument] = *scale;
    }
  }
  for (auto [argument, result] :
       llvm::zip(op.getRegionIterArgs(), op.getResults()))
    scales[result] = lookup(argument);
  return success();
}

LogicalResult ScaleAnalysis::visitIf(scf::IfOp op) {
  for (Region *region : op.getRegions())
    if (!region->empty() && failed(visit(region->front())))
      return failure();
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    FailureOr<Scale> scale =
        join(op, {op.thenYield().getOperand(i), op.elseYield().getOperand(i)});
    if (failed(scale))
      return failure();
    scales[result] = *scale;
  }
  return success();
}

/// State keeps the scale that its argument has.
LogicalResult ScaleAnalysis::visitReturn(func::ReturnOp op) {
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    auto updates = func.getResultAttrOfType<StringAttr>(i, kUpdatesAttr);
    if (!updates)
      continue;
    for (BlockArgument argument : func.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (func.getArgAttr(number, kNameAttr) != updates)
        continue;
      if (failed(join(op, {argument, value})))
        return failure();
    }
  }
  return success();
}

/// A layer multiplies all its operands but the bias.
LogicalResult ScaleAnalysis::visitLayer(Operation *op, Value bias) {
  SmallVector<Value> factors;
  for (Value operand : op->getOperands())
    if (operand != bias)
      factors.push_back(operand);
  Value result = op->getResult(0);
  scales[result] = multiply(factors, Value());
  return bias ? setJoined(op, {result, bias}) : success();
}

LogicalResult ScaleAnalysis::checkOptimizer(Operation *op,
                                            ValueRange gradients) {
  for (Value gradient : gradients)
    if (failed(requireUnscaled(op, gradient, "gradient")))
      return failure();
  for (Value operand : op->getOperands())
    if (failed(requireUnscaled(op, operand, "operand")))
      return failure();
  set(op->getResults(), getNone());
  return success();
}

/// Ops that are linear in one operand, move data, or are neither.
void ScaleAnalysis::visitOther(Operation *op) {
  if (matchPattern(op, m_AnyZeroFloat()) || matchPattern(op, m_PosInfFloat()) ||
      matchPattern(op, m_NegInfFloat()) || isa<tensor::EmptyOp>(op))
    return set(op->getResults(), getAny());
  // A scale does not change the sign.
  if (isa<math::CopySignOp>(op) &&
      lookup(op->getOperand(1)).kind == Scale::Kind::Unknown)
    return set(op->getResults(), getUnknown());
  if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp, math::AbsFOp,
          math::CopySignOp, CastOp, BroadcastOp, ReluOp, tensor::CastOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractOp,
          tensor::ExtractSliceOp, tensor::ReshapeOp, tensor::SplatOp>(op))
    return set(op->getResults(), lookup(op->getOperand(0)));
  // A scale changes neither shapes nor which numbers are finite.
  if (isa<tensor::DimOp, tensor::RankOp>(op))
    return set(op->getResults(), getNone());
  if (isa<math::IsFiniteOp, math::IsInfOp, math::IsNaNOp>(op))
    return set(op->getResults(),
               lookup(op->getOperand(0)).kind == Scale::Kind::Unknown
                   ? getUnknown()
                   : getNone());
  if (isa<math::SqrtOp, math::RsqrtOp, math::CbrtOp>(op))
    return set(op->getResults(),
               getRoot(op->getOperand(0), isa<math::SqrtOp>(op)    ? 2
                                          : isa<math::RsqrtOp>(op) ? -2
                                                                   : 3));
  // Linear in the cotangent, their second operand or third.
  if (isa<GeluGradOp, LayerNormGradOp>(op) && isUnscaled(op->getOperand(0)))
    return set(op->getResults(), lookup(op->getOperand(1)));
  if (auto grad = dyn_cast<CrossEntropyGradOp>(op);
      grad && isUnscaled(grad.getLogits()))
    return set(op->getResults(), lookup(grad.getCotangent()));
  bool unscaled = llvm::all_of(
      op->getOperands(), [&](Value operand) { return isUnscaled(operand); });
  set(op->getResults(), unscaled ? getNone() : getUnknown());
}

/// Where a condition, an index or a bound is unknown, so is what it decides.
LogicalResult ScaleAnalysis::visit(Operation *op) {
  if (failed(visitAlone(op)))
    return failure();
  bool isUnknown = llvm::any_of(op->getOperands(), [&](Value operand) {
    return !isa<FloatType>(getElementTypeOrSelf(operand)) &&
           lookup(operand).kind == Scale::Kind::Unknown;
  });
  if (isUnknown)
    set(op->getResults(), getUnknown());
  return success();
}

LogicalResult ScaleAnalysis::visitAlone(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](UnscaleOp unscale) { return visitUnscale(unscale); })
      .Case([&](GuardOp guard) { return visitGuard(guard); })
      .Case([&](scf::ForOp loop) { return visitFor(loop); })
      .Case([&](scf::IfOp branch) { return visitIf(branch); })
      .Case([&](func::ReturnOp end) { return visitReturn(end); })
      .Case<LinearOp, LowRankLinearOp, TTLinearOp, TTMLinearOp>(
          [&](auto layer) { return visitLayer(op, layer.getBias()); })
      .Case<arith::MulFOp, ContractOp>([&](auto) {
        set(op->getResults(), multiply(op->getOperands(), Value()));
        return success();
      })
      .Case([&](arith::DivFOp quotient) {
        set(op->getResults(), multiply(quotient.getLhs(), quotient.getRhs()));
        return success();
      })
      .Case([&](math::FmaOp fma) {
        Value result = fma.getResult();
        scales[result] = multiply({fma.getA(), fma.getB()}, Value());
        return setJoined(op, {result, fma.getC()});
      })
      .Case([&](arith::CmpFOp compare) {
        FailureOr<Scale> scale = join(op, compare.getOperands());
        if (failed(scale))
          return failure();
        // The order of values of one scale does not depend on it.
        bool isUnknown = scale->kind == Scale::Kind::Unknown;
        set(op->getResults(), isUnknown ? getUnknown() : getNone());
        return success();
      })
      .Case([&](arith::SelectOp select) {
        return setJoined(op, {select.getTrueValue(), select.getFalseValue()});
      })
      .Case<arith::AddFOp, arith::SubFOp, arith::RemFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
            tensor::ConcatOp, tensor::FromElementsOp>(
          [&](auto) { return setJoined(op, op->getOperands()); })
      .Case([&](tensor::InsertOp insert) {
        return setJoined(op, {insert.getScalar(), insert.getDest()});
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return setJoined(op, {insert.getSource(), insert.getDest()});
      })
      .Case([&](UpdateLossScaleOp update) {
        set(op->getResults(), getNone());
        scales[update.getNewScale()] = lookup(update.getScale());
        return success();
      })
      .Case<SGDOp, AdamWOp>([&](auto optimizer) {
        return checkOptimizer(op, optimizer.getGradient());
      })
      .Case([&](ClipByGlobalNormOp clip) {
        return checkOptimizer(op, clip.getGradients());
      })
      .Default([&](Operation *) {
        if (op->getNumRegions() != 0)
          return visitRegions(op);
        visitOther(op);
        return success();
      });
}

/// What the body of a tensor.pad or tensor.generate computes.
static Value getYielded(Operation *op) {
  return op->getRegion(0).front().getTerminator()->getOperand(0);
}

/// What an op that is not known here hands to its regions and takes from them
/// has a scale if anything that it reads has one.
LogicalResult ScaleAnalysis::visitRegions(Operation *op) {
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(op->getRegions(), read);
  read.insert(op->operand_begin(), op->operand_end());
  bool unscaled =
      llvm::all_of(read, [&](Value value) { return isUnscaled(value); });
  Scale scale = unscaled ? getNone() : getUnknown();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (!argument.getType().isIndex())
          scales[argument] = scale;
      if (failed(visit(block)))
        return failure();
    }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return setJoined(op, {pad.getSource(), getYielded(pad)});
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    scale = lookup(getYielded(generate));
  set(op->getResults(), scale);
  return success();
}

LogicalResult ScaleAnalysis::visit(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void ScaleAnalysis::collectSymbols() {
  auto add = [&](Value value) {
    if (!llvm::is_contained(symbols, value))
      symbols.push_back(value);
  };
  for (BlockArgument argument : func.getArguments()) {
    Attribute name = func.getArgAttr(argument.getArgNumber(), kScaledByAttr);
    for (BlockArgument other : func.getArguments())
      if (name && func.getArgAttr(other.getArgNumber(), kNameAttr) == name)
        add(other);
  }
  func.walk([&](UnscaleOp op) { add(op.getScale()); });
}

void ScaleAnalysis::startArguments() {
  for (BlockArgument argument : func.getArguments()) {
    Attribute name = func.getArgAttr(argument.getArgNumber(), kScaledByAttr);
    for (BlockArgument other : func.getArguments())
      if (name && func.getArgAttr(other.getArgNumber(), kNameAttr) == name)
        scales[argument] = getScaleOf(other);
  }
  for (Value symbol : symbols)
    scales[symbol] = getScaleOf(symbol);
}

LogicalResult ScaleAnalysis::run() {
  collectSymbols();
  if (symbols.empty())
    return success();
  startArguments();
  return visit(func.getBody().front());
}

LogicalResult cma::verifyLossScales(func::FuncOp func) {
  if (func.isExternal())
    return success();
  if (failed(checkSingleBlock(func)))
    return failure();
  return ScaleAnalysis(func).run();
}

namespace {
struct VerifyScales : cma::impl::CMAVerifyScalesPassBase<VerifyScales> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyLossScales(getOperation())))
      signalPassFailure();
  }
};
} // namespace
