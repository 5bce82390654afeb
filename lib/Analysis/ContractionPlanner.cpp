//===- ContractionPlanner.cpp - Choosing contraction orders ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file chooses the search by the size of the network and puts the plan
// together. Costs are always counted on the network as it was given: axes of
// extent 1 and scalars are ordinary to the exact search, and the others merely
// do not let them connect anything.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionPlanner.h"

#include "HeuristicSearch.h"
#include "LowerBound.h"

#include <algorithm>
#include <cmath>

using namespace cma;
using namespace cma::planner;

/// Greedy runs, by the number of operands.
static unsigned getNumTrials(size_t numOperands) {
  if (numOperands <= 40)
    return 96;
  if (numOperands <= 100)
    return 48;
  if (numOperands <= 300)
    return 16;
  return numOperands <= 1000 ? 4 : 1;
}

namespace {
/// Trees that are refined, of all that the greedy runs gave.
constexpr size_t maxRefined = 4;

class PlanSearch {
public:
  PlanSearch(const ContractionNetwork &network, const PlannerOptions &options)
      : network(network), options(options), target(*options.target) {}

  /// Fills `steps` and `lowerBound`.
  void run(ContractionPlan &plan) {
    size_t numOperands = network.operands.size();
    if (numOperands == 1) {
      plan.steps = makeLeftToRightSteps(network);
      plan.lowerBound = evaluate(plan.steps);
      return;
    }
    SubsetProblem problem =
        makeWholeProblem(network, target, options.objective);
    bool fits = numOperands <= maxSubsetLeaves && fitsSubsetSearch(problem);
    if (fits && numOperands <= options.maxExact)
      return searchExactly(problem, plan);
    plan.lowerBound = boundObjective(network, options.objective);
    consider(searchBest(problem, fits));
    plan.steps = std::move(bestSteps);
  }

private:
  U128 evaluate(const ContractionSteps &steps) const {
    return evaluateSteps(network, steps, target).get(options.objective);
  }

  void searchExactly(const SubsetProblem &problem, ContractionPlan &plan) {
    if (options.objective == Objective::Peak) {
      PeakSolution solution = searchPeak(problem);
      plan.steps = std::move(solution.steps);
      plan.lowerBound = solution.lowerBound;
      return;
    }
    SubsetSolution solution = searchAllSubsets(problem);
    plan.steps = scheduleTree(network, solution.tree);
    plan.lowerBound = solution.exact
                          ? evaluate(plan.steps)
                          : boundObjective(network, options.objective);
  }

  /// Keeps the tree if its order is the best so far.
  void consider(const ContractionTree &tree) {
    ContractionSteps steps = scheduleTree(network, tree);
    U128 value = evaluate(steps);
    if (bestSteps.empty() || value < bestValue) {
      bestSteps = std::move(steps);
      bestValue = value;
    }
  }

  struct Trial {
    U128 value;
    size_t index;
    ContractionTree tree;
  };

  std::vector<Trial> runTrials() const {
    std::vector<Trial> trials;
    Random random(options.seed);
    unsigned numTrials = getNumTrials(network.operands.size());
    for (unsigned i = 0; i < numTrials; ++i) {
      GreedyOptions greedy;
      greedy.seed = random.next();
      double balance = random.uniform(), heat = random.uniform();
      if (i > 0) { // the first one is without noise
        greedy.balance = 0.1 * std::pow(40.0, balance);
        greedy.temperature = 1e-3 * std::pow(1e3, heat);
      }
      ContractionTree tree = searchGreedily(network, greedy);
      U128 value = evaluate(scheduleTree(network, tree));
      trials.push_back({value, i, std::move(tree)});
    }
    std::sort(trials.begin(), trials.end(), [](const Trial &a, const Trial &b) {
      return a.value != b.value ? a.value < b.value : a.index < b.index;
    });
    return trials;
  }

  ContractionTree searchBest(const SubsetProblem &problem, bool fits) {
    std::vector<Trial> trials = runTrials();
    ContractionTree best = trials.front().tree;
    consider(best);
    // Pieces have no peak of their own; multiplications are the nearest thing.
    Objective objective = options.objective == Objective::Peak
                              ? Objective::Mults
                              : options.objective;
    size_t numRefined = network.operands.size() <= 300 ? maxRefined : 1;
    for (size_t i = 0; i < trials.size() && i < numRefined; ++i)
      consider(refineTree(network, target, objective, trials[i].tree,
                          options.seed + i));
    SubsetSolution solution;
    if (fits && options.objective != Objective::Peak &&
        searchConnectedSubsets(problem, bestValue.toDouble(), solution))
      return refineTree(network, target, objective, solution.tree,
                        options.seed);
    return best;
  }

  const ContractionNetwork &network;
  const PlannerOptions &options;
  const TargetModel &target;
  ContractionSteps bestSteps;
  U128 bestValue;
};
} // namespace

static bool isSaturated(const ContractionPlan &plan) {
  const PathCosts &costs = plan.costs;
  for (U128 count : {costs.mults, costs.flops, costs.stepMults,
                     costs.largestIntermediate, costs.peak, costs.savedBytes,
                     plan.naiveMults, plan.leftToRightMults, plan.lowerBound})
    if (count.isSaturated())
      return true;
  return false;
}

/// Fills everything that follows from the steps and the bound.
static void complete(const ContractionNetwork &network,
                     const PlannerOptions &options, ContractionPlan &plan) {
  plan.path = toPath(network.operands.size(), plan.steps);
  plan.costs = evaluateSteps(network, plan.steps, *options.target);
  plan.naiveMults = countNaiveMults(network);
  plan.leftToRightMults =
      evaluateSteps(network, makeLeftToRightSteps(network), *options.target)
          .mults;
  U128 value = plan.costs.get(options.objective);
  plan.provedOptimal = value == plan.lowerBound && !value.isSaturated();
  plan.saturated = isSaturated(plan);
}

ContractionPlanner::ContractionPlanner(const PlannerOptions &options)
    : options(options) {
  if (!this->options.target)
    this->options.target = lookupTarget("cpu");
}

ContractionPlan
ContractionPlanner::plan(const ContractionNetwork &network) const {
  ContractionPlan plan;
  PlanSearch(network, options).run(plan);
  complete(network, options, plan);
  return plan;
}

ContractionPlan
ContractionPlanner::evaluate(const ContractionNetwork &network,
                             const ContractionPath &path) const {
  ContractionPlan plan;
  // The search tells how far the given order is from the best one.
  if (network.operands.size() <= options.maxExact)
    PlanSearch(network, options).run(plan);
  else
    plan.lowerBound = boundObjective(network, options.objective);
  plan.steps = toSteps(network.operands.size(), path);
  complete(network, options, plan);
  // The order keeps the operands of each step as the user wrote them.
  plan.path = path;
  return plan;
}
