//===- LossScaleTest.cpp - The loss scale's state machine -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs compiled steps whose gradient is their data, so that overflow
// comes when the test wants it, and compares the scales with those of the
// frameworks.
//
//===----------------------------------------------------------------------===//

#include "TrainStep.h"

#include <cmath>
#include <limits>

using namespace cma;
using namespace cma::test;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The gradient of w is x.
constexpr const char *kModel = R"mlir(
func.func @f(%x: tensor<2xf32> {cma.name = "x", cma.role = "data"}, %w: tensor<2xf32> {cma.name = "w", cma.role = "parameter"})
    -> (tensor<f32> {cma.role = "loss"}) {
  %loss = cma.contract "i,i->" (%w, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
})mlir";

LossScaleSettings parse(const std::string &text) {
  LossScaleSettings settings;
  std::string error;
  EXPECT_TRUE(parseLossScale(text, settings, error)) << error;
  return settings;
}

/// A compiled step with w = 0 and lr = 1, and the scale at its start.
struct ScaledStep {
  explicit ScaledStep(const std::string &scale)
      : text(kModel, "", ("loss-scale=" + scale).c_str()),
        step(text.lookup("f_step")) {
    step.startScale(parse(scale));
    step.set<float>("w", {0, 0});
    step.set<float>("lr", {1});
    step.set<int64_t>("step", {0});
  }

  void run(float x) {
    step.set<float>("x", {1, x});
    step.run();
  }
  float getScale() const { return step.get<float>("loss_scale").front(); }

  CompiledText text;
  StepCall step;
};

/// The scale after each step, as the table of the frameworks' traces has it.
struct Trace {
  const char *setting, *scales;
};

class LossScaleTrace : public ::testing::TestWithParam<Trace> {};

TEST_P(LossScaleTrace, EqualsTheFramework) {
  const std::vector<int> overflows = {0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1};
  ScaledStep scaled(GetParam().setting);
  std::string scales;
  for (int overflow : overflows) {
    scaled.run(overflow ? kInfinity : 1);
    EXPECT_EQ(scaled.step.foundInf(), overflow == 1);
    scales += (scales.empty() ? "" : " ") +
              std::to_string(static_cast<int64_t>(scaled.getScale()));
  }
  EXPECT_EQ(scales, GetParam().scales);
  // Ten steps were applied, with a gradient of 1 in each.
  EXPECT_EQ(scaled.step.get<float>("w"), std::vector<float>({-10, -10}));
}

constexpr Trace kTraces[] = {
    {"pytorch:interval=3",
     "65536 65536 131072 65536 65536 32768 16384 16384 16384 32768 "
     "32768 32768 65536 32768"},
    {"keras:interval=3",
     "32768 32768 65536 32768 32768 16384 8192 8192 8192 16384 16384 "
     "16384 32768 16384"},
    {"megatron:init=65536,interval=3",
     "65536 65536 131072 131072 131072 65536 32768 32768 32768 65536 "
     "65536 65536 131072 131072"},
    {"dynamic:interval=3,hysteresis=2,refill=good",
     "65536 65536 131072 131072 131072 131072 65536 65536 65536 131072 "
     "131072 131072 262144 262144"},
    {"deepspeed:interval=3",
     "65536 65536 65536 65536 65536 32768 16384 16384 16384 16384 32768 "
     "32768 32768 32768"},
    {"deepspeed:interval=3,refill=good",
     "65536 65536 65536 65536 65536 65536 32768 32768 32768 32768 65536 "
     "65536 65536 65536"},
    {"deepspeed:interval=3,hysteresis=1",
     "65536 65536 65536 32768 32768 16384 8192 8192 8192 8192 16384 "
     "16384 16384 8192"},
};

INSTANTIATE_TEST_SUITE_P(Frameworks, LossScaleTrace,
                         ::testing::ValuesIn(kTraces));

TEST(LossScale, StaysInItsBounds) {
  ScaledStep high("dynamic:init=170141183460469231731687303715884105728,"
                  "interval=1");
  high.run(0.25f);
  EXPECT_FALSE(high.step.foundInf());
  EXPECT_EQ(high.getScale(), 0x1p127f);
  ScaledStep low("dynamic:init=1,min=1");
  low.run(kInfinity);
  EXPECT_EQ(low.getScale(), 1);
  ScaledStep tiny("dynamic:init=1e-37,backoff=0.001");
  for (int i = 0; i < 5; ++i)
    tiny.run(kInfinity);
  EXPECT_EQ(tiny.getScale(), 0x1p-126f);
  tiny.run(1);
  EXPECT_FALSE(tiny.step.foundInf());
  EXPECT_EQ(tiny.step.get<float>("w"), std::vector<float>({-1, -1}));
  ScaledStep limited("dynamic:init=4,max=10,interval=1");
  for (float expected : {8.f, 8.f, 8.f}) {
    limited.run(1);
    EXPECT_EQ(limited.getScale(), expected);
  }
}

