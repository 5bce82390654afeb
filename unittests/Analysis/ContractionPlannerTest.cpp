//===- ContractionPlannerTest.cpp - Invariants of the planner -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests what must hold for any network: invariance, determinism, and
// that large, wide and degenerate networks are planned in moments.
//
//===----------------------------------------------------------------------===//

#include "TestNetworks.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace cma;
using namespace cma::test;

namespace {

constexpr uint64_t seed = 7;

void expectValid(const ContractionNetwork &network,
                 const ContractionPlan &plan) {
  std::string error;
  EXPECT_TRUE(verifyPath(network, plan.path, error)) << error;
  std::vector<LabelSet> labels = getValueLabels(network, plan.steps);
  EXPECT_EQ(labels.back(), makeLabelSet(network.result));
}

/// A ring of `count` operands `i j`, sizes drawn from 2 to 9.
ContractionNetwork makeRing(size_t count) {
  std::mt19937_64 random(count);
  ContractionNetwork network;
  for (LabelId i = 0; i < count; ++i) {
    network.operands.push_back({i, static_cast<LabelId>((i + 1) % count)});
    network.extents.push_back(2 + static_cast<int64_t>(random() % 8));
  }
  return network;
}

/// Renaming labels, reordering operands and permuting axes change no optimum.
TEST(ContractionPlanner, Invariance) {
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < 200; ++i) {
    RandomRules rules;
    rules.special = i % 2;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    size_t numLabels = network.extents.size();
    std::vector<LabelId> renamed(numLabels);
    std::iota(renamed.begin(), renamed.end(), 0);
    std::shuffle(renamed.begin(), renamed.end(), random);
    ContractionNetwork turned = network;
    std::shuffle(turned.operands.begin(), turned.operands.end(), random);
    auto rename = [&](std::vector<LabelId> &axes) {
      for (LabelId &label : axes)
        label = renamed[label];
      std::shuffle(axes.begin(), axes.end(), random);
    };
    for (std::vector<LabelId> &axes : turned.operands)
      rename(axes);
    rename(turned.result);
    for (LabelId label = 0; label < numLabels; ++label)
      turned.extents[renamed[label]] = network.extents[label];
    for (Objective objective :
         {Objective::Flops, Objective::Mults, Objective::Peak})
      EXPECT_EQ(planFor(network, objective).costs.get(objective),
                planFor(turned, objective).costs.get(objective))
          << describe(network);
  }
}

/// A label of extent 1, alone or shared, costs no multiplication.
TEST(ContractionPlanner, ExtentOneCostsNothing) {
  std::mt19937_64 random(seed + 1);
  for (unsigned i = 0; i < 100; ++i) {
    RandomRules rules;
    rules.minOperands = 2;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    U128 before = planFor(network, Objective::Mults).costs.mults;
    auto label = static_cast<LabelId>(network.extents.size());
    network.extents.push_back(1);
    for (std::vector<LabelId> &axes : network.operands)
      if (random() % 2)
        axes.push_back(label);
    EXPECT_EQ(planFor(network, Objective::Mults).costs.mults, before)
        << describe(network);
  }
}

TEST(ContractionPlanner, SameInputSamePlan) {
  for (size_t count : {8, 12, 18, 40, 120}) {
    ContractionNetwork network = makeRing(count);
    for (Objective objective : {Objective::Time, Objective::Mults}) {
      ContractionPlan first = planFor(network, objective, 14, 3);
      ContractionPlan second = planFor(network, objective, 14, 3);
      EXPECT_EQ(first.path, second.path);
      EXPECT_EQ(first.lowerBound, second.lowerBound);
    }
  }
}

/// Exact search and connected search must agree where both can work.
TEST(ContractionPlanner, RingOf16) {
  ContractionNetwork network = makeRing(16);
  ContractionPlan exact = planFor(network, Objective::Mults, 16);
  EXPECT_TRUE(exact.provedOptimal);
  ContractionPlan other = planFor(network, Objective::Mults, 14);
  EXPECT_FALSE(other.provedOptimal);
  EXPECT_EQ(other.costs.mults, exact.costs.mults);
  EXPECT_LE(other.lowerBound, exact.costs.mults);
}

