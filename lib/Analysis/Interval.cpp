//===- Interval.cpp - Ranges of values ------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file computes with intervals.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/Interval.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace cma;

static constexpr double inf = std::numeric_limits<double>::infinity();

// Bounds are computed to nearest in double. Rounding keeps order, so that this
// bounds a result that was rounded to nearest in double, too; and a result in a
// narrower type after roundOutward().

/// Bounds from computed candidates; a NaN stands for 0 times infinity.
static Interval hull(std::initializer_list<double> candidates, bool mayBeNaN) {
  Interval result{inf, -inf, mayBeNaN};
  for (double candidate : candidates) {
    if (std::isnan(candidate))
      candidate = 0;
    result.low = std::min(result.low, candidate);
    result.high = std::max(result.high, candidate);
  }
  return result;
}

Interval Interval::around(const std::vector<double> &numbers) {
  Interval result{inf, -inf, false};
  for (double number : numbers)
    result = std::isnan(number)
                 ? Interval{result.low, result.high, true}
                 : join(result, {number, number, result.mayBeNaN});
  // Bounds that cross would make others of what is computed with them.
  return result.low <= result.high ? result : Interval{0, 0, result.mayBeNaN};
}

bool Interval::isFinite() const {
  return !mayBeNaN && std::isfinite(low) && std::isfinite(high);
}

bool Interval::mayBeInfinite() const {
  return std::isinf(low) || std::isinf(high);
}

double Interval::getMagnitude() const {
  return std::max(std::fabs(low), std::fabs(high));
}

bool Interval::contains(double value) const {
  return std::isnan(value) ? mayBeNaN : low <= value && value <= high;
}

Interval cma::join(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high),
          a.mayBeNaN || b.mayBeNaN};
}

Interval cma::clamp(Interval a, Interval bounds) {
  return {std::clamp(a.low, bounds.low, bounds.high),
          std::clamp(a.high, bounds.low, bounds.high), a.mayBeNaN};
}

/// The nearest number of `format` that is not below `x`.
static double roundUp(double x, const FloatFormat &format) {
  if (x == 0 || !std::isfinite(x))
    return x;
  int exponent = std::max(std::ilogb(x), format.minExponent);
  int scale = exponent - format.precision + 1;
  double rounded = std::ldexp(std::ceil(std::ldexp(x, -scale)), scale);
  if (rounded > format.largest)
    return format.precision >= kF32Format.precision ? inf : x;
  return rounded < -format.largest ? x : rounded;
}

Interval cma::roundOutward(Interval x, const FloatFormat &format) {
  Interval result = {-roundUp(-x.low, format), roundUp(x.high, format),
                     x.mayBeNaN};
  // What lies wholly beyond the largest number rounds to it or to infinity.
  if (format.precision >= kF32Format.precision) {
    result.low = std::min(result.low, format.largest);
    result.high = std::max(result.high, -format.largest);
  }
  return result;
}

Interval cma::widen(Interval x, double relative, double absolute) {
  double low = relative * std::fabs(x.low) + absolute;
  double high = relative * std::fabs(x.high) + absolute;
  return {std::isinf(x.low) ? x.low : std::nextafter(x.low - low, -inf),
          std::isinf(x.high) ? x.high : std::nextafter(x.high + high, inf),
          x.mayBeNaN};
}

/// The first number that rounds to infinity: half a unit above the largest.
static double getOverflowThreshold(const FloatFormat &format) {
  if (format == kF64Format)
    return inf;
  int scale = format.maxExponent - format.precision + 1;
  return format.largest + std::ldexp(0.5, scale);
}

bool cma::isKnownToOverflow(Interval x, const FloatFormat &format) {
  return !x.mayBeInfinite() && x.getMagnitude() >= getOverflowThreshold(format);
}

bool cma::isKnownToFit(Interval x, const FloatFormat &format) {
  return x.isFinite() && x.getMagnitude() < getOverflowThreshold(format);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Interval cma::add(Interval a, Interval b) {
  bool cancels =
      (a.high == inf && b.low == -inf) || (a.low == -inf && b.high == inf);
  bool mayBeNaN = a.mayBeNaN || b.mayBeNaN || cancels;
  // A lower bound is not a sum of opposite infinities: inf - inf is NaN.
  double low = a.low + b.low, high = a.high + b.high;
  return {std::isnan(low) ? -inf : low, std::isnan(high) ? inf : high,
          mayBeNaN};
}

Interval cma::negate(Interval a) { return {-a.high, -a.low, a.mayBeNaN}; }

Interval cma::subtract(Interval a, Interval b) { return add(a, negate(b)); }

Interval cma::multiply(Interval a, Interval b) {
  bool mayBeNaN = a.mayBeNaN || b.mayBeNaN ||
                  (a.mayBeInfinite() && b.containsZero()) ||
                  (b.mayBeInfinite() && a.containsZero());
  return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high},
              mayBeNaN);
}

Interval cma::divide(Interval a, Interval b) {
  // A divisor as small as f32 has none may round to 0.
  if (b.low <= 0x1p-149 && b.high >= -0x1p-149)
    return Interval::unbounded();
  bool mayBeNaN =
      a.mayBeNaN || b.mayBeNaN || (a.mayBeInfinite() && b.mayBeInfinite());
  return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high},
              mayBeNaN);
}

Interval cma::absolute(Interval a) {
  double low =
      a.containsZero() ? 0 : std::min(std::fabs(a.low), std::fabs(a.high));
  return {low, a.getMagnitude(), a.mayBeNaN};
}

Interval cma::maximum(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high),
          a.mayBeNaN || b.mayBeNaN};
}

Interval cma::minimum(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high),
          a.mayBeNaN || b.mayBeNaN};
}

Interval cma::squareRoot(Interval a) {
  double low = std::sqrt(std::max(a.low, 0.0));
  double high = std::sqrt(std::max(a.high, 0.0));
  return {low, high, a.mayBeNaN || a.low < 0};
}

Interval cma::sum(Interval a, double count) {
  if (count == 0)
    return Interval::point(0);
  constexpr double unit = 0x1p-24;
  if (count * unit > 0.5)
    return Interval::unbounded();
  // Partial sums of either sign that overflow meet as infinities.
  bool overflows = a.getMagnitude() * count > 0.99 * kF32Format.largest;
  bool cancels = a.low < 0 && a.high > 0 && overflows && count > 1;
  Interval total = {a.low * count, a.high * count, a.mayBeNaN || cancels};
  // gamma(n) = n u / (1 - n u) of the sum of the magnitudes, for any order;
  // products below the smallest number vanish.
  double gamma = count * unit / (1 - count * unit);
  double magnitude = a.getMagnitude() * count;
  if (std::isinf(magnitude))
    magnitude = kF32Format.largest;
  return widen(total, 0, gamma * magnitude + count * 0x1p-149);
}

Interval cma::applyIncreasing(Interval a, double (*function)(double),
                              double relative) {
  Interval result = {function(a.low), function(a.high), a.mayBeNaN};
  if (std::isnan(result.low))
    result.low = -inf;
  if (std::isnan(result.high))
    result.high = inf;
  return widen(result, relative + 0x1p-48, 0x1p-140);
}