TEST(LossScale, UnscalesBeforeItGrows) {
  // The scale that the loss had is the one that the gradient loses, although
  // the step makes another.
  for (const char *preset : {"pytorch", "deepspeed", "megatron"}) {
    ScaledStep scaled(std::string(preset) + ":init=4,interval=1");
    for (int i = 1; i <= 5; ++i) {
      scaled.run(1);
      EXPECT_EQ(scaled.step.get<float>("w").front(), -i) << preset;
    }
    EXPECT_GT(scaled.getScale(), 4) << preset;
  }
}

TEST(LossScale, GrowsWhereTheCounterIsPastTheInterval) {
  ScaledStep scaled("dynamic:interval=3");
  scaled.step.set<int32_t>("loss_scale.good_steps", {10});
  scaled.run(1);
  EXPECT_EQ(scaled.getScale(), 131072);
  EXPECT_EQ(scaled.step.get<int32_t>("loss_scale.good_steps").front(), 0);
}

TEST(LossScale, GoesOnFromItsState) {
  ScaledStep scaled("dynamic:interval=3");
  scaled.step.set<float>("loss_scale", {1024});
  scaled.step.set<int32_t>("loss_scale.good_steps", {1});
  std::vector<float> scales;
  for (int i = 0; i < 3; ++i) {
    scaled.run(1);
    scales.push_back(scaled.getScale());
  }
  EXPECT_EQ(scales, std::vector<float>({1024, 2048, 2048}));
}

TEST(LossScale, FindsOverflowOfTheScaledAndTheUnscaled) {
  ScaledStep scaled("static:65536");
  for (float x : {kInfinity, -kInfinity, std::nanf(""), 1e35f}) {
    scaled.run(x); // 1e35 overflows only where it is scaled
    EXPECT_TRUE(scaled.step.foundInf()) << x;
  }
  EXPECT_EQ(scaled.step.get<float>("w"), std::vector<float>({0, 0}));
  EXPECT_EQ(scaled.getScale(), 65536);
  // A finite gradient may overflow where it loses a small scale.
  CompiledText text(R"mlir(
func.func @f(%s: tensor<f32> {cma.name = "s"}, %g: tensor<2xf32> {cma.name = "g"}) -> tensor<i1> {
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<2xf32>
  return %f : tensor<i1>
})mlir");
  Call call(text.lookup("f"));
  call.set<float>(0, {0x1p-20f});
  for (auto [g, expected] : {std::pair(1e38f, 1), std::pair(1e30f, 0)}) {
    call.set<float>(1, {0, g});
    EXPECT_EQ(call.run(), CMA_STATUS_OK);
    EXPECT_EQ(call.get<uint8_t>(2).front(), expected);
  }
}

TEST(LossScale, FindsOneOverflowInLargeTensors) {
  // Rows, several gradients, and ends of vectors.
  CompiledText text(R"mlir(
func.func @f(%s: tensor<f32> {cma.name = "s"}, %a: tensor<37x1031xf32> {cma.name = "a"}, %b: tensor<517xf32> {cma.name = "b"}, %c: tensor<f32> {cma.name = "c"}) -> tensor<i1> {
  %u:4 = cma.unscale %s (%a, %b, %c) : tensor<f32>, tensor<37x1031xf32>, tensor<517xf32>, tensor<f32>
  return %u#3 : tensor<i1>
})mlir");
  Call call(text.lookup("f"));
  call.set<float>(0, {2});
  auto check = [&](size_t number, size_t at, float value) {
    std::vector<std::vector<float>> tensors = {
        std::vector<float>(37 * 1031, 1), std::vector<float>(517, -1), {1}};
    tensors[number][at] = value;
    for (unsigned i = 0; i < 3; ++i)
      call.set<float>(i + 1, tensors[i]);
    EXPECT_EQ(call.run(), CMA_STATUS_OK);
    return call.get<uint8_t>(4).front() == 1;
  };
  for (float bad : {kInfinity, -kInfinity, std::nanf("")}) {
    for (size_t at : {0, 1030, 1031, 20000, 37 * 1031 - 1})
      EXPECT_TRUE(check(0, at, bad)) << at;
    for (size_t at : {0, 255, 256, 511, 512, 516})
      EXPECT_TRUE(check(1, at, bad)) << at;
    EXPECT_TRUE(check(2, 0, bad));
  }
  EXPECT_FALSE(check(0, 0, 3e38f));
}

