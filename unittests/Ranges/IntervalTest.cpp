//===- IntervalTest.cpp - Intervals ---------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests intervals on known answers.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/Interval.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace cma;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Interval, RoundsAwayFromEachOther) {
  Interval x = roundOutward(Interval::between(-0.1, 0.1), kF16Format);
  EXPECT_EQ(x.high, 0.0999755859375 + 0x1p-14);
  EXPECT_EQ(x.low, -x.high);
  // What a type holds stays; less than the smallest number becomes that.
  x = roundOutward(Interval::between(-8, 65504), kF16Format);
  EXPECT_EQ(x.low, -8);
  EXPECT_EQ(x.high, 65504);
  x = roundOutward(Interval::between(0, 1e-30), kF16Format);
  EXPECT_EQ(x.low, 0);
  EXPECT_EQ(x.high, 0x1p-24);
  x = roundOutward(Interval::between(0, 1e39), kF32Format);
  EXPECT_EQ(x.high, inf);
}

TEST(Interval, HoldsNumbers) {
  Interval x = Interval::around({3, -1, 2});
  EXPECT_EQ(x.low, -1);
  EXPECT_EQ(x.high, 3);
  EXPECT_FALSE(x.mayBeNaN);
  x = Interval::around({NAN, 2});
  EXPECT_EQ(x.low, 2);
  EXPECT_EQ(x.high, 2);
  EXPECT_TRUE(x.mayBeNaN);
  // Where there is no number, the bounds do not cross.
  for (const std::vector<double> &numbers : {std::vector<double>(), {NAN}}) {
    x = Interval::around(numbers);
    EXPECT_EQ(x.low, 0);
    EXPECT_EQ(x.high, 0);
    EXPECT_EQ(x.mayBeNaN, !numbers.empty());
  }
  x = clamp(Interval::between(10, inf), Interval::symmetric(2));
  EXPECT_EQ(x.low, 2);
  EXPECT_EQ(x.high, 2);
}

TEST(Interval, KnowsWhereTypesEnd) {
  EXPECT_TRUE(isKnownToFit(Interval::symmetric(65519.99), kF16Format));
  EXPECT_FALSE(isKnownToFit(Interval::symmetric(65520), kF16Format));
  EXPECT_TRUE(isKnownToOverflow(Interval::between(0, 65520), kF16Format));
  EXPECT_FALSE(isKnownToOverflow(Interval::unbounded(), kF16Format));
  EXPECT_FALSE(isKnownToFit(Interval::unbounded(), kF16Format));
  EXPECT_TRUE(isKnownToFit(Interval::symmetric(3.39e38), kBF16Format));
  EXPECT_FALSE(isKnownToFit(Interval::symmetric(3.4e38), kBF16Format));
  EXPECT_TRUE(isKnownToFit(Interval::symmetric(61439), kF8E5M2Format));
  EXPECT_FALSE(isKnownToFit(Interval::symmetric(61440), kF8E5M2Format));
  EXPECT_TRUE(isKnownToFit(Interval::symmetric(463), kF8E4M3FNFormat));
  EXPECT_FALSE(isKnownToFit(Interval::symmetric(465), kF8E4M3FNFormat));
}

/// 1023 products of 64 fit f16 in any order of summation, 1024 do not.
TEST(Interval, ProvesContractions) {
  Interval product = multiply(Interval::symmetric(8), Interval::symmetric(8));
  EXPECT_TRUE(isKnownToFit(sum(product, 1023), kF16Format));
  EXPECT_FALSE(isKnownToFit(sum(product, 1024), kF16Format));
  EXPECT_TRUE(isKnownToOverflow(sum(product, 1024), kF16Format));
  EXPECT_FALSE(sum(product, 0x1p24).isFinite());
  EXPECT_EQ(sum(Interval::unbounded(), 0).high, 0);
}

TEST(Interval, FollowsInfinityAndNaN) {
  Interval unknown = Interval::between(-inf, inf);
  EXPECT_TRUE(add(unknown, unknown).mayBeNaN);
  EXPECT_TRUE(
      subtract(Interval::between(0, inf), Interval::between(0, inf)).mayBeNaN);
  EXPECT_FALSE(
      add(Interval::between(0, inf), Interval::between(0, inf)).mayBeNaN);
  EXPECT_TRUE(multiply(Interval::point(0), unknown).mayBeNaN);
  EXPECT_TRUE(divide(Interval::point(1), Interval::between(-1, 1)).mayBeNaN);
  EXPECT_FALSE(divide(Interval::point(1), Interval::between(1, 2)).mayBeNaN);
  EXPECT_TRUE(squareRoot(Interval::between(-1, 1)).mayBeNaN);
  EXPECT_EQ(squareRoot(Interval::between(0, 9)).high, 3);
  EXPECT_TRUE(maximum(Interval::unbounded(), Interval::point(0)).mayBeNaN);
  EXPECT_TRUE(Interval::unbounded().contains(NAN));
  EXPECT_FALSE(Interval::symmetric(1).contains(NAN));
}

} // namespace
