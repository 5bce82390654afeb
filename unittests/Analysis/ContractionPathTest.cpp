//===- ContractionPathTest.cpp - Orders and their costs -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests the check of given orders and counts costs by hand.
//
//===----------------------------------------------------------------------===//

#include "TestNetworks.h"

#include "gtest/gtest.h"

using namespace cma;
using namespace cma::test;

namespace {

std::string getError(const ContractionNetwork &network,
                     const ContractionPath &path) {
  std::string error;
  return verifyPath(network, path, error) ? "" : error;
}

PathCosts getCosts(const ContractionNetwork &network,
                   const ContractionPath &path) {
  EXPECT_EQ(getError(network, path), "");
  return evaluateSteps(network, toSteps(network.operands.size(), path),
                       *lookupTarget("cpu"));
}

const Sizes letters = {{"a", 2}, {"b", 3}, {"c", 5}, {"d", 7}, {"x", 11}};

TEST(ContractionPath, RefusesWrongPaths) {
  ContractionNetwork chain = makeNetwork("ab,bc,cd->ad", letters);
  EXPECT_EQ(getError(chain, {{1, 2}, {0, 1}}), "");
  EXPECT_EQ(getError(chain, {{2, 0}, {1, 0}}), "");
  EXPECT_EQ(getError(chain, {{0}, {0, 1}, {0, 1}}), "");
  EXPECT_EQ(
      getError(chain, {{0, 1}}),
      "expected a path that leaves one operand, got 1 step that leaves 2");
  EXPECT_EQ(
      getError(chain, {}),
      "expected a path that leaves one operand, got 0 steps that leave 3");
  EXPECT_EQ(
      getError(chain, {{0, 3}, {0, 1}}),
      "expected positions below 3 in step 0 of the path, where 3 operands "
      "are left, got 3");
  EXPECT_EQ(
      getError(chain, {{0, 1}, {0, -1}}),
      "expected positions below 2 in step 1 of the path, where 2 operands "
      "are left, got -1");
  EXPECT_EQ(getError(chain, {{0, 1}, {0, 1}, {0, 1}}),
            "expected positions below 1 in step 2 of the path, where 1 operand "
            "is left, got 1");
  EXPECT_EQ(
      getError(chain, {{1, 1}, {0, 1}}),
      "expected two different positions in step 0 of the path, got 1 twice");
  EXPECT_EQ(getError(chain, {{0, 1, 2}}),
            "expected one or two positions in step 0 of the path, got 3");
  EXPECT_EQ(getError(chain, {{}, {0, 1}, {0, 1}}),
            "expected one or two positions in step 0 of the path, got 0");
}

TEST(ContractionPath, OneOperand) {
  ContractionNetwork sum = makeNetwork("abb->a", letters);
  EXPECT_EQ(getError(sum, {{0}}), "");
  EXPECT_EQ(
      getError(sum, {}),
      "expected step [0] in the path, since the result lacks labels of the "
      "operand, got no step");
  ContractionPlan plan = planFor(sum, Objective::Flops);
  EXPECT_EQ(plan.path, (ContractionPath{{0}}));
  EXPECT_EQ(plan.costs.mults, U128(6));
  EXPECT_EQ(plan.costs.flops, U128(12));
  EXPECT_EQ(plan.costs.largestIntermediate, U128(2));
  EXPECT_EQ(plan.costs.peak, U128(2));
  EXPECT_EQ(plan.naiveMults, U128(6));
  EXPECT_EQ(plan.leftToRightMults, U128(6));
  EXPECT_TRUE(plan.provedOptimal);

  ContractionPlan moved =
      planFor(makeNetwork("abc->cab", letters), Objective::Mults);
  EXPECT_TRUE(moved.path.empty());
  EXPECT_EQ(moved.costs.mults, U128(0));
  EXPECT_EQ(moved.costs.largestIntermediate, U128(30));
  EXPECT_EQ(moved.naiveMults, U128(30));
  EXPECT_TRUE(moved.provedOptimal);
}

TEST(ContractionPath, TwoOperands) {
  ContractionPlan plan =
      planFor(makeNetwork("ab,bc->ac", letters), Objective::Mults);
  EXPECT_EQ(plan.path, (ContractionPath{{0, 1}}));
  EXPECT_EQ(plan.costs.mults, U128(30));
  EXPECT_EQ(plan.costs.flops, U128(60));
  EXPECT_EQ(plan.costs.stepMults, U128(30));
  EXPECT_EQ(plan.costs.savedBytes, U128(0));
  // Summing x first costs 33 and saves 150 of the 330 points times x.
  ContractionPlan reduced =
      planFor(makeNetwork("xb,bc->c", letters), Objective::Mults);
  EXPECT_EQ(reduced.path, (ContractionPath{{0}, {0, 1}}));
  EXPECT_EQ(reduced.costs.mults, U128(33 + 15));
  EXPECT_EQ(reduced.costs.flops, U128(66 + 30));
}

/// `ab,bc,cd->ad`: (ab,bc) makes ac with 2*3*5, then 2*5*7.
TEST(ContractionPath, CountsByHand) {
  ContractionNetwork chain = makeNetwork("ab,bc,cd->ad", letters);
  PathCosts costs = getCosts(chain, {{0, 1}, {0, 1}});
  EXPECT_EQ(costs.mults, U128(30 + 70));
  EXPECT_EQ(costs.flops, U128(60 + 140));
  EXPECT_EQ(costs.stepMults, U128(100));
  EXPECT_EQ(costs.largestIntermediate, U128(14));
  EXPECT_EQ(costs.peak, U128(10 + 14));
  EXPECT_EQ(costs.savedBytes, U128(0));

  // The gradient of cd reads ac, which is kept; those of ab and bc read the
  // inputs and a gradient. Each needs the node of the first step again.
  chain.wanted.operands = {false, false, true};
  costs = getCosts(chain, {{0, 1}, {0, 1}});
  EXPECT_EQ(costs.stepMults, U128(100 + 70));
  EXPECT_EQ(costs.savedBytes, U128(4 * 10));
  chain.wanted.operands = {true, false, false};
  costs = getCosts(chain, {{0, 1}, {0, 1}});
  EXPECT_EQ(costs.stepMults, U128(100 + 70 + 30));
  EXPECT_EQ(costs.savedBytes, U128(0));
  chain.wanted = WantedTargets::all(3);
  costs = getCosts(chain, {{0, 1}, {0, 1}});
  EXPECT_EQ(costs.stepMults, U128(300));
  EXPECT_EQ(costs.stepFlops, U128(600));
  EXPECT_EQ(costs.savedBytes, U128(4 * 10));

  // Without the result, the last step is needed towards the operand alone.
  chain.wanted.result = false;
  chain.wanted.operands = {false, false, true};
  EXPECT_EQ(getCosts(chain, {{0, 1}, {0, 1}}).stepMults, U128(30 + 70));
  chain.computeType = ElementType::F64;
  EXPECT_EQ(getCosts(chain, {{0, 1}, {0, 1}}).savedBytes, U128(8 * 10));
}

/// A label that one operand alone has is summed for the result, and broadcast
/// for nothing on the way back.
TEST(ContractionPath, OwnLabels) {
  ContractionNetwork network = makeNetwork("xab,bc->ac", letters);
  network.wanted = WantedTargets::all(2);
  // Forward 11*2*3*5; towards xab the step runs over a, b, c; towards bc over
  // x, a, b, c.
  PathCosts direct = getCosts(network, {{0, 1}});
  EXPECT_EQ(direct.mults, U128(330));
  EXPECT_EQ(direct.stepMults, U128(330 + 30 + 330));
  // Summed first: 66, then three times 30.
  PathCosts reduced = getCosts(network, {{0}, {1, 0}});
  EXPECT_EQ(reduced.mults, U128(66 + 30));
  EXPECT_EQ(reduced.flops, U128(132 + 60));
  EXPECT_EQ(reduced.stepMults, U128(66 + 90));
  EXPECT_EQ(reduced.savedBytes, U128(4 * 6));
  EXPECT_EQ(reduced.peak, U128(6 + 10));
  // Only the gradient of xab: nobody reads the sum.
  network.wanted.result = false;
  network.wanted.operands = {true, false};
  EXPECT_EQ(getCosts(network, {{0}, {1, 0}}).stepMults, U128(30));
}

TEST(ContractionPath, FlopsCountSummingSteps) {
  // An outer product counts once, a size-1 sum twice, a diagonal is free.
  EXPECT_EQ(getCosts(makeNetwork("a,b->ab", letters), {{0, 1}}).flops, U128(6));
  EXPECT_EQ(getCosts(makeNetwork("ak,kb->ab", {{"a", 2}, {"b", 3}, {"k", 1}}),
                     {{0, 1}})
                .flops,
            U128(12));
  EXPECT_EQ(getCosts(makeNetwork("aab,b->ab", letters), {{0, 1}}).flops,
            U128(6));
  // A step without anything to sum still runs over its operand.
  EXPECT_EQ(getCosts(makeNetwork("ab,b->ab", letters), {{0}, {0, 1}}).flops,
            U128(12 + 6));
}

TEST(ContractionPath, PeakFollowsTheOrder) {
  ContractionNetwork network = makeNetwork("ab,bc,cd,dx->ax", letters);
  // ac 10 and cx 55 alive with the result 22.
  EXPECT_EQ(getCosts(network, {{0, 1}, {0, 1}, {0, 1}}).peak, U128(87));
  // ac 10, then ad 14 beside it, then the result beside ad.
  EXPECT_EQ(getCosts(network, {{0, 1}, {0, 2}, {0, 1}}).peak, U128(36));
}

TEST(ContractionPath, ConvertsBothWays) {
  ContractionNetwork network = makeNetwork("ab,bc,cd,dx->ax", letters);
  ContractionPath path = {{1, 2}, {0, 2}, {0, 1}};
  ContractionSteps steps = toSteps(4, path);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].lhs, 1u);
  EXPECT_EQ(steps[0].rhs, 2u);
  EXPECT_EQ(steps[2].rhs, 3u);
  EXPECT_EQ(toPath(4, steps), path);
  // The order within a step means nothing.
  EXPECT_EQ(toPath(4, toSteps(4, {{2, 1}, {2, 0}, {1, 0}})), path);
}