TEST(LossScale, UnscalesInF32) {
  CompiledText text(R"mlir(
func.func @f(%s: tensor<f32> {cma.name = "s"}, %g: tensor<2xf32> {cma.name = "g"}) -> (tensor<2xf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf16>, tensor<i1>) {
  %lost = cma.cast %g : tensor<2xf32> to tensor<2xf16>
  %scales = cma.broadcast "->i" (%s) : (tensor<f32>) -> tensor<2xf32>
  %scaled = arith.mulf %g, %scales : tensor<2xf32>
  %half = cma.cast %scaled : tensor<2xf32> to tensor<2xf16>
  %u, %f = cma.unscale %s (%half) : tensor<f32>, tensor<2xf16>
  %low = cma.cast %u : tensor<2xf32> to tensor<2xf16>
  return %lost, %half, %u, %low, %f : tensor<2xf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf16>, tensor<i1>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  call.set<float>(0, {65536});
  call.set<float>(1, {0x1p-30f, 3e-9f});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  using Halves = std::vector<uint16_t>;
  // Without a scale, and unscaled in f16, both are 0.
  EXPECT_EQ(call.get<uint16_t>(2), Halves({0, 0}));
  EXPECT_EQ(call.get<uint16_t>(5), Halves({0, 0}));
  EXPECT_EQ(call.get<uint16_t>(3), Halves({0x0400, 0x0A71}));
  std::vector<float> unscaled = call.get<float>(4);
  EXPECT_EQ(unscaled[0], 9.313225746154785e-10f);
  EXPECT_EQ(unscaled[1], 1.9657611846923828e-4f / 65536);
  EXPECT_NEAR(std::fabs(unscaled[1] - 3e-9) / 3e-9, 1.6e-4, 0.5e-5);
  EXPECT_EQ(call.get<uint8_t>(6).front(), 0);
  call.set<float>(1, {0x1p-30f, 1.0f}); // 65536 is beyond f16
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  EXPECT_EQ(call.get<uint16_t>(3)[1], 0x7C00);
  EXPECT_EQ(call.get<uint8_t>(6).front(), 1);
}

TEST(LossScale, FindsOverflowBeforeItSaturates) {
  CompiledText text(R"mlir(
func.func @f(%s: tensor<f32> {cma.name = "s"}, %g: tensor<4xf16> {cma.name = "g"}) -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<i1>) {
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<4xf16>
  %a = cma.cast %u overflow(saturate) : tensor<4xf32> to tensor<4xf8E4M3FN>
  %b = cma.cast %u overflow(saturate) : tensor<4xf32> to tensor<4xf8E5M2>
  return %a, %b, %f : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<i1>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  call.set<float>(0, {1});
  call.set<uint16_t>(1, {0x3C00, 0x7C00, 0xFC00, 0});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(call.get<uint8_t>(2), Bytes({0x38, 0x7E, 0xFE, 0})); // 448
  EXPECT_EQ(call.get<uint8_t>(3), Bytes({0x3C, 0x7B, 0xFB, 0})); // 57344
  EXPECT_EQ(call.get<uint8_t>(4).front(), 1);
  // What saturates without an infinity is no overflow of the gradient.
  call.set<uint16_t>(1, {0x3C00, 0x7BFF, 0xFBFF, 0});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  EXPECT_EQ(call.get<uint8_t>(2), Bytes({0x38, 0x7E, 0xFE, 0}));
  EXPECT_EQ(call.get<uint8_t>(4).front(), 0);
}

TEST(LossScale, CountsStepsWithoutGradients) {
  ScaledStep scaled("dynamic:interval=3");
  scaled.step.set<float>("x", {0, 0});
  scaled.step.run();
  EXPECT_FALSE(scaled.step.foundInf());
  EXPECT_EQ(scaled.step.get<int32_t>("loss_scale.good_steps").front(), 1);
  EXPECT_EQ(scaled.step.get<float>("w"), std::vector<float>({0, 0}));
  CompiledText text(R"mlir(
func.func @f(%s: tensor<f32> {cma.name = "s"}, %n: tensor<i32> {cma.name = "n"}) -> (tensor<f32>, tensor<i32>, tensor<i1>) {
  %f = cma.unscale %s () : tensor<f32>
  %t, %m = cma.update_loss_scale %s, %n, %f : tensor<f32>
  return %t, %m, %f : tensor<f32>, tensor<i32>, tensor<i1>
})mlir");
  Call call(text.lookup("f"));
  call.set<float>(0, {1024});
  call.set<int32_t>(1, {4});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  EXPECT_EQ(call.get<float>(2).front(), 1024);
  EXPECT_EQ(call.get<int32_t>(3).front(), 5);
  EXPECT_EQ(call.get<uint8_t>(4).front(), 0);
}
} // namespace
