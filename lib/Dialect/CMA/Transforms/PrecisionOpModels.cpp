//===- PrecisionOpModels.cpp - Precision classes of upstream ops ----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gives the ops of `arith`, `math` and `tensor` their precision class
// and the bounds of their results.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"
#include "PrecisionOpModel.h"

#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace cma;

using Class = PrecisionClass;

//===----------------------------------------------------------------------===//
// arith
//===----------------------------------------------------------------------===//

/// Of two, the larger; the other one where an operand is NaN.
static Interval pickNumber(Interval picked, Interval a, Interval b) {
  picked.mayBeNaN = a.mayBeNaN && b.mayBeNaN;
  if (a.mayBeNaN)
    picked = join(picked, b);
  if (b.mayBeNaN)
    picked = join(picked, a);
  picked.mayBeNaN = a.mayBeNaN && b.mayBeNaN;
  return picked;
}
static Interval maximumNumber(Interval a, Interval b) {
  return pickNumber(maximum(a, b), a, b);
}
static Interval minimumNumber(Interval a, Interval b) {
  return pickNumber(minimum(a, b), a, b);
}

static Interval remainder(Interval a, Interval b) {
  Interval result = Interval::symmetric(a.getMagnitude());
  result.mayBeNaN = a.mayBeNaN || b.mayBeNaN || a.mayBeInfinite() ||
                    (b.low <= 0x1p-149 && b.high >= -0x1p-149);
  return result;
}

static Interval selectRule(arith::SelectOp, ArrayRef<Interval> operands) {
  return join(operands[1], operands[2]);
}

template <typename OpTy>
static Interval fromInteger(OpTy op, ArrayRef<Interval>) {
  Type type = getElementTypeOrSelf(op.getIn().getType());
  if (!isa<IntegerType>(type))
    return Interval::unbounded();
  return Interval::symmetric(std::ldexp(1, type.getIntOrFloatBitWidth()));
}

void cma::attachArithPrecision(MLIRContext *context) {
  using namespace arith;
  attachPrecision<AddFOp, Class::Follow, inferBinary<AddFOp, add>>(context);
  attachPrecision<SubFOp, Class::Follow, inferBinary<SubFOp, subtract>>(
      context);
  attachPrecision<MulFOp, Class::Follow, inferBinary<MulFOp, multiply>>(
      context);
  attachPrecision<DivFOp, Class::Follow, inferBinary<DivFOp, divide>>(context);
  attachPrecision<RemFOp, Class::Follow, inferBinary<RemFOp, remainder>>(
      context);
  attachPrecision<NegFOp, Class::Data, inferUnary<NegFOp, negate>>(context);
  attachPrecision<MaximumFOp, Class::Promote, inferBinary<MaximumFOp, maximum>>(
      context);
  attachPrecision<MinimumFOp, Class::Promote, inferBinary<MinimumFOp, minimum>>(
      context);
  attachPrecision<MaxNumFOp, Class::Promote,
                  inferBinary<MaxNumFOp, maximumNumber>>(context);
  attachPrecision<MinNumFOp, Class::Promote,
                  inferBinary<MinNumFOp, minimumNumber>>(context);
  attachPrecision<CmpFOp, Class::Promote>(context);
  attachPrecision<SelectOp, Class::Promote, selectRule>(context);
  attachPrecision<SIToFPOp, Class::Deny, fromInteger<SIToFPOp>>(context);
  attachPrecision<UIToFPOp, Class::Deny, fromInteger<UIToFPOp>>(context);
  attachPrecision<FPToSIOp, Class::Deny>(context);
  attachPrecision<FPToUIOp, Class::Deny>(context);
}

//===----------------------------------------------------------------------===//
// math
//===----------------------------------------------------------------------===//

/// What an approximation of a function may be off: 5 units in the last place of
/// f32, and more where it reduces its argument.
static constexpr double kRelative = 0x1p-19;

/// A function that does not fall and is not below 0.
template <double (*function)(double)>
static Interval increasingPositive(Interval a) {
  Interval result = applyIncreasing(a, function, kRelative);
  result.high += 0x1p-125; // what an approximation of exp makes of less
  result.low = std::max(result.low - 0x1p-125, 0.0);
  return result;
}
template <double (*function)(double)>
static Interval increasing(Interval a) {
  return widen(applyIncreasing(a, function, kRelative), 0, 0x1p-120);
}
/// Defined from `low` on; what a number below it gives is NaN.
template <double (*function)(double)>
static Interval increasingFrom(Interval a, double low) {
  bool mayBeNaN = a.mayBeNaN || a.low < low;
  a = {std::max(a.low, low), std::max(a.high, low), mayBeNaN};
  // Near a zero the error is that of the argument's reduction.
  return widen(applyIncreasing(a, function, kRelative), 0, 0x1p-22);
}
template <double (*function)(double)>
static Interval logarithm(Interval a) {
  return increasingFrom<function>(a, 0.0);
}
static Interval logarithmOnePlus(Interval a) {
  return increasingFrom<std::log1p>(a, -1.0);
}

