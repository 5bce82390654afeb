//===- TrainStepTest.cpp - What a training step does and leaves alone -----===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs compiled training steps: skipped updates, clipping, sums of
// gradients, and f64.
//
//===----------------------------------------------------------------------===//

#include "TrainStep.h"

#include <cmath>
#include <limits>

using namespace cma;
using namespace cma::test;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The gradients are x for w and y for v; the model counts its calls.
constexpr const char *kModel = R"mlir(
func.func @f(%x: tensor<2xf32> {cma.name = "x", cma.role = "data"}, %y: tensor<3xf32> {cma.name = "y", cma.role = "data"},
             %w: tensor<2xf32> {cma.name = "w", cma.role = "parameter"}, %v: tensor<3xf32> {cma.name = "v", cma.role = "parameter"},
             %n: tensor<i64> {cma.name = "n", cma.role = "state"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<i64> {cma.updates = "n"}) {
  %a = cma.contract "i,i->" (%w, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %b = cma.contract "i,i->" (%v, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %loss = arith.addf %a, %b : tensor<f32>
  %one = arith.constant dense<1> : tensor<i64>
  %next = arith.addi %n, %one : tensor<i64>
  return %loss, %next : tensor<f32>, tensor<i64>
})mlir";

using Floats = std::vector<float>;
using Bits = std::vector<uint32_t>;

/// Data, learning rate and step of a call.
void setInputs(StepCall &step, const Floats &x, const Floats &y) {
  step.set<float>("x", x);
  step.set<float>("y", y);
}

void setClock(StepCall &step, float lr, int64_t count) {
  step.set<float>("lr", {lr});
  step.set<int64_t>("step", {count});
}

TEST(TrainStep, SkippedStepsLeaveEveryBit) {
  CompiledText text(kModel, "",
                    "optimizer=adamw weight-decay=0.1 loss-scale=dynamic "
                    "clip=1");
  ASSERT_TRUE(text);
  StepCall step(text.lookup("f_step"));
  step.set<float>("loss_scale", {1024});
  step.set<int32_t>("loss_scale.good_steps", {7});
  setClock(step, 0.5f, 3);
  step.set<int64_t>("n", {41});
  // Signed zeros, subnormals and NaNs with a payload are values like others.
  const Bits w = {0x80000000, 0x00000001},
             v = {0x7FC12345, 0x3F800000, 0xFF800000};
  for (const char *suffix : {"", ".first_moment", ".second_moment"}) {
    step.set<uint32_t>(std::string("w") + suffix, w);
    step.set<uint32_t>(std::string("v") + suffix, v);
  }
  // One overflow, in one of two gradients.
  setInputs(step, {1, 2}, {1, kInfinity, 1});
  step.run();
  EXPECT_TRUE(step.foundInf());
  for (const char *suffix : {"", ".first_moment", ".second_moment"}) {
    EXPECT_EQ(step.get<uint32_t>(std::string("w") + suffix), w) << suffix;
    EXPECT_EQ(step.get<uint32_t>(std::string("v") + suffix), v) << suffix;
  }
  EXPECT_EQ(step.get<int64_t>("n").front(), 41);
  EXPECT_EQ(step.get<float>("loss_scale").front(), 512);
  EXPECT_EQ(step.get<int32_t>("loss_scale.good_steps").front(), 0);
  // The next one moves everything.
  setInputs(step, {1, 2}, {1, 2, 3});
  step.run();
  EXPECT_FALSE(step.foundInf());
  EXPECT_NE(step.get<uint32_t>("w"), w);
  EXPECT_EQ(step.get<int64_t>("n").front(), 42);
}

TEST(TrainStep, ClipsWhatIsUnscaled) {
  CompiledText text(kModel, "", "loss-scale=static:65536 clip=1");
  StepCall step(text.lookup("f_step"));
  step.set<float>("loss_scale", {65536});
  step.set<float>("w", {0, 0});
  step.set<float>("v", {0, 0, 0});
  step.set<int64_t>("n", {0});
  setClock(step, 1, 0);
  setInputs(step, {3, 4}, {0, 0, 0});
  step.run();
  EXPECT_EQ(step.get<float>("w"), Floats({-0.59999988f, -0.79999984f}));
  // Shorter ones and zeros stay as they are.
  step.set<float>("w", {0, 0});
  setInputs(step, {0.25f, 0}, {0, 0, 0.5f});
  step.run();
  EXPECT_EQ(step.get<float>("w"), Floats({-0.25f, 0}));
  EXPECT_EQ(step.get<float>("v"), Floats({0, 0, -0.5f}));
  setInputs(step, {0, 0}, {0, 0, 0});
  step.run();
  EXPECT_FALSE(step.foundInf());
  EXPECT_EQ(step.get<float>("w"), Floats({-0.25f, 0}));
}

TEST(TrainStep, MastersKeepSmallUpdates) {
  CompiledText text(kModel, "", "momentum=0");
  StepCall step(text.lookup("f_step"));
  step.set<float>("w", {1, 1});
  step.set<float>("v", {0, 0, 0});
  step.set<int64_t>("n", {0});
  setClock(step, 1, 0);
  setInputs(step, {6e-4f, 0}, {0, 0, 0});
  for (int i = 0; i < 100; ++i)
    step.run();
  EXPECT_EQ(step.get<float>("w"), Floats({0.9400019645690918f, 1}));
  // Views of the master move; a parameter that is stored in bf16 does not.
  CompiledText low(R"mlir(
func.func @views(%w: tensor<2xf32> {cma.name = "w"}) -> (tensor<2xbf16>, tensor<2xf16>) {
  %b = cma.cast %w : tensor<2xf32> to tensor<2xbf16>
  %h = cma.cast %w : tensor<2xf32> to tensor<2xf16>
  return %b, %h : tensor<2xbf16>, tensor<2xf16>
}
func.func @stored(%w: tensor<2xbf16> {cma.name = "w"}, %g: tensor<2xf32> {cma.name = "g"}) -> tensor<2xbf16> {
  %wide = cma.cast %w : tensor<2xbf16> to tensor<2xf32>
  %moved = arith.subf %wide, %g : tensor<2xf32>
  %next = cma.cast %moved : tensor<2xf32> to tensor<2xbf16>
  return %next : tensor<2xbf16>
})mlir");
  ASSERT_TRUE(low);
  using Halves = std::vector<uint16_t>;
  Call views(low.lookup("views"));
  views.set<float>(0, step.get<float>("w"));
  EXPECT_EQ(views.run(), CMA_STATUS_OK);
  EXPECT_EQ(views.get<uint16_t>(1), Halves({0x3F71, 0x3F80})); // 0.94140625
  EXPECT_EQ(views.get<uint16_t>(2), Halves({0x3B85, 0x3C00})); // 0.93994140625
  Call stored(low.lookup("stored"));
  Halves w = {0x3F80, 0x3F80};
  for (int i = 0; i < 100; ++i) {
    stored.set<uint16_t>(0, w);
    stored.set<float>(1, {6e-4f, 0});
    EXPECT_EQ(stored.run(), CMA_STATUS_OK);
    w = stored.get<uint16_t>(2);
  }
  EXPECT_EQ(w, Halves({0x3F80, 0x3F80}));
}

/// Copies the state that both functions of an accumulating step have.
void share(const StepCall &from, StepCall &to) {
  for (const char *name : {"w", "v", "w.gradient", "v.gradient", "loss_scale"})
    to.set<float>(name, from.get<float>(name));
}

TEST(TrainStep, WindowsAreSkippedAsAWhole) {
  CompiledText text(kModel, "", "loss-scale=dynamic accumulate=4");
  ASSERT_TRUE(text);
  StepCall part(text.lookup("f_accumulate")), apply(text.lookup("f_apply"));
  for (const char *name : {"w", "w.gradient"})
    part.set<float>(name, {0, 0});
  for (const char *name : {"v", "v.gradient"})
    part.set<float>(name, {0, 0, 0});
  part.set<float>("loss_scale", {8});
  part.set<int64_t>("n", {0});
  apply.set<int32_t>("loss_scale.good_steps", {1});
  auto runWindow = [&](float second) {
    for (int i = 0; i < 4; ++i) {
      setInputs(part, {1.f + i, 0}, {0, i == 1 ? second : 1, 0});
      part.run();
    }
    share(part, apply);
    setClock(apply, 1, 0);
    apply.run();
    bool skipped = apply.foundInf();
    share(apply, part);
    return skipped;
  };
  EXPECT_TRUE(runWindow(kInfinity));
  EXPECT_EQ(part.get<float>("w"), Floats({0, 0}));
  EXPECT_EQ(part.get<float>("v.gradient"), Floats({0, 0, 0}));
  EXPECT_EQ(part.get<float>("loss_scale").front(), 4); // changed once
  // The mean over the window; the sums start at zero again.
  EXPECT_FALSE(runWindow(1));
  EXPECT_EQ(part.get<float>("w"), Floats({-2.5f, 0}));
  EXPECT_EQ(part.get<float>("v"), Floats({0, -1, 0}));
  EXPECT_EQ(part.get<float>("w.gradient"), Floats({0, 0}));
  EXPECT_EQ(part.get<int64_t>("n").front(), 8);
}

TEST(TrainStep, WideModelsUnscaleInF64) {
  CompiledText text(R"mlir(
func.func @f(%x: tensor<2xf64> {cma.name = "x", cma.role = "data"}, %w: tensor<2xf64> {cma.name = "w", cma.role = "parameter"})
    -> (tensor<f64> {cma.role = "loss"}) {
  %loss = cma.contract "i,i->" (%w, %x) : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
  return %loss : tensor<f64>
})mlir",
                    "", "optimizer=adamw loss-scale=static:1000 clip=100");
  ASSERT_TRUE(text);
  StepCall step(text.lookup("f_step"));
  step.set<float>("loss_scale", {1000});
  for (const char *name : {"w", "w.first_moment", "w.second_moment"})
    step.set<double>(name, {0, 0});
  setClock(step, 0.5f, 0);
  double g = 1.0 / 3;
  step.set<double>("x", {g, 0});
  step.run();
  EXPECT_NEAR(step.get<double>("w.first_moment")[0], 0.1 * g, 1e-17);
  EXPECT_NEAR(step.get<double>("w.second_moment")[0], 0.001 * g * g, 1e-19);
  EXPECT_NEAR(step.get<double>("w")[0], -0.5 * g / (g + 1e-8), 1e-15);
}
} // namespace
