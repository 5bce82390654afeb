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

} // namespace
