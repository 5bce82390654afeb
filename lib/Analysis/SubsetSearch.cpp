//===- SubsetSearch.cpp - Exact search over all subsets -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the dynamic programme over all subsets of leaves, outer
// products included. The memo is keyed by the set of leaves and never by the
// set of labels: what a subset costs to join depends on what is left outside
// it, and planners that forget this miss the optimum (opt_einsum issues 99,
// 248, 254).
//
//===----------------------------------------------------------------------===//

#include "NodeCost.h"

using namespace cma;
using namespace cma::planner;

namespace {

template <class Policy>
class SubsetSearch {
public:
  using Mask = typename Policy::Mask;
  using Number = typename Policy::Number;

  SubsetSearch(const SubsetProblem &problem, const LabelClasses &labels)
      : costs(problem, labels),
        numLeaves(static_cast<uint32_t>(problem.leaves.size())) {}

  SubsetSolution run() {
    uint32_t all = costs.getAllLeaves();
    cost.resize(size_t(all) + 1);
    kept.resize(size_t(all) + 1);
    points.resize(size_t(all) + 1);
    choices.resize(size_t(all) + 1);
    // A subset has a larger number than any of its parts.
    for (uint32_t subset = 1; subset <= all; ++subset) {
      kept[subset] = costs.getKept(subset);
      points[subset] = costs.countPoints(kept[subset]);
      if (subset & (subset - 1))
        solve(subset);
    }
    SubsetSolution solution;
    solution.cost = CostTraits<Number>::toDouble(cost[all]);
    solution.exact = CostTraits<Number>::isExact(cost[all]);
    solution.tree.numLeaves = numLeaves;
    solution.tree.reduced.assign(numLeaves, false);
    extract(all, solution.tree);
    return solution;
  }

private:
  struct Choice {
    /// Elements of all intermediates below: the second criterion.
    double elements = 0;
    /// The part with the lowest leaf; zero in a leaf.
    uint32_t lhs = 0;
    bool lhsReduced = false, rhsReduced = false;
  };

  void solve(uint32_t subset) {
    uint32_t lowest = subset & (~subset + 1);
    uint32_t others = subset ^ lowest;
    const Mask outKept = kept[subset];
    Number bestCost{};
    Choice best;
    // Every split once: the part with the lowest leaf is the left one.
    for (uint32_t part = (others - 1) & others;; part = (part - 1) & others) {
      uint32_t lhs = part | lowest, rhs = subset ^ lhs;
      Number below = cost[lhs] + cost[rhs];
      if (!best.lhs ||
          (!(bestCost < below) &&
           !(bestCost < below + costs.getFloor(lhs, points[lhs], rhs,
                                               points[rhs], points[subset])))) {
        auto node = costs.join(lhs, kept[lhs], rhs, kept[rhs], outKept);
        Number total = below + node.cost;
        double elements = choices[lhs].elements + choices[rhs].elements +
                          node.reducedElements;
        if (!best.lhs || total < bestCost ||
            (total == bestCost && elements < best.elements)) {
          bestCost = total;
          best = {elements, lhs, node.lhsReduced, node.rhsReduced};
        }
      }
      if (part == 0)
        break;
    }
    best.elements += costs.countElements(outKept);
    cost[subset] = bestCost;
    choices[subset] = best;
  }

  uint32_t extract(uint32_t subset, ContractionTree &tree) const {
    const Choice &choice = choices[subset];
    if (!choice.lhs)
      return static_cast<uint32_t>(__builtin_ctz(subset));
    uint32_t lhs = extract(choice.lhs, tree);
    uint32_t rhs = extract(subset ^ choice.lhs, tree);
    if (choice.lhsReduced)
      tree.reduced[lhs] = true;
    if (choice.rhsReduced)
      tree.reduced[rhs] = true;
    tree.nodes.push_back({lhs, rhs});
    return numLeaves + static_cast<uint32_t>(tree.nodes.size()) - 1;
  }

  NodeCosts<Policy> costs;
  uint32_t numLeaves;
  /// By subset; apart, since most splits are given up on their costs alone.
  std::vector<Number> cost;
  std::vector<Mask> kept;
  std::vector<Number> points;
  std::vector<Choice> choices;
};

} // namespace

SubsetSolution cma::planner::searchAllSubsets(const SubsetProblem &problem) {
  LabelClasses labels = classifyLabels(problem);
  auto search = [&](bool wide) {
    return withPolicy(problem, labels, wide, [&](auto tag) {
      using Policy = typename decltype(tag)::type;
      return SubsetSearch<Policy>(problem, labels).run();
    });
  };
  SubsetSolution solution = search(/*wide=*/false);
  if (solution.exact || problem.objective == Objective::Time)
    return solution;
  // Beyond 128 bits every cost looks alike, and doubles tell more.
  SubsetSolution exact = search(/*wide=*/true);
  return exact.exact ? exact : solution;
}

double cma::planner::evaluateTree(const SubsetProblem &problem,
                                  const ContractionTree &tree) {
  LabelClasses labels = classifyLabels(problem);
  return withPolicy(problem, labels, /*wide=*/false, [&](auto tag) {
    using Policy = typename decltype(tag)::type;
    NodeCosts<Policy> costs(problem, labels);
    std::vector<uint32_t> subsets;
    for (uint32_t leaf = 0; leaf < tree.numLeaves; ++leaf)
      subsets.push_back(uint32_t(1) << leaf);
    auto isReduced = [&](uint32_t id) {
      return id < tree.numLeaves && tree.reduced[id];
    };
    typename Policy::Number total{};
    for (auto [lhs, rhs] : tree.nodes) {
      total = total + costs
                          .joinAs(subsets[lhs], subsets[rhs], isReduced(lhs),
                                  isReduced(rhs))
                          .cost;
      subsets.push_back(subsets[lhs] | subsets[rhs]);
    }
    return CostTraits<typename Policy::Number>::toDouble(total);
  });
}
