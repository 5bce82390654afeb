//===- U128.cpp - Saturating 128-bit counts -------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements saturating 128-bit arithmetic on the compilers' own
// 128-bit type, which stays out of the public header.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/U128.h"

#include <algorithm>

using namespace cma;

namespace {
using Native = unsigned __int128;
} // namespace

static Native toNative(U128 value) {
  return Native(value.getHigh()) << 64 | value.getLow();
}

static U128 fromNative(Native value) {
  return U128::fromParts(static_cast<uint64_t>(value >> 64),
                         static_cast<uint64_t>(value));
}

U128 cma::operator+(U128 a, U128 b) {
  Native sum;
  if (a.overflowed || b.overflowed ||
      __builtin_add_overflow(toNative(a), toNative(b), &sum))
    return U128::saturated();
  return fromNative(sum);
}

U128 cma::operator*(U128 a, U128 b) {
  // An exact zero factor makes the product exact, however large the other.
  if (a == U128(0) || b == U128(0))
    return U128(0);
  if (a.overflowed || b.overflowed)
    return U128::saturated();
  Native x = toNative(a), y = toNative(b);
  if (x > ~Native(0) / y)
    return U128::saturated();
  return fromNative(x * y);
}

std::optional<U128> U128::parse(std::string_view digits) {
  Native value = 0;
  for (char c : digits) {
    unsigned digit = static_cast<unsigned char>(c) - '0';
    if (digit > 9 || __builtin_mul_overflow(value, Native(10), &value) ||
        __builtin_add_overflow(value, Native(digit), &value))
      return std::nullopt;
  }
  if (digits.empty())
    return std::nullopt;
  return value == ~Native(0) ? saturated() : fromNative(value);
}

std::string U128::str() const {
  Native rest = toNative(*this);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

double U128::toDouble() const {
  return static_cast<double>(high) * 18446744073709551616.0 +
         static_cast<double>(low);
}