static Interval oscillating(Interval a) {
  Interval result = Interval::symmetric(1 + kRelative);
  result.mayBeNaN = a.mayBeNaN || a.mayBeInfinite();
  return result;
}
static Interval reciprocalRoot(Interval a) {
  if (a.low <= 0x1p-149)
    return Interval::unbounded();
  Interval result{1 / std::sqrt(a.high), 1 / std::sqrt(a.low), a.mayBeNaN};
  result = widen(result, kRelative);
  result.low = std::max(result.low, 0.0);
  return result;
}
static Interval hyperbolicCosine(Interval a) {
  Interval magnitude = absolute(a);
  return applyIncreasing(magnitude, std::cosh, kRelative);
}
static Interval errorComplement(Interval a) {
  Interval result =
      widen(applyIncreasing(negate(a), std::erf, kRelative), 0, 0x1p-100);
  return {std::max(0.0, 1 + result.low - kRelative),
          1 + result.high + kRelative, result.mayBeNaN};
}
static Interval signCopy(Interval a, Interval) {
  Interval result = Interval::symmetric(a.getMagnitude());
  result.mayBeNaN = a.mayBeNaN;
  return result;
}
static Interval fusedRule(math::FmaOp, ArrayRef<Interval> operands) {
  return add(multiply(operands[0], operands[1]), operands[2]);
}
/// Of a base above 0 the extremes are at the corners.
static Interval power(Interval base, Interval exponent) {
  if (base.low <= 0x1p-126 || base.mayBeInfinite() || exponent.mayBeInfinite())
    return Interval::unbounded();
  auto [low, high] = std::minmax(
      {std::pow(base.low, exponent.low), std::pow(base.low, exponent.high),
       std::pow(base.high, exponent.low), std::pow(base.high, exponent.high)});
  Interval result{low, high, base.mayBeNaN || exponent.mayBeNaN};
  // The error of the logarithm is that of the exponent times its size.
  double size =
      1 + exponent.getMagnitude() * std::max(std::fabs(std::log(base.low)),
                                             std::fabs(std::log(base.high)));
  result = widen(result, kRelative * size);
  result.low = std::max(result.low, 0.0);
  return result;
}

template <typename OpTy, Interval (*function)(Interval)>
static void attachSensitiveUnary(MLIRContext *context) {
  attachSensitive<OpTy, inferUnary<OpTy, function>>(context);
}
template <typename OpTy, Interval (*function)(Interval),
          Class precisionClass = Class::Follow>
static void attachUnary(MLIRContext *context) {
  attachPrecision<OpTy, precisionClass, inferUnary<OpTy, function>>(context);
}

static double exactExp(double x) { return std::exp(x); }
static double exactExp2(double x) { return std::exp2(x); }
static double exactExpM1(double x) { return std::expm1(x); }
static double exactLog(double x) { return std::log(x); }
static double exactLog2(double x) { return std::log2(x); }
static double exactLog10(double x) { return std::log10(x); }
static double exactSinh(double x) { return std::sinh(x); }
static double exactTanh(double x) { return std::tanh(x); }
static double exactErf(double x) { return std::erf(x); }
static double exactAtan(double x) { return std::atan(x); }
static double exactCbrt(double x) { return std::cbrt(x); }
static double exactFloor(double x) { return std::floor(x); }
static double exactCeil(double x) { return std::ceil(x); }
static double exactRound(double x) { return std::round(x); }
static double exactRoundEven(double x) { return std::nearbyint(x); }
static double exactTrunc(double x) { return std::trunc(x); }