/// The cores of a tensor train merge with their modes side by side, whatever
/// the order in which they do.
TEST(ContractionPath, KeepsAxesTogether) {
  Sizes sizes;
  for (char c : std::string("bijkopqABCDE"))
    sizes[std::string(1, c)] = 2;
  ContractionNetwork train =
      makeNetwork("bijk,iA,AjB,BkC,CoD,DpE,Eq->bopq", sizes);
  const std::string names = "bijkABCoDpEq"; // by first appearance
  auto spell = [&](const ContractionPath &path) {
    std::string text;
    for (const PlannedStep &step : spellSteps(train, toSteps(7, path))) {
      for (LabelId label : step.outAxes)
        text += names[label];
      text += ' ';
    }
    return text;
  };
  EXPECT_EQ(spell({{1, 2}, {5, 1}, {2, 3}, {3, 1}, {0, 1}, {1, 0}}),
            "ijB ijkC Dpq Copq bC bopq ");
  EXPECT_EQ(spell({{2, 3}, {1, 5}, {0, 4}, {0, 1}, {0, 2}, {0, 1}}),
            "AjkC ijkC bC CopE Copq bopq ");
}

/// An intermediate has the order that its reader wants: of a gated core, the
/// bond that is summed next comes first; a left operand has it last.
TEST(ContractionPath, OrdersAxesForTheReader) {
  Sizes sizes;
  for (char c : std::string("bijrs"))
    sizes[std::string(1, c)] = 2;
  ContractionNetwork gated = makeNetwork("bij,r,rjs,s,ir->bs", sizes);
  const std::string names = "bijrs"; // by first appearance
  auto spell = [&](const ContractionPath &path) {
    std::string text;
    for (const PlannedStep &step : spellSteps(gated, toSteps(5, path))) {
      for (LabelId label : step.outAxes)
        text += names[label];
      text += ' ';
    }
    return text;
  };
  // The gates, the core rjs, the core ir, then x.
  EXPECT_EQ(spell({{1, 3}, {1, 3}, {1, 2}, {0, 1}}), "rs rjs ijs bs ");
  // x and the core ir make rows b; the gated core has what is summed first.
  EXPECT_EQ(spell({{0, 4}, {0, 2}, {0, 2}, {0, 1}}), "bjr rs jrs bs ");
}

} // namespace
