//===- U128Test.cpp - Saturating 128-bit counts ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests the counts that costs are reported in.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/U128.h"

#include "gtest/gtest.h"

using namespace cma;

namespace {

U128 power(uint64_t base, unsigned exponent) {
  U128 result(1);
  for (unsigned i = 0; i < exponent; ++i)
    result *= U128(base);
  return result;
}

TEST(U128, CountsBeyond64Bits) {
  EXPECT_EQ(U128(0).str(), "0");
  EXPECT_EQ(power(2, 64).str(), "18446744073709551616");
  EXPECT_EQ(power(10, 38).str(), "1" + std::string(38, '0'));
  EXPECT_EQ((power(2, 64) + U128(UINT64_MAX)).str(), "36893488147419103231");
  EXPECT_EQ(power(2, 127).toDouble(), 0x1p127);
}

TEST(U128, Saturates) {
  U128 largest = U128::fromParts(UINT64_MAX, UINT64_MAX);
  EXPECT_FALSE(largest.isSaturated());
  EXPECT_EQ(largest.str(), "340282366920938463463374607431768211455");
  EXPECT_TRUE((largest + U128(1)).isSaturated());
  EXPECT_FALSE((largest + U128(0)).isSaturated());
  EXPECT_TRUE(power(2, 128).isSaturated());
  EXPECT_EQ(power(2, 128).str(), largest.str());
  EXPECT_TRUE((power(2, 128) + U128(0)).isSaturated());
  EXPECT_EQ(power(2, 127) + power(2, 127), U128::saturated());
  // 2^64 - 1 times 2^64 + 1 is the largest value.
  EXPECT_EQ(U128(UINT64_MAX) * (power(2, 64) + U128(1)), largest);
}

TEST(U128, ReadsWhatItWrote) {
  for (U128 value :
       {U128(0), U128(7), power(2, 53) + U128(1), power(10, 38),
        U128::fromParts(UINT64_MAX, UINT64_MAX - 1), U128::saturated()})
    EXPECT_EQ(U128::parse(value.str()), value);
  EXPECT_EQ(U128::parse("007"), U128(7));
  for (const char *bad : {"", " 1", "1 ", "-1", "+1", "1.0", "1e3", "0x1", "a",
                          "340282366920938463463374607431768211456",
                          "3402823669209384634633746074317682114550"})
    EXPECT_EQ(U128::parse(bad), std::nullopt) << bad;
}

TEST(U128, ZeroTimesAnythingIsExact) {
  EXPECT_EQ(U128::saturated() * U128(0), U128(0));
  EXPECT_EQ(U128(0) * U128::saturated(), U128(0));
}

TEST(U128, Orders) {
  EXPECT_LT(U128(5), power(2, 64));
  EXPECT_LT(U128::fromParts(UINT64_MAX, UINT64_MAX), U128::saturated());
  EXPECT_GE(U128(7), U128(7));
  EXPECT_NE(U128(7), U128(8));
}

} // namespace
