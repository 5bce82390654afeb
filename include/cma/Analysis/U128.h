//===- U128.h - Saturating 128-bit counts -----------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the unsigned integer that costs are counted in. Eight axes
// of 4,096 already give 2^96, so 64 bits are not enough; beyond 128 bits a
// count stays at its largest value and says so.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_U128_H
#define CMA_ANALYSIS_U128_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cma {

class U128;
U128 operator+(U128 a, U128 b);
U128 operator*(U128 a, U128 b);

/// An unsigned 128-bit integer with saturating arithmetic. Zero times a
/// saturated value is an exact zero.
class U128 {
public:
  constexpr U128() = default;
  constexpr U128(uint64_t value) : low(value) {}
  static constexpr U128 fromParts(uint64_t high, uint64_t low) {
    U128 value(low);
    value.high = high;
    return value;
  }
  static constexpr U128 saturated() {
    U128 value = fromParts(~uint64_t(0), ~uint64_t(0));
    value.overflowed = true;
    return value;
  }

  constexpr uint64_t getHigh() const { return high; }
  constexpr uint64_t getLow() const { return low; }
  /// True where the exact value does not fit; the value is then 2^128 - 1.
  constexpr bool isSaturated() const { return overflowed; }

  friend U128 operator+(U128 a, U128 b);
  friend U128 operator*(U128 a, U128 b);
  U128 &operator+=(U128 other) { return *this = *this + other; }
  U128 &operator*=(U128 other) { return *this = *this * other; }

  friend constexpr bool operator==(U128 a, U128 b) {
    return a.high == b.high && a.low == b.low && a.overflowed == b.overflowed;
  }
  friend constexpr bool operator!=(U128 a, U128 b) { return !(a == b); }
  friend constexpr bool operator<(U128 a, U128 b) {
    if (a.high != b.high)
      return a.high < b.high;
    if (a.low != b.low)
      return a.low < b.low;
    return a.overflowed < b.overflowed;
  }
  friend constexpr bool operator>(U128 a, U128 b) { return b < a; }
  friend constexpr bool operator<=(U128 a, U128 b) { return !(b < a); }
  friend constexpr bool operator>=(U128 a, U128 b) { return !(a < b); }

  /// Reads what str() wrote; the largest value counts as saturated. None for
  /// anything but decimal digits and for a number beyond 128 bits.
  static std::optional<U128> parse(std::string_view digits);

  /// All decimal digits.
  std::string str() const;
  /// The nearest double, up to rounding of the two halves.
  double toDouble() const;

private:
  uint64_t high = 0;
  uint64_t low = 0;
  bool overflowed = false;
};

} // namespace cma

#endif // CMA_ANALYSIS_U128_H
