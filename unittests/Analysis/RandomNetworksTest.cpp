//===- RandomNetworksTest.cpp - Planner against brute force ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file compares plans of random networks with the best of all trees.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "TestNetworks.h"

#include "gtest/gtest.h"

#include <functional>

using namespace cma;
using namespace cma::test;

namespace {

constexpr uint64_t seed = 20261130;

/// Both objectives; returns the number of misses.
unsigned compare(const ContractionNetwork &network) {
  BruteForceCosts best = searchAllTrees(network);
  unsigned misses = 0;
  for (Objective objective : {Objective::Mults, Objective::Flops}) {
    ContractionPlan plan = planFor(network, objective);
    uint64_t optimum = objective == Objective::Mults ? best.mults : best.flops;
    bool matches = plan.costs.get(objective) == U128(optimum) &&
                   plan.lowerBound == U128(optimum) && plan.provedOptimal;
    EXPECT_TRUE(matches) << describe(network) << " "
                         << getObjectiveName(objective) << ": "
                         << plan.costs.get(objective).str() << ", bound "
                         << plan.lowerBound.str() << ", optimum " << optimum;
    misses += !matches;
    std::string error;
    EXPECT_TRUE(verifyPath(network, plan.path, error)) << error;
  }
  return misses;
}

TEST(RandomNetworks, MatchBruteForce) {
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  unsigned misses = 0;
  for (unsigned i = 0; i < 10000 && misses < 10; ++i) {
    RandomRules rules;
    rules.special = i % 2 == 1;
    rules.minExtent = i % 10 == 9 ? 0 : 1;
    misses += compare(makeRandomNetwork(random, rules));
  }
  EXPECT_EQ(misses, 0u) << "seed " << seed;
}

/// Wanted targets at random: the result alone is the case above.
TEST(RandomNetworks, JointTargetsMatchBruteForce) {
  std::mt19937_64 random(seed + 1);
  unsigned misses = 0;
  for (unsigned i = 0; i < 3000 && misses < 10; ++i) {
    RandomRules rules;
    rules.special = i % 2 == 1;
    rules.maxOperands = 6;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    network.wanted.result = random() % 4 != 0;
    for (size_t k = 0; k < network.operands.size(); ++k)
      network.wanted.operands.push_back(random() % 2);
    misses += compare(network);
  }
  EXPECT_EQ(misses, 0u) << "seed " << seed + 1;
}

TEST(RandomNetworks, PeaksMatchBruteForce) {
  std::mt19937_64 random(seed + 2);
  unsigned misses = 0;
  for (unsigned i = 0; i < 3000 && misses < 10; ++i) {
    RandomRules rules;
    rules.special = i % 2 == 1;
    rules.maxOperands = i % 8 == 0 ? 7 : 5;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    uint64_t optimum = searchAllSequencesForPeak(network);
    ContractionPlan plan = planFor(network, Objective::Peak);
    bool matches = plan.costs.peak == U128(optimum) && plan.provedOptimal;
    EXPECT_TRUE(matches) << describe(network) << ": " << plan.costs.peak.str()
                         << ", bound " << plan.lowerBound.str() << ", optimum "
                         << optimum;
    misses += !matches;
  }
  EXPECT_EQ(misses, 0u) << "seed " << seed + 2;
}

/// The searches for large networks, made to work on small ones: never below the
/// optimum, and the bound never above it.
TEST(RandomNetworks, HeuristicsStayAboveTheOptimum) {
  std::mt19937_64 random(seed + 3);
  unsigned equal = 0;
  constexpr unsigned numNetworks = 500;
  for (unsigned i = 0; i < numNetworks; ++i) {
    RandomRules rules;
    rules.special = i % 2 == 1;
    rules.minOperands = 2;
    rules.minExtent = i % 5 == 4 ? 0 : 1;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    for (size_t k = 0; k < network.operands.size(); ++k)
      network.wanted.operands.push_back(random() % 2);
    BruteForceCosts best = searchAllTrees(network);
    ContractionPlan plan = planFor(network, Objective::Flops, /*maxExact=*/1);
    EXPECT_GE(plan.costs.stepFlops, U128(best.flops)) << describe(network);
    EXPECT_LE(plan.lowerBound, U128(best.flops)) << describe(network);
    equal += plan.costs.stepFlops == U128(best.flops);
  }
  // Pieces of up to nine leaves are solved exactly, and these networks are one.
  EXPECT_EQ(equal, numNetworks);
}

/// The least modelled time over all sequences of pairs and all choices of
/// summing operands first.
U128 searchAllSequencesForTime(const ContractionNetwork &network,
                               const TargetModel &target) {
  size_t count = network.operands.size();
  U128 best = U128::saturated();
  std::vector<uint32_t> holders = countHolders(network);
  std::function<void(std::vector<uint32_t>, ContractionSteps)> extend =
      [&](std::vector<uint32_t> left, ContractionSteps steps) {
        if (left.size() == 1)
          best = std::min(best, evaluateSteps(network, steps, target).stepTime);
        for (size_t i = 0; i < left.size(); ++i)
          for (size_t j = i + 1; j < left.size(); ++j) {
            std::vector<uint32_t> rest = left;
            // The value with the earlier operands goes first, and stays there.
            rest[i] = static_cast<uint32_t>(count + steps.size());
            rest.erase(rest.begin() + static_cast<ptrdiff_t>(j));
            ContractionSteps longer = steps;
            longer.push_back({left[i], left[j]});
            extend(rest, longer);
          }
      };
  for (uint32_t choice = 0; choice < 1u << count; ++choice) {
    std::vector<uint32_t> left;
    ContractionSteps steps;
    bool sensible = true;
    for (uint32_t i = 0; i < count; ++i) {
      left.push_back(i);
      if (!(choice >> i & 1))
        continue;
      bool owns = false;
      for (LabelId label : network.operands[i])
        owns |= holders[label] == 1;
      sensible &= owns;
      left.back() = static_cast<uint32_t>(count + steps.size());
      steps.push_back({i, ContractionStep::none});
    }
    if (sensible)
      extend(left, steps);
  }
  return best;
}

TEST(RandomNetworks, TimesMatchAllSequences) {
  std::mt19937_64 random(seed + 4);
  for (unsigned i = 0; i < 400; ++i) {
    RandomRules rules;
    rules.special = i % 2 == 1;
    rules.minOperands = 2;
    rules.maxOperands = 5;
    rules.minExtent = i % 10 == 9 ? 0 : 1;
    rules.maxExtent = i % 3 ? 60 : 6;
    ContractionNetwork network = makeRandomNetwork(random, rules);
    network.wanted.result = random() % 4 != 0;
    for (size_t k = 0; k < network.operands.size(); ++k) {
      network.wanted.operands.push_back(random() % 2);
      network.operandTypes.push_back(random() % 2 ? ElementType::F32
                                                  : ElementType::BF16);
    }
    network.computeType = ElementType::BF16;
    PlannerOptions options;
    options.target = lookupTarget(i % 4 ? "sm_90" : "cpu");
    ContractionPlan plan = ContractionPlanner(options).plan(network);
    ASSERT_EQ(plan.costs.stepTime,
              searchAllSequencesForTime(network, *options.target))
        << describe(network) << ", seed " << seed + 4;
    EXPECT_TRUE(plan.provedOptimal);
  }
}

} // namespace