void cma::attachMathPrecision(MLIRContext *context) {
  using namespace math;
  attachSensitiveUnary<ExpOp, increasingPositive<exactExp>>(context);
  attachSensitiveUnary<Exp2Op, increasingPositive<exactExp2>>(context);
  attachSensitiveUnary<ExpM1Op, increasing<exactExpM1>>(context);
  attachSensitiveUnary<LogOp, logarithm<exactLog>>(context);
  attachSensitiveUnary<Log2Op, logarithm<exactLog2>>(context);
  attachSensitiveUnary<Log10Op, logarithm<exactLog10>>(context);
  attachSensitiveUnary<Log1pOp, logarithmOnePlus>(context);
  attachSensitiveUnary<RsqrtOp, reciprocalRoot>(context);
  attachSensitiveUnary<SinhOp, increasing<exactSinh>>(context);
  attachSensitiveUnary<CoshOp, hyperbolicCosine>(context);
  attachSensitive<TanOp, inferNothing<TanOp>>(context);
  attachSensitive<AcosOp, inferNothing<AcosOp>>(context);
  attachSensitive<AsinOp, inferNothing<AsinOp>>(context);
  attachSensitive<AcoshOp, inferNothing<AcoshOp>>(context);
  attachSensitive<AsinhOp, inferNothing<AsinhOp>>(context);
  attachSensitive<AtanhOp, inferNothing<AtanhOp>>(context);
  attachSensitive<PowFOp, inferBinary<PowFOp, power>>(context);
  attachSensitive<FPowIOp, inferNothing<FPowIOp>>(context);
  attachUnary<SqrtOp, squareRoot>(context);
  attachUnary<CbrtOp, increasing<exactCbrt>>(context);
  attachUnary<TanhOp, increasing<exactTanh>>(context);
  attachUnary<ErfOp, increasing<exactErf>>(context);
  attachUnary<ErfcOp, errorComplement>(context);
  attachUnary<AtanOp, increasing<exactAtan>>(context);
  attachUnary<SinOp, oscillating>(context);
  attachUnary<CosOp, oscillating>(context);
  attachPrecision<Atan2Op, Class::Follow>(context);
  attachPrecision<FmaOp, Class::Follow, fusedRule>(context);
  attachUnary<AbsFOp, absolute, Class::Data>(context);
  attachPrecision<CopySignOp, Class::Promote,
                  inferBinary<CopySignOp, signCopy>>(context);
  attachUnary<FloorOp, increasing<exactFloor>>(context);
  attachUnary<CeilOp, increasing<exactCeil>>(context);
  attachUnary<RoundOp, increasing<exactRound>>(context);
  attachUnary<RoundEvenOp, increasing<exactRoundEven>>(context);
  attachUnary<TruncOp, increasing<exactTrunc>>(context);
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

/// The sources and the value around them, where that is a constant.
static Interval padRule(tensor::PadOp op, ArrayRef<Interval> operands) {
  Value value = op.getConstantPaddingValue();
  FloatAttr constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return Interval::unbounded();
  double number = constant.getValueAsDouble();
  return join(operands[0], std::isnan(number) ? Interval{0, 0, true}
                                              : Interval::point(number));
}

static Interval insertRule(tensor::InsertSliceOp, ArrayRef<Interval> operands) {
  return join(operands[0], operands[1]);
}

/// One element of a tensor keeps its type: scalars are not lowered.
template <typename OpTy, RangeRule<OpTy> rule>
static void attachScalar(MLIRContext *context) {
  attachPrecision<OpTy, Class::Deny, rule>(context);
}

static Interval insertElementRule(tensor::InsertOp,
                                  ArrayRef<Interval> operands) {
  return join(operands[0], operands[1]);
}

void cma::attachTensorPrecision(MLIRContext *context) {
  using namespace tensor;
  attachPrecision<ExpandShapeOp, Class::Data, inferFirst<ExpandShapeOp>>(
      context);
  attachPrecision<CollapseShapeOp, Class::Data, inferFirst<CollapseShapeOp>>(
      context);
  attachPrecision<ReshapeOp, Class::Data, inferFirst<ReshapeOp>>(context);
  attachPrecision<tensor::CastOp, Class::Data, inferFirst<tensor::CastOp>>(
      context);
  attachPrecision<ExtractSliceOp, Class::Data, inferFirst<ExtractSliceOp>>(
      context);
  attachPrecision<InsertSliceOp, Class::Promote, insertRule>(context);
  attachPrecision<ConcatOp, Class::Promote, inferJoin<ConcatOp>>(context);
  attachPrecision<PadOp, Class::Data, padRule>(context);
  attachPrecision<DimOp, Class::Data>(context);
  attachScalar<SplatOp, inferFirst<SplatOp>>(context);
  attachScalar<ExtractOp, inferFirst<ExtractOp>>(context);
  attachScalar<InsertOp, insertElementRule>(context);
  attachScalar<FromElementsOp, inferJoin<FromElementsOp>>(context);
  attachScalar<GenerateOp, inferNothing<GenerateOp>>(context);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void attachToCMA(MLIRContext *context, CMADialect *) {
  attachCMAPrecision(context);
}
static void attachToArith(MLIRContext *context, arith::ArithDialect *) {
  attachArithPrecision(context);
}
static void attachToMath(MLIRContext *context, math::MathDialect *) {
  attachMathPrecision(context);
}
static void attachToTensor(MLIRContext *context, tensor::TensorDialect *) {
  attachTensorPrecision(context);
}

void cma::registerPrecisionOpModels(DialectRegistry &registry) {
  // An extension is known by its function: adding it twice is adding it once.
  registry.addExtension(attachToCMA);
  registry.addExtension(attachToArith);
  registry.addExtension(attachToMath);
  registry.addExtension(attachToTensor);
}
