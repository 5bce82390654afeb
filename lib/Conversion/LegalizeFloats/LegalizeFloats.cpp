//===- LegalizeFloats.cpp - The cma-legalize-floats pass ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file leaves arithmetic on f32 and f64 only. Upstream's passes for this
// mark their casts as contractible, after which others delete a rounding; no
// cast made here has a fast-math flag.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/FloatExpansion.h"
#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace cma {
#define GEN_PASS_DEF_LEGALIZEFLOATSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// A float in which nothing computes here.
static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isLowFloat(element) || element.isTF32();
}

/// Arithmetic, as opposed to what only moves bits.
static bool isArithmetic(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op);
}

static bool touchesNarrow(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isNarrow) ||
         llvm::any_of(op->getResultTypes(), isNarrow);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Integers of more than 24 bits are rounded to f32 already; by way of f64 they
/// are rounded once.
static Type getWideType(Operation *op, Builder &b) {
  if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return b.getF32Type();
  unsigned width = elementOf(op->getOperand(0)).getIntOrFloatBitWidth();
  return width <= 24 ? FloatType(b.getF32Type()) : b.getF64Type();
}

/// An integer of more than 53 bits, with what f64 would round away gathered in
/// the last bit that it keeps.
static Value gatherLowBits(ImplicitLocOpBuilder &b, Value value) {
  auto constant = [&](int64_t number) -> Value {
    TypedAttr attr = b.getIntegerAttr(elementOf(value), number);
    if (auto shaped = dyn_cast<ShapedType>(value.getType()))
      attr = DenseElementsAttr::get(shaped, attr);
    return arith::ConstantOp::create(b, attr);
  };
  constexpr int64_t low = (1 << 12) - 1;
  Value cut = arith::AndIOp::create(b, value, constant(low));
  Value any =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, cut, constant(0));
  Value rest = arith::AndIOp::create(b, value, constant(~low));
  Value sticky = arith::OrIOp::create(b, rest, constant(low + 1));
  Value gathered = arith::SelectOp::create(b, any, sticky, rest);
  // Small numbers are exact, and would lose their low bits.
  Value size = arith::AddIOp::create(b, value, constant(int64_t(1) << 52));
  Value isLarge = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, size,
                                        constant(int64_t(1) << 53));
  return arith::SelectOp::create(b, isLarge, gathered, value);
}

/// Computes `op` on wider operands and rounds its results once.
static LogicalResult widenArithmetic(Operation *op) {
  if (isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return op->emitOpError("expected no conversion with scales of its own");
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type wide = getWideType(op, b);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isNarrow(operand.getType()))
      operand = arith::ExtFOp::create(b, withElement(operand.getType(), wide),
                                      operand);
    else if (wide.isF64() && elementOf(operand).getIntOrFloatBitWidth() > 53)
      operand = gatherLowBits(b, operand);
    operands.push_back(operand);
  }
  Operation *clone = b.clone(*op);
  clone->setOperands(operands);
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), clone->getResults())) {
    Value replacement = result;
    if (isNarrow(old.getType())) {
      result.setType(withElement(old.getType(), wide));
      replacement = arith::TruncFOp::create(b, old.getType(), result);
    }
    old.replaceAllUsesWith(replacement);
  }
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {
/// Replaces conversions, in the order of the program.
class ConversionExpander {
public:
  explicit ConversionExpander(bool nativeF16) : nativeF16(nativeF16) {}

  LogicalResult run(Operation *root);

private:
  LogicalResult expand(Operation *op);
  bool isNative(Operation *op);
  /// The f32 that a tf32 value is; null, after an error at `user`, where it is
  /// not made by a conversion.
  Value lookUpTF32(Value value, Operation *user);
  Value toF32(ImplicitLocOpBuilder &b, Value value, Operation *user);
  Value fromWide(ImplicitLocOpBuilder &b, Value value, Type to,
                 FloatRounding round);

  bool nativeF16;
  llvm::DenseMap<Value, Value> tf32;
};
} // namespace

/// Whether the target has an instruction for the conversion `op`.
bool ConversionExpander::isNative(Operation *op) {
  Type from = elementOf(op->getOperand(0)), to = elementOf(op->getResult(0));
  auto truncate = dyn_cast<arith::TruncFOp>(op);
  if (truncate && truncate.getRoundingmode().value_or(
                      arith::RoundingMode::to_nearest_even) !=
                      arith::RoundingMode::to_nearest_even)
    return false;
  if (!isNarrow(from) && !isNarrow(to))
    return true;
  return nativeF16 &&
         ((from.isF16() && to.isF32()) || (from.isF32() && to.isF16()));
}