TEST(ContractionPlanner, TimeIsDeterministicAndProved) {
  for (const JointCase &test : loadJointCases())
    for (const char *name :
         {"cpu", "sm_75", "sm_80", "sm_89", "sm_90", "sm_100"}) {
      PlannerOptions options;
      options.target = lookupTarget(name);
      ASSERT_NE(options.target, nullptr);
      ContractionPlan plan = ContractionPlanner(options).plan(test.network);
      EXPECT_TRUE(plan.provedOptimal) << test.name << " on " << name;
      EXPECT_GT(plan.lowerBound, U128(0));
      // No other order that we know of is modelled faster.
      ContractionPlan mults = planFor(test.network, Objective::Mults);
      EXPECT_LE(
          plan.costs.stepTime,
          evaluateSteps(test.network, mults.steps, *options.target).stepTime)
          << test.name << " on " << name;
    }
}

/// A lower precision is never modelled slower, and unknown names are refused.
TEST(ContractionPlanner, TargetsAndTypes) {
  EXPECT_EQ(lookupTarget("sm_70"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
  EXPECT_EQ(listTargets(), "cpu, sm_75, sm_80, sm_89, sm_90, sm_100");
  ElementType type;
  EXPECT_FALSE(parseElementType("f24", type));
  ContractionNetwork network = loadJointCases().front().network;
  PlannerOptions options;
  options.target = lookupTarget("sm_90");
  ContractionPlan full = ContractionPlanner(options).plan(network);
  ASSERT_TRUE(parseElementType("bf16", network.computeType));
  ContractionPlan half = ContractionPlanner(options).plan(network);
  EXPECT_LE(half.costs.stepTime, full.costs.stepTime);
  PathCosts same = evaluateSteps(network, full.steps, *options.target);
  EXPECT_EQ(same.savedBytes + same.savedBytes, full.costs.savedBytes);
}

TEST(ContractionPlanner, GivenPathIsKeptAndBounded) {
  ContractionNetwork network =
      makeNetwork("ab,bc,cd->ad", {{"a", 2}, {"b", 30}, {"c", 3}, {"d", 40}});
  PlannerOptions options;
  options.objective = Objective::Mults;
  ContractionPlanner planner(options);
  ContractionPath worse = {{2, 1}, {1, 0}};
  ContractionPlan given = planner.evaluate(network, worse);
  EXPECT_EQ(given.path, worse);
  EXPECT_EQ(given.costs.mults, U128(30 * 3 * 40 + 2 * 30 * 40));
  EXPECT_FALSE(given.provedOptimal);
  EXPECT_EQ(given.lowerBound, U128(2 * 30 * 3 + 2 * 3 * 40));
  EXPECT_TRUE(planner.evaluate(network, {{0, 1}, {1, 0}}).provedOptimal);
}

TEST(ContractionPlanner, Saturation) {
  // 2^96 fits and is exact; 2^200 does not.
  ContractionNetwork network;
  for (LabelId label = 0; label < 10; ++label) {
    network.extents.push_back(int64_t(1) << 20);
    network.operands.push_back({label});
    network.result.push_back(label);
  }
  ContractionPlan plan = planFor(network, Objective::Mults);
  expectValid(network, plan);
  EXPECT_TRUE(plan.saturated);
  EXPECT_FALSE(plan.provedOptimal);
  EXPECT_TRUE(plan.naiveMults.isSaturated());
  // A zero extent anywhere makes the products exact again.
  network.extents[9] = 0;
  plan = planFor(network, Objective::Mults);
  expectValid(network, plan);
  EXPECT_EQ(plan.naiveMults, U128(0));
  // Naive cost beyond 128 bits, planned cost within.
  ContractionNetwork chain;
  for (LabelId label = 0; label < 10; ++label)
    chain.extents.push_back(int64_t(1) << 20);
  for (LabelId label = 0; label + 1 < 10; ++label)
    chain.operands.push_back({label, label + 1});
  plan = planFor(chain, Objective::Flops);
  EXPECT_TRUE(plan.saturated);
  EXPECT_TRUE(plan.provedOptimal);
  EXPECT_LT(plan.costs.flops, U128(UINT64_MAX));
}

TEST(ContractionPlanner, ManyOperands) {
  // A chain has an optimum that the interval programme finds in n^3.
  constexpr size_t count = 100;
  std::mt19937_64 random(seed + 2);
  ContractionNetwork chain;
  for (LabelId i = 0; i <= count; ++i)
    chain.extents.push_back(2 + static_cast<int64_t>(random() % 99));
  for (LabelId i = 0; i < count; ++i)
    chain.operands.push_back({i, i + 1});
  chain.result = {0, count};
  std::vector<std::vector<double>> best(count, std::vector<double>(count, 0));
  for (size_t length = 1; length < count; ++length)
    for (size_t i = 0; i + length < count; ++i) {
      size_t j = i + length;
      best[i][j] = 1e300;
      for (size_t k = i; k < j; ++k)
        best[i][j] =
            std::min(best[i][j], best[i][k] + best[k + 1][j] +
                                     static_cast<double>(chain.extents[i] *
                                                         chain.extents[k + 1] *
                                                         chain.extents[j + 1]));
    }
  ContractionPlan plan = planFor(chain, Objective::Mults);
  expectValid(chain, plan);
  EXPECT_LE(plan.costs.mults.toDouble(), 1.02 * best[0][count - 1]);
  EXPECT_GE(plan.costs.mults.toDouble(), best[0][count - 1]);
  EXPECT_FALSE(plan.provedOptimal);
}

/// Networks of many shapes and sizes; a search without end runs into ctest's
/// time limit.
TEST(ContractionPlanner, LargeNetworksEnd) {
  for (size_t count : {65, 300, 2000}) {
    ContractionNetwork ring = makeRing(count);
    expectValid(ring, planFor(ring, Objective::Mults));
    // One label on all operands, and nothing but outer products.
    ContractionNetwork star, outer;
    star.extents = {3};
    for (LabelId i = 0; i < count; ++i) {
      star.operands.push_back({0});
      outer.operands.push_back({i});
      outer.extents.push_back(2);
    }
    expectValid(star, planFor(star, Objective::Flops));
    expectValid(outer, planFor(outer, Objective::Peak));
  }
}

TEST(ContractionPlanner, ManyLabels) {
  // 300 labels on 8 operands, each on a random pair, and 600 on random sets.
  std::mt19937_64 random(seed + 3);
  for (bool sets : {false, true}) {
    ContractionNetwork network;
    network.operands.resize(8);
    for (LabelId label = 0; label < (sets ? 600u : 300u); ++label) {
      network.extents.push_back(1 + static_cast<int64_t>(random() % 30 == 0));
      for (std::vector<LabelId> &axes : network.operands)
        if (random() % (sets ? 2 : 4) == 0)
          axes.push_back(label);
      if (random() % 10 == 0 && countHolders(network)[label] > 0)
        network.result.push_back(label);
    }
    ContractionPlan plan = planFor(network, Objective::Mults);
    expectValid(network, plan);
    EXPECT_TRUE(plan.provedOptimal);
    EXPECT_LE(plan.costs.mults, plan.leftToRightMults);
  }
}

TEST(ContractionPlanner, DegenerateNetworks) {
  for (const char *equation :
       {",,,->", "a,,a->", "aa,aa->", "a,a,a,a->a", "aabb,bcc->ca"}) {
    ContractionNetwork network =
        makeNetwork(equation, {{"a", 4}, {"b", 1}, {"c", 3}});
    for (Objective objective : {Objective::Time, Objective::Flops,
                                Objective::Mults, Objective::Peak}) {
      ContractionPlan plan = planFor(network, objective);
      expectValid(network, plan);
      EXPECT_TRUE(plan.provedOptimal) << equation;
    }
  }
}

} // namespace
