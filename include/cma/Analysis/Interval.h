//===- Interval.h - Ranges of values ----------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares intervals that hold every number a computation can give,
// whatever it rounds: bounds are computed in double and rounded away from each
// other, to the grid of the type in which a result is stored.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_INTERVAL_H
#define CMA_ANALYSIS_INTERVAL_H

#include <cstdint>
#include <limits>
#include <vector>

namespace cma {

/// A floating-point format: significant bits, with the implicit one, and the
/// exponents of the smallest normal and of the largest number.
struct FloatFormat {
  int precision, minExponent, maxExponent;
  double largest;

  bool operator==(const FloatFormat &other) const {
    return precision == other.precision && maxExponent == other.maxExponent &&
           largest == other.largest;
  }
};

inline constexpr FloatFormat kF64Format = {53, -1022, 1023,
                                           std::numeric_limits<double>::max()};
inline constexpr FloatFormat kF32Format = {24, -126, 127, 0x1.fffffep127};
inline constexpr FloatFormat kTF32Format = {11, -126, 127, 0x1.ffcp127};
inline constexpr FloatFormat kBF16Format = {8, -126, 127, 0x1.fep127};
inline constexpr FloatFormat kF16Format = {11, -14, 15, 65504};
inline constexpr FloatFormat kF8E5M2Format = {3, -14, 15, 57344};
inline constexpr FloatFormat kF8E4M3FNFormat = {4, -6, 8, 448};

/// The numbers from `low` to `high`, infinities included where they are bounds.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool mayBeNaN = true;

  static Interval unbounded() { return {}; }
  static Interval point(double value) { return {value, value, false}; }
  static Interval between(double low, double high) {
    return {low, high, false};
  }
  /// Of all `numbers`; from 0 to 0 where none is a number.
  static Interval around(const std::vector<double> &numbers);
  /// From -magnitude to magnitude.
  static Interval symmetric(double magnitude) {
    return {-magnitude, magnitude, false};
  }

  /// Whether every number is known to be finite.
  bool isFinite() const;
  /// Whether a number at 0, or beyond 0, is possible.
  bool containsZero() const { return low <= 0 && high >= 0; }
  bool mayBeInfinite() const;
  double getMagnitude() const;
  bool contains(double value) const;
};

/// All numbers of both.
Interval join(Interval a, Interval b);

/// What is left of `a` where numbers beyond `bounds`, which are finite, become
/// those.
Interval clamp(Interval a, Interval bounds);

/// Bounds on the grid of `format`, away from each other. A bound beyond the
/// format's largest number stays where it is, except that f32 and f64 have
/// nothing there but infinity.
Interval roundOutward(Interval x, const FloatFormat &format);

/// Wider by that part of the magnitude and by that much.
Interval widen(Interval x, double relative, double absolute = 0);

/// Whether a number of the interval, rounded to nearest, leaves the finite
/// numbers of `format`. Not where a bound is infinite: nothing is known then.
bool isKnownToOverflow(Interval x, const FloatFormat &format);
/// Whether none does.
bool isKnownToFit(Interval x, const FloatFormat &format);

Interval add(Interval a, Interval b);
Interval subtract(Interval a, Interval b);
Interval multiply(Interval a, Interval b);
Interval divide(Interval a, Interval b);
Interval negate(Interval a);
Interval absolute(Interval a);
/// NaN where an operand is NaN.
Interval maximum(Interval a, Interval b);
Interval minimum(Interval a, Interval b);
Interval squareRoot(Interval a);

/// Sum of `count` numbers of `a` in f32, in any order.
Interval sum(Interval a, double count);

/// `function`, which does not fall, computed with a relative error of up to
/// `relative`.
Interval applyIncreasing(Interval a, double (*function)(double),
                         double relative);

} // namespace cma

#endif // CMA_ANALYSIS_INTERVAL_H