Value ConversionExpander::lookUpTF32(Value value, Operation *user) {
  if (Value known = tf32.lookup(value))
    return known;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    ImplicitLocOpBuilder b(value.getLoc(), value.getDefiningOp());
    auto widen = [&](const APFloat &number) {
      APFloat wide = number;
      bool losesInfo;
      wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      return wide.bitcastToAPInt();
    };
    TypedAttr attr;
    if (auto number = dyn_cast<FloatAttr>(constant))
      attr = FloatAttr::get(b.getF32Type(), APFloat(APFloat::IEEEsingle(),
                                                    widen(number.getValue())));
    else
      attr =
          cast<DenseFPElementsAttr>(constant).mapValues(b.getF32Type(), widen);
    return tf32[value] = arith::ConstantOp::create(b, attr);
  }
  user->emitOpError("expected its tf32 operand to be made by a conversion in "
                    "reach, or a constant");
  return {};
}

Value ConversionExpander::toF32(ImplicitLocOpBuilder &b, Value value,
                                Operation *user) {
  Type from = elementOf(value);
  if (from.isTF32())
    return lookUpTF32(value, user);
  if (from.isF16() && nativeF16)
    return arith::ExtFOp::create(
        b, withElement(value.getType(), b.getF32Type()), value);
  return isNarrow(from) ? FloatExpander(b).extend(value) : value;
}

/// An f32 or f64 in the narrower type `to`; for tf32 as an f32.
Value ConversionExpander::fromWide(ImplicitLocOpBuilder &b, Value value,
                                   Type to, FloatRounding round) {
  FloatExpander expander(b);
  if (elementOf(value).isF64()) {
    value = expander.narrowDouble(value, /*sticky=*/round ==
                                             FloatRounding::NearestEven);
    if (to.isF32())
      return value;
  }
  if (to.isTF32())
    return expander.roundToTF32(value, round);
  if (to.isF16() && nativeF16 && round == FloatRounding::NearestEven)
    return arith::TruncFOp::create(b, withElement(value.getType(), to), value);
  return expander.truncate(value, to, round);
}

LogicalResult ConversionExpander::expand(Operation *op) {
  FloatRounding round = FloatRounding::NearestEven;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = truncate.getRoundingmode().value_or(
        arith::RoundingMode::to_nearest_even);
    if (mode == arith::RoundingMode::toward_zero)
      round = FloatRounding::TowardZero;
    else if (mode != arith::RoundingMode::to_nearest_even)
      return op->emitOpError("expected rounding to nearest even or toward "
                             "zero, got '")
             << arith::stringifyRoundingMode(mode) << "'";
  }
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value value = toF32(b, op->getOperand(0), op);
  if (!value)
    return failure();
  Value result = op->getResult(0);
  Type to = elementOf(result);
  if (to.isF64())
    value = arith::ExtFOp::create(b, result.getType(), value);
  else if (to != elementOf(value) &&
           !(to.isTF32() && isa<arith::ExtFOp>(op))) // exact as an f32
    value = fromWide(b, value, to, round);
  if (to.isTF32())
    tf32[result] = value;
  else
    result.replaceAllUsesWith(value);
  return success();
}

LogicalResult ConversionExpander::run(Operation *root) {
  SmallVector<Operation *> conversions;
  root->walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) && !isNative(op))
      conversions.push_back(op);
  });
  for (Operation *op : conversions)
    if (failed(expand(op)))
      return failure();
  // Users come after their operands.
  for (Operation *op : llvm::reverse(conversions))
    if (op->use_empty())
      op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// No value of a type that memory does not hold is left.
static LogicalResult verifyLegal(Operation *root) {
  auto isTF32 = [](Type type) { return getElementTypeOrSelf(type).isTF32(); };
  WalkResult result = root->walk([&](Operation *op) {
    if (op->getNumResults() != 0 && op->use_empty() && isPure(op))
      return WalkResult::advance();
    if (llvm::none_of(op->getOperandTypes(), isTF32) &&
        llvm::none_of(op->getResultTypes(), isTF32))
      return WalkResult::advance();
    op->emitOpError("expected no tf32 value but between conversions");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct LegalizeFloats : cma::impl::LegalizeFloatsPassBase<LegalizeFloats> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SmallVector<Operation *> arithmetic;
    func.walk([&](Operation *op) {
      if (isArithmetic(op) && touchesNarrow(op) &&
          !isa<arith::ExtFOp, arith::TruncFOp>(op))
        arithmetic.push_back(op);
    });
    for (Operation *op : arithmetic)
      if (failed(widenArithmetic(op)))
        return signalPassFailure();
    if (failed(ConversionExpander(f16Instructions).run(func)) ||
        failed(verifyLegal(func)))
      return signalPassFailure();
  }
};
} // namespace
