//===- FloatExpansion.cpp - Conversions as integer arithmetic -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes conversions of floats as operations on their bits. There are
// no branches and no tables: each op works on vectors as well as on scalars.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/FloatExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

using Predicate = arith::CmpIPredicate;

namespace {
/// A binary format below f64 and where its parts are.
struct Format {
  int64_t width, mantissa, bias;
  bool hasInfinity;

  static Format get(Type type) {
    if (type.isF32())
      return {32, 23, 127, true};
    if (type.isTF32()) // without the 13 zeros that f32 has behind it
      return {19, 10, 127, true};
    if (type.isBF16())
      return {16, 7, 127, true};
    if (type.isF16())
      return {16, 10, 15, true};
    if (isa<Float8E5M2Type>(type))
      return {8, 2, 15, true};
    assert(isa<Float8E4M3FNType>(type) && "expected a storage float");
    return {8, 3, 7, false};
  }

  int64_t getSign() const { return int64_t(1) << (width - 1); }
  int64_t getMagnitude() const { return getSign() - 1; }
  /// All exponent bits: infinity where there is one.
  int64_t getExponent() const {
    return getMagnitude() & -(int64_t(1) << mantissa);
  }
  /// A NaN that is quiet.
  int64_t getNaN() const {
    return hasInfinity ? getExponent() | int64_t(1) << (mantissa - 1)
                       : getMagnitude();
  }
  int64_t getLargest() const {
    return hasInfinity ? getExponent() - 1 : getMagnitude() - 1;
  }
  /// What a value beyond the largest finite one becomes.
  int64_t getOverflow() const { return hasInfinity ? getExponent() : getNaN(); }
  /// Exponent of the smallest normal value, and of the smallest value.
  int64_t getMinExponent() const { return 1 - bias; }
  int64_t getMinSubnormal() const { return getMinExponent() - mantissa; }
};
} // namespace

/// Bits of the f32 2^exponent, a normal value.
static int64_t powerOfTwo(int64_t exponent) { return (exponent + 127) << 23; }

//===----------------------------------------------------------------------===//
// Spelling
//===----------------------------------------------------------------------===//

/// `type` with other elements; a scalar becomes a scalar.
static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

Value FloatExpander::integer(Value like, int64_t value) {
  Type element = getElementTypeOrSelf(like.getType());
  TypedAttr attr = b.getIntegerAttr(element, value);
  if (auto shaped = dyn_cast<ShapedType>(like.getType()))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(b, attr);
}

Value FloatExpander::bitsOf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type bits = b.getIntegerType(element.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(b, withElement(value.getType(), bits), value);
}

Value FloatExpander::asFloat(Value bits, Type element) {
  return arith::BitcastOp::create(b, withElement(bits.getType(), element),
                                  bits);
}

/// `bits` as unsigned integers of `width`.
Value FloatExpander::resize(Value bits, unsigned width) {
  unsigned from = getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
  Type type = withElement(bits.getType(), b.getIntegerType(width));
  if (from < width)
    return arith::ExtUIOp::create(b, type, bits);
  if (from > width)
    return arith::TruncIOp::create(b, type, bits);
  return bits;
}

Value FloatExpander::conjunction(Value x, int64_t mask) {
  return arith::AndIOp::create(b, x, integer(x, mask));
}
Value FloatExpander::disjunction(Value x, Value y) {
  return arith::OrIOp::create(b, x, y);
}
Value FloatExpander::plus(Value x, int64_t y) {
  return arith::AddIOp::create(b, x, integer(x, y));
}
Value FloatExpander::plus(Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
Value FloatExpander::left(Value x, int64_t count) {
  return count == 0 ? x : arith::ShLIOp::create(b, x, integer(x, count));
}
Value FloatExpander::right(Value x, int64_t count) {
  return count == 0 ? x : arith::ShRUIOp::create(b, x, integer(x, count));
}
Value FloatExpander::choose(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}
Value FloatExpander::compare(Predicate predicate, Value x, int64_t y) {
  return arith::CmpIOp::create(b, predicate, x, integer(x, y));
}
Value FloatExpander::isNaN(Value x) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
}

//===----------------------------------------------------------------------===//
// Widening
//===----------------------------------------------------------------------===//

