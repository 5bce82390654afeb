//===- ContractionCasesTest.cpp - Networks with known optima --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file compares the planner with optima that were computed elsewhere.
//
//===----------------------------------------------------------------------===//

#include "TestNetworks.h"

#include "gtest/gtest.h"

using namespace cma;
using namespace cma::test;

namespace {

/// Orders decimal numbers without leading zeros.
bool isAtMost(const std::string &a, const std::string &b) {
  return a.size() != b.size() ? a.size() < b.size() : a <= b;
}

void checkCase(const Case &test, Objective objective) {
  SCOPED_TRACE(test.name + " " + std::string(getObjectiveName(objective)));
  ContractionPlan plan = planFor(test.network, objective);
  bool isMults = objective == Objective::Mults;
  std::string value = (isMults ? plan.costs.mults : plan.costs.flops).str();
  const std::string &optimum = isMults ? test.optimalMults : test.optimalFlops;
  EXPECT_LE(plan.lowerBound, plan.costs.get(objective));
  if (test.network.operands.size() > 14) {
    EXPECT_TRUE(isAtMost(value, optimum)) << value << " above " << optimum;
    return;
  }
  EXPECT_EQ(value, optimum);
  EXPECT_TRUE(plan.provedOptimal);
  EXPECT_EQ(plan.lowerBound.str(), optimum);
  EXPECT_FALSE(plan.saturated);
}

TEST(ContractionCases, Mults) {
  std::vector<Case> cases = loadCases();
  ASSERT_EQ(cases.size(), 125u);
  for (const Case &test : cases)
    checkCase(test, Objective::Mults);
}

TEST(ContractionCases, Flops) {
  for (const Case &test : loadCases())
    checkCase(test, Objective::Flops);
}

TEST(ContractionCases, JointTargets) {
  std::vector<JointCase> cases = loadJointCases();
  ASSERT_EQ(cases.size(), 65u);
  for (const JointCase &test : cases) {
    SCOPED_TRACE(test.name + " " + test.targetSet);
    ContractionPlan plan = planFor(test.network, Objective::Mults);
    EXPECT_EQ(plan.costs.stepMults.str(), test.jointMults);
    EXPECT_EQ(plan.lowerBound.str(), test.jointMults);
    EXPECT_TRUE(plan.provedOptimal);
    // One tree gives the result and all gradients for three times the result.
    if (test.wantsAll) {
      EXPECT_EQ(plan.costs.stepMults, plan.costs.mults * U128(3));
      EXPECT_EQ(plan.costs.mults.str(), test.forwardMults);
    }
  }
}

/// The result and every gradient of a closed network have the same optimum.
TEST(ContractionCases, EveryLeafCostsTheSame) {
  for (const JointCase &test : loadJointCases()) {
    if (!test.wantsAll)
      continue;
    for (size_t leaf = 0; leaf < test.network.operands.size(); ++leaf) {
      ContractionNetwork turned = test.network;
      std::swap(turned.operands[leaf], turned.result);
      turned.wanted = WantedTargets();
      EXPECT_EQ(planFor(turned, Objective::Mults).costs.mults.str(),
                test.forwardMults)
          << test.name << " leaf " << leaf;
    }
  }
}

} // namespace
