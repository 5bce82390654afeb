//===- RandomTest.cpp - Tests of the random streams -----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox against the known answers of Random123, the streams against values
// from a separate implementation in Python (big integers and the math module)
// of the rules in Random.h, and the statistics of the initialisers.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Random.h"
#include "cma/Runtime/Initializer.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace cma;

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, KeysFollowTheDocumentedHash) {
  EXPECT_EQ(RandomStream(0, "").getKey(), (PhiloxKey{0xa2367c13, 0x813f0174}));
  EXPECT_EQ(RandomStream(1, "w").getKey(), (PhiloxKey{0xb7243c77, 0xfc001aa9}));
  EXPECT_EQ(RandomStream(UINT64_MAX, "layer1.core0").getKey(),
            (PhiloxKey{0x729c15e4, 0x523faf91}));
}

TEST(RandomStream, DrawsFollowTheDocumentedRules) {
  RandomStream stepped(1, "w", 7);
  EXPECT_EQ(stepped.words(0),
            (PhiloxBlock{3717755734u, 1997447241u, 670087905u, 3030774152u}));
  uint64_t far = (uint64_t(1) << 32) + 5;
  EXPECT_EQ(stepped.words(far),
            (PhiloxBlock{4047888479u, 1533892891u, 457211956u, 2944781822u}));
  RandomStream stream(1, "w");
  EXPECT_EQ(stream.unit(0), 0x1.7f03b3657add4p-1);
  EXPECT_EQ(stream.unit(far), 0x1.d16c18228f554p-3);
  EXPECT_EQ(stream.uniform(0, -1, 2), 0x1.3e858d18384bep+0);
  EXPECT_EQ(stream.uniform(1, -1, 2), 0x1.931305dcd5f3cp-1);
  // log and cos may differ in the last bit between mathematical libraries.
  EXPECT_NEAR(stream.normal(0, 0.5), -0x1.219aa90e5ec7cp-3, 1e-15);
  EXPECT_NEAR(stream.normal(1, 0.5), 0x1.caaa8ef6deb2dp-3, 1e-15);
  EXPECT_NEAR(stream.normal(far, 0.5), -0x1.b8dc6d3e0cef8p-3, 1e-15);
}

TEST(RandomStream, ShufflesAsDocumented) {
  EXPECT_EQ(RandomStream(1, "shuffle", 0).shuffle(10),
            (std::vector<int64_t>{0, 7, 4, 1, 5, 9, 3, 2, 8, 6}));
  EXPECT_EQ(RandomStream(1, "shuffle", 1).shuffle(10),
            (std::vector<int64_t>{4, 2, 7, 3, 9, 1, 0, 8, 6, 5}));
  EXPECT_EQ(RandomStream(2, "shuffle", 0).shuffle(10),
            (std::vector<int64_t>{8, 6, 2, 0, 9, 5, 7, 3, 1, 4}));
  EXPECT_TRUE(RandomStream(1, "shuffle").shuffle(0).empty());
  EXPECT_EQ(RandomStream(1, "shuffle").shuffle(1), std::vector<int64_t>{0});
  std::vector<int64_t> order = RandomStream(3, "shuffle").shuffle(1000);
  std::sort(order.begin(), order.end());
  for (int64_t i = 0; i < 1000; ++i)
    ASSERT_EQ(order[i], i);
}

/// Mean and standard deviation of an f32 tensor.
static std::pair<double, double> measure(const std::vector<float> &values) {
  double n = static_cast<double>(values.size());
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (float value : values)
    sum += (value - mean) * (value - mean);
  return {mean, std::sqrt(sum / n)};
}

static std::vector<float> draw(const Initializer &rule,
                               const std::vector<int64_t> &shape) {
  std::vector<float> values(*countElements(shape), -7);
  EXPECT_TRUE(
      fill(rule, RandomStream(1, "w"), StorageType::F32, shape, values.data())
          .ok());
  return values;
}

TEST(Initializer, HasTheAskedMoments) {
  auto [mean, deviation] =
      measure(draw({Initializer::Kind::Normal, 0.02}, {100, 1000}));
  EXPECT_NEAR(mean, 0, 3e-4); // 4 sigma of the mean
  EXPECT_NEAR(deviation, 0.02, 2e-4);
  std::vector<float> uniform =
      draw({Initializer::Kind::Uniform, -1, 3}, {100000});
  std::tie(mean, deviation) = measure(uniform);
  EXPECT_NEAR(mean, 1, 0.02);
  EXPECT_NEAR(deviation, 4 / std::sqrt(12.0), 0.01);
  EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), -1.0f);
  EXPECT_LE(*std::max_element(uniform.begin(), uniform.end()), 3.0f);
}

TEST(Initializer, CoresMultiplyToTheAskedDeviation) {
  // Two cores 1x200x8 and 8x200x1: sum over 8 terms of two factors.
  std::vector<float> a =
      draw({Initializer::Kind::TTCore, 0.05, 0, 2}, {1, 200, 8});
  std::vector<float> b(8 * 200);
  ASSERT_TRUE(fill({Initializer::Kind::TTCore, 0.05, 0, 2},
                   RandomStream(1, "v"), StorageType::F32, {8, 200, 1},
                   b.data())
                  .ok());
  std::vector<float> product;
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 200; ++j) {
      float sum = 0;
      for (int r = 0; r < 8; ++r)
        sum += a[i * 8 + r] * b[r * 200 + j];
      product.push_back(sum);
    }
  EXPECT_NEAR(measure(product).second, 0.05, 0.003);
}

TEST(Initializer, DependsOnNameAndSeedOnly) {
  std::vector<float> small = draw({Initializer::Kind::Normal, 1}, {3});
  std::vector<float> large = draw({Initializer::Kind::Normal, 1}, {2, 4});
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
  std::vector<float> other(3);
  ASSERT_TRUE(fill({Initializer::Kind::Normal, 1}, RandomStream(2, "w"),
                   StorageType::F32, {3}, other.data())
                  .ok());
  EXPECT_NE(small, other);
}

TEST(Initializer, IntegersTakeConstantsThatFit) {
  RandomStream stream(0, "n");
  int64_t wide = 7;
  Initializer rule{Initializer::Kind::Constant, -3};
  ASSERT_TRUE(fill(rule, stream, StorageType::I64, {}, &wide).ok());
  EXPECT_EQ(wide, -3);
  uint8_t flag = 7;
  rule.first = 1;
  ASSERT_TRUE(fill(rule, stream, StorageType::BOOL, {1}, &flag).ok());
  EXPECT_EQ(flag, 1);
  rule.first = 2;
  EXPECT_EQ(fill(rule, stream, StorageType::BOOL, {1}, &flag).message(),
            "type BOOL cannot hold the constant 2.000000");
  rule.first = 0.5;
  EXPECT_TRUE(fill(rule, stream, StorageType::I32, {}, &wide).failed());
  rule.kind = Initializer::Kind::Normal;
  EXPECT_EQ(fill(rule, stream, StorageType::I32, {}, &wide).message(),
            "expected zeros or a constant for type I32");
}
