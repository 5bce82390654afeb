//===- MathTest.cpp - Elementary functions are exact enough ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file compares compiled elementary functions with the C library in double
// precision.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace cma;
using namespace cma::test;

/// A function that applies `op` to `count` elements.
static std::string makeText(const std::string &op, const std::string &type,
                            size_t count) {
  std::string tensor = "tensor<" + std::to_string(count) + "x" + type + ">";
  return "func.func @f(%x: " + tensor + ") -> " + tensor + " {\n  %y = math." +
         op + " %x : " + tensor + "\n  return %y : " + tensor + "\n}\n";
}

template <typename T>
static std::vector<T> apply(const std::string &op, const std::vector<T> &x) {
  const char *type = sizeof(T) == 4 ? "f32" : "f64";
  CompiledText text(makeText(op, type, x.size()));
  if (!text)
    return {};
  Call call(text.lookup("f"));
  call.set(0, x);
  EXPECT_EQ(call.run(), 0);
  return call.get<T>(1);
}

/// `count` points from `low` to `high`.
template <typename T>
static std::vector<T> spread(double low, double high, size_t count) {
  std::vector<T> points(count);
  for (size_t i = 0; i < count; ++i)
    points[i] = T(low + (high - low) * i / (count - 1));
  return points;
}

/// Expects every |f(x) - reference(x)| <= ulps units in the last place.
template <typename T>
static void expectClose(const std::string &op, double (*reference)(double),
                        const std::vector<T> &x, double ulps) {
  std::vector<T> y = apply(op, x);
  ASSERT_EQ(y.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = reference(x[i]);
    double unit =
        std::max<double>(std::numeric_limits<T>::min(), std::abs(exact)) *
        std::numeric_limits<T>::epsilon();
    ASSERT_LE(std::abs(y[i] - exact), ulps * unit)
        << op << " of " << x[i] << " gave " << y[i] << ", expected " << exact;
  }
}

static double rsqrt(double x) { return 1 / std::sqrt(x); }

TEST(Math, PolynomialsOfF32) {
  expectClose<float>("exp", std::exp, spread<float>(-87, 88, 10001), 2);
  expectClose<float>("tanh", std::tanh, spread<float>(-9, 9, 10001), 6);
  expectClose<float>("erf", std::erf, spread<float>(-4, 4, 10001), 6);
  expectClose<float>("log", std::log, spread<float>(1e-6, 100, 10001), 2);
}

TEST(Math, OthersOfF32) {
  // An odd count: the last elements fill no vector.
  expectClose<float>("rsqrt", rsqrt, spread<float>(1e-3, 1e3, 37), 2);
  expectClose<float>("sqrt", std::sqrt, spread<float>(0, 1e3, 37), 1);
  expectClose<float>("sin", std::sin, spread<float>(-100, 100, 37), 2);
  expectClose<float>("cos", std::cos, spread<float>(-100, 100, 37), 2);
  expectClose<float>("expm1", std::expm1, spread<float>(-1e-3, 1e-3, 37), 2);
  expectClose<float>("log1p", std::log1p, spread<float>(-1e-3, 1e-3, 37), 2);
  expectClose<float>("atan", std::atan, spread<float>(-5, 5, 37), 2);
}

TEST(Math, F64IsNotApproximated) {
  expectClose<double>("exp", std::exp, spread<double>(-700, 700, 1001), 2);
  expectClose<double>("tanh", std::tanh, spread<double>(-9, 9, 1001), 3);
  expectClose<double>("erf", std::erf, spread<double>(-4, 4, 1001), 3);
  expectClose<double>("log", std::log, spread<double>(1e-6, 100, 1001), 2);
  expectClose<double>("rsqrt", rsqrt, spread<double>(1e-3, 1e3, 37), 2);
  expectClose<double>("log1p", std::log1p, spread<double>(-1e-9, 1e-9, 37), 2);
}

TEST(Math, NonFiniteStaysVisible) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x = {inf, -inf, nan, 0, 100, -200, 1, -1};
  std::vector<float> y = apply<float>("exp", x);
  EXPECT_EQ(y[0], inf);
  EXPECT_EQ(y[1], 0);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], 1);
  EXPECT_EQ(y[4], inf);
  EXPECT_EQ(y[5], 0);
  y = apply<float>("log", x);
  EXPECT_EQ(y[0], inf);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], -inf);
  EXPECT_TRUE(std::isnan(y[7]));
  y = apply<float>("tanh", x);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], -1);
  EXPECT_TRUE(std::isnan(y[2]));
  y = apply<float>("erf", x);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], -1);
  EXPECT_TRUE(std::isnan(y[2]));
}