Value FloatExpander::extend(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Format from = Format::get(element);
  Value bits = resize(bitsOf(value), 32);
  Type f32 = b.getF32Type();
  if (element.isBF16())
    return asFloat(left(bits, 16), f32);

  int64_t up = 23 - from.mantissa, rebias = (127 - from.bias) << 23;
  Value magnitude = conjunction(bits, from.getMagnitude());
  Value normal = plus(left(magnitude, up), rebias);
  // Infinity and NaN have the largest exponent in f32, too.
  if (from.hasInfinity)
    normal = choose(compare(Predicate::uge, magnitude, from.getExponent()),
                    plus(normal, (128 - from.bias - 1) << 23), normal);
  else
    normal = choose(compare(Predicate::eq, magnitude, from.getNaN()),
                    integer(normal, 0x7fc00000), normal);
  // A subnormal value is its mantissa in units of the smallest one.
  Value count = arith::SIToFPOp::create(
      b, withElement(magnitude.getType(), f32), magnitude);
  Value subnormal = bitsOf(arith::MulFOp::create(
      b, count,
      asFloat(integer(magnitude, powerOfTwo(from.getMinSubnormal())), f32)));
  Value isSubnormal =
      compare(Predicate::ult, magnitude, int64_t(1) << from.mantissa);
  Value result = choose(isSubnormal, subnormal, normal);
  Value sign = left(conjunction(bits, from.getSign()), 32 - from.width);
  return asFloat(disjunction(result, sign), f32);
}

//===----------------------------------------------------------------------===//
// Narrowing from f32
//===----------------------------------------------------------------------===//

/// Cuts `drop` bits off the magnitude or rounds them to nearest even, without
/// the shift. A carry goes on into the exponent, as it should.
Value FloatExpander::roundBits(Value bits, int64_t drop, FloatRounding round) {
  if (round == FloatRounding::TowardZero)
    return bits;
  Value odd = conjunction(right(bits, drop), 1);
  return plus(plus(bits, (int64_t(1) << (drop - 1)) - 1), odd);
}

/// For formats with the exponents of f32: the upper bits of the result.
Value FloatExpander::dropMantissa(Value value, int64_t mantissa,
                                  FloatRounding round) {
  Value bits = bitsOf(value);
  Value rounded = roundBits(bits, 23 - mantissa, round);
  // A NaN whose payload is cut off would become infinity.
  Value quiet = disjunction(bits, integer(bits, 0x400000));
  return choose(isNaN(value), quiet, rounded);
}

Value FloatExpander::roundToTF32(Value value, FloatRounding round) {
  Value bits = dropMantissa(value, 10, round);
  return asFloat(conjunction(bits, ~int64_t(0x1fff)), b.getF32Type());
}

Value FloatExpander::truncate(Value value, Type element, FloatRounding round) {
  if (element.isBF16())
    return asFloat(resize(right(dropMantissa(value, 7, round), 16), 16),
                   element);
  Format to = Format::get(element);
  Type f32 = b.getF32Type();
  Value bits = bitsOf(value);
  Value magnitude = conjunction(bits, 0x7fffffff);
  int64_t drop = 23 - to.mantissa;

  // Both the count of the smallest values and the code of a normal one.
  Value normal = plus(right(roundBits(magnitude, drop, round), drop),
                      -((127 - to.bias) << to.mantissa));
  Value subnormal;
  Value absolute = asFloat(magnitude, f32);
  if (round == FloatRounding::NearestEven) {
    // The last place of this sum is the smallest value of the target.
    int64_t magic = powerOfTwo(to.getMinSubnormal() + 23);
    Value sum = arith::AddFOp::create(b, absolute,
                                      asFloat(integer(magnitude, magic), f32));
    subnormal = plus(bitsOf(sum), -magic);
  } else {
    // Only values below the smallest normal one are used.
    Value limit = integer(magnitude, powerOfTwo(to.getMinExponent()));
    Value below = arith::MinUIOp::create(b, magnitude, limit);
    Value scaled = arith::MulFOp::create(
        b, asFloat(below, f32),
        asFloat(integer(magnitude, powerOfTwo(-to.getMinSubnormal())), f32));
    subnormal = arith::FPToSIOp::create(b, magnitude.getType(), scaled);
  }
  Value isSubnormal =
      compare(Predicate::ult, magnitude, powerOfTwo(to.getMinExponent()));
  Value code = choose(isSubnormal, subnormal, normal);
  code = choose(
      compare(Predicate::ugt, magnitude, getLargestRounded(element, round)),
      overflowCode(magnitude, element, round), code);
  code = choose(isNaN(value), integer(code, to.getNaN()), code);
  Value sign = right(conjunction(bits, int64_t(1) << 31), 32 - to.width);
  return asFloat(resize(disjunction(code, sign), to.width), element);
}

/// Bits of the largest f32 that rounds to a finite value of `element`.
int64_t FloatExpander::getLargestRounded(Type element, FloatRounding round) {
  Format to = Format::get(element);
  int64_t largest = (to.getLargest() + ((127 - to.bias) << to.mantissa))
                    << (23 - to.mantissa);
  int64_t ulp = int64_t(1) << (23 - to.mantissa);
  if (round == FloatRounding::TowardZero)
    return largest + ulp - 1;
  // Half way is still finite where the largest value is even.
  return to.getLargest() % 2 ? largest + ulp / 2 - 1 : largest + ulp / 2;
}

/// The code for a magnitude beyond the largest finite value.
Value FloatExpander::overflowCode(Value magnitude, Type element,
                                  FloatRounding round) {
  Format to = Format::get(element);
  Value overflow = integer(magnitude, to.getOverflow());
  if (round == FloatRounding::NearestEven)
    return overflow;
  return choose(compare(Predicate::eq, magnitude, 0x7f800000), overflow,
                integer(magnitude, to.getLargest()));
}

//===----------------------------------------------------------------------===//
// Narrowing from f64
//===----------------------------------------------------------------------===//

Value FloatExpander::narrowDouble(Value value, bool sticky) {
  Type narrow = withElement(value.getType(), b.getF32Type());
  Value nearest = arith::TruncFOp::create(b, narrow, value);
  Value back = arith::ExtFOp::create(b, value.getType(), nearest);
  // Magnitudes compare as their bits do. Infinity that came from a finite value
  // steps back to the largest one.
  Value before = conjunction(bitsOf(value), INT64_MAX);
  Value after = conjunction(bitsOf(back), INT64_MAX);
  auto compareBits = [&](Predicate predicate) -> Value {
    return arith::CmpIOp::create(b, predicate, after, before);
  };
  Value bits = bitsOf(nearest);
  Value cut = choose(compareBits(Predicate::ugt), plus(bits, -1), bits);
  if (sticky)
    cut = choose(compareBits(Predicate::ne), disjunction(cut, integer(cut, 1)),
                 cut);
  return choose(isNaN(value), nearest, asFloat(cut, b.getF32Type()));
}

//===----------------------------------------------------------------------===//
// Stochastic rounding
//===----------------------------------------------------------------------===//

Value FloatExpander::roundStochastically(Value value, Type element, Value noise,
                                         bool saturate) {
  Format to = Format::get(element);
  bool isDouble = getElementTypeOrSelf(value.getType()).isF64();
  int64_t width = isDouble ? 64 : 32, mantissa = isDouble ? 52 : 23;
  int64_t bias = isDouble ? 1023 : 127;
  Value bits = resize(bitsOf(value), 64);
  int64_t largest = width == 64 ? INT64_MAX : (int64_t(1) << 31) - 1;
  Value magnitude = conjunction(bits, largest);

  // The value is significand * 2^(exponent - mantissa).
  Value field = right(magnitude, mantissa);
  Value fraction = conjunction(magnitude, (int64_t(1) << mantissa) - 1);
  Value isNormal = compare(Predicate::ne, field, 0);
  Value significand =
      choose(isNormal,
             disjunction(fraction, integer(fraction, int64_t(1) << mantissa)),
             fraction);
  Value exponent =
      arith::MaxSIOp::create(b, plus(field, -bias), integer(field, 1 - bias));
  // The place where the target's last bit stands is `drop` bits up.
  Value kept = arith::MaxSIOp::create(b, exponent,
                                      integer(exponent, to.getMinExponent()));
  Value drop =
      plus(arith::SubIOp::create(b, kept, exponent), mantissa - to.mantissa);
  auto shiftRight = [&](Value count) -> Value {
    Value limited = arith::MinSIOp::create(b, count, integer(count, 63));
    limited = arith::MaxSIOp::create(b, limited, integer(count, 0));
    return arith::ShRUIOp::create(b, significand, limited);
  };
  Value whole = shiftRight(drop);
  // The part that is cut off, in units of 2^-32 of that place.
  Value lack = arith::SubIOp::create(b, integer(drop, 32), drop);
  lack = arith::MaxSIOp::create(b, lack, integer(drop, 0));
  Value part =
      choose(compare(Predicate::sge, drop, 32), shiftRight(plus(drop, -32)),
             arith::ShLIOp::create(b, significand, lack));
  part = conjunction(part, 0xffffffff);
  Value up = arith::CmpIOp::create(b, Predicate::ult, resize(noise, 64), part);
  Value rounded = plus(whole, resize(up, 64));
  // A carry goes on into the exponent.
  Value code = plus(left(plus(kept, to.bias - 1), to.mantissa), rounded);

  code = choose(compare(Predicate::sgt, code, to.getLargest()),
                integer(code, saturate ? to.getLargest() : to.getOverflow()),
                code);
  code = choose(isNaN(value), integer(code, to.getNaN()), code);
  Value sign = left(conjunction(right(bits, width - 1), 1), to.width - 1);
  code = disjunction(code, sign);
  if (element.isTF32())
    return asFloat(resize(left(code, 13), 32), b.getF32Type());
  return asFloat(resize(code, to.width), element);
}
