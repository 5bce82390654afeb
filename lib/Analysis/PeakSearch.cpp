//===- PeakSearch.cpp - Orders with the fewest live elements --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file searches for the order whose intermediates need the fewest elements
// at once. Inputs count for nothing, and a leaf is never summed first: its sum
// would only be one more live tensor.
//
// A dynamic programme over subsets gives the best order in which every subtree
// is finished before its sibling is begun. Orders that interleave subtrees can
// be better, so a best-first search over partitions of the leaves tries to beat
// it; the peak so far is its key, and what it pops last bounds what remains.
//
//===----------------------------------------------------------------------===//

#include "LabelMask.h"
#include "SubsetProblem.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

using namespace cma;
using namespace cma::planner;

namespace {

constexpr size_t maxPartitions = 60000;

using Partition = std::vector<uint32_t>;

class PeakSearch {
public:
  explicit PeakSearch(const SubsetProblem &problem)
      : problem(problem),
        numLeaves(static_cast<uint32_t>(problem.leaves.size())),
        all(static_cast<uint32_t>((uint64_t(1) << numLeaves) - 1)) {}

  PeakSolution run() {
    measureSubsets();
    entries.resize(size_t(all) + 1);
    for (uint32_t subset = 1; subset <= all; ++subset)
      if (subset & (subset - 1))
        solve(subset);
    PeakSolution solution;
    solution.lowerBound = boundLastStep();
    extract(all, solution.steps);
    if (solution.lowerBound < entries[all].peak)
      interleave(solution);
    return solution;
  }

private:
  struct Entry {
    U128 peak;
    /// Multiplications, the second criterion.
    U128 mults;
    /// The part that is computed first; zero in a leaf.
    uint32_t first = 0;
  };

  /// Elements of the result of every subset; inputs count nothing.
  void measureSubsets() {
    LabelClasses labels = classifyLabels(problem);
    sizes.resize(size_t(all) + 1);
    for (uint32_t subset = 1; subset <= all; ++subset) {
      if (!(subset & (subset - 1)))
        continue;
      sizes[subset] = U128(1);
      for (const LabelClasses::Class &info : labels.classes)
        if ((info.holders & subset) && (info.outer || (info.holders & ~subset)))
          sizes[subset] *= info.extent;
    }
    classes = std::move(labels.classes);
  }

  U128 countMults(uint32_t lhs, uint32_t rhs) const {
    auto has = [](uint32_t part, const LabelClasses::Class &info) {
      bool single = !(part & (part - 1));
      return (info.holders & part) &&
             (single || info.outer || (info.holders & ~part));
    };
    U128 product(1);
    for (const LabelClasses::Class &info : classes)
      if (has(lhs, info) || has(rhs, info))
        product *= info.extent;
    return product;
  }

  void solve(uint32_t subset) {
    uint32_t lowest = subset & (~subset + 1);
    uint32_t others = subset ^ lowest;
    Entry best;
    for (uint32_t part = (others - 1) & others;; part = (part - 1) & others) {
      uint32_t lhs = part | lowest, rhs = subset ^ lhs;
      const Entry &left = entries[lhs], &right = entries[rhs];
      U128 leftFirst = std::max(left.peak, sizes[lhs] + right.peak);
      U128 rightFirst = std::max(right.peak, sizes[rhs] + left.peak);
      U128 peak = std::max(std::min(leftFirst, rightFirst),
                           sizes[lhs] + sizes[rhs] + sizes[subset]);
      if (!best.first || peak <= best.peak) {
        U128 mults = left.mults + right.mults + countMults(lhs, rhs);
        if (!best.first || peak < best.peak || mults < best.mults)
          best = {peak, mults, rightFirst < leftFirst ? rhs : lhs};
      }
      if (part == 0)
        break;
    }
    entries[subset] = best;
  }

  /// The last step keeps its operands and the result alive, in any order.
  U128 boundLastStep() const {
    U128 best = U128::saturated();
    for (uint32_t part = (all - 1) & all; part; part = (part - 1) & all)
      best = std::min(best, sizes[part] + sizes[all ^ part] + sizes[all]);
    return best;
  }

  uint32_t extract(uint32_t subset, ContractionSteps &steps) const {
    const Entry &entry = entries[subset];
    if (!entry.first)
      return static_cast<uint32_t>(__builtin_ctz(subset));
    uint32_t first = entry.first, second = subset ^ first;
    uint32_t firstValue = extract(first, steps);
    uint32_t secondValue = extract(second, steps);
    return appendStep(first, firstValue, second, secondValue, steps);
  }

  /// The operand with the earlier leaves goes to the left.
  uint32_t appendStep(uint32_t a, uint32_t aValue, uint32_t b, uint32_t bValue,
                      ContractionSteps &steps) const {
    if (__builtin_ctz(b) < __builtin_ctz(a))
      std::swap(aValue, bValue);
    steps.push_back({aValue, bValue});
    return numLeaves + static_cast<uint32_t>(steps.size()) - 1;
  }

  //===--------------------------------------------------------------------===//
  // Orders that interleave subtrees
  //===--------------------------------------------------------------------===//

  struct State {
    Partition parts;
    U128 peak;
    size_t parent;
    /// The two parts that the last step joined.
    uint32_t lhs, rhs;
  };

  U128 countAlive(const Partition &parts) const {
    U128 alive;
    for (uint32_t part : parts)
      alive += sizes[part];
    return alive;
  }

  void interleave(PeakSolution &solution) {
    U128 limit = entries[all].peak;
    // Lowest peak first; of equals the one that is nearest to the end.
    using Key = std::tuple<U128, size_t, size_t>;
    auto later = [](const Key &a, const Key &b) { return b < a; };
    std::priority_queue<Key, std::vector<Key>, decltype(later)> queue(later);
    std::map<Partition, U128> seen;
    std::vector<State> states(1);
    for (uint32_t leaf = 0; leaf < numLeaves; ++leaf)
      states[0].parts.push_back(uint32_t(1) << leaf);
    queue.push({U128(), numLeaves, 0});
    while (!queue.empty()) {
      U128 peak = std::get<0>(queue.top());
      size_t count = std::get<1>(queue.top()), index = std::get<2>(queue.top());
      queue.pop();
      if (seen.size() > maxPartitions) {
        solution.lowerBound = std::max(solution.lowerBound, peak);
        return;
      }
      if (count == 1) {
        solution.lowerBound = peak;
        solution.steps = replay(states, index);
        return;
      }
      auto known = seen.find(states[index].parts);
      if (known != seen.end() && known->second < peak)
        continue;
      expand(index, limit, states, seen, [&](size_t child) {
        queue.push({states[child].peak, count - 1, child});
      });
    }
    solution.lowerBound = limit;
  }

  template <class Push>
  void expand(size_t index, U128 limit, std::vector<State> &states,
              std::map<Partition, U128> &seen, Push push) const {
    const Partition parts = states[index].parts;
    U128 alive = countAlive(parts);
    for (size_t i = 0; i < parts.size(); ++i)
      for (size_t j = i + 1; j < parts.size(); ++j) {
        uint32_t both = parts[i] | parts[j];
        U128 peak = std::max(states[index].peak, alive + sizes[both]);
        if (peak >= limit)
          continue;
        Partition next;
        for (size_t k = 0; k < parts.size(); ++k)
          if (k != j)
            next.push_back(k == i ? both : parts[k]);
        auto [it, isNew] = seen.try_emplace(next, peak);
        if (!isNew && it->second <= peak)
          continue;
        it->second = peak;
        states.push_back({std::move(next), peak, index, parts[i], parts[j]});
        push(states.size() - 1);
      }
  }

  ContractionSteps replay(const std::vector<State> &states,
                          size_t index) const {
    std::vector<const State *> order;
    for (; index != 0; index = states[index].parent)
      order.push_back(&states[index]);
    std::reverse(order.begin(), order.end());
    std::map<uint32_t, uint32_t> valueOf;
    for (uint32_t leaf = 0; leaf < numLeaves; ++leaf)
      valueOf[uint32_t(1) << leaf] = leaf;
    ContractionSteps steps;
    for (const State *state : order)
      valueOf[state->lhs | state->rhs] =
          appendStep(state->lhs, valueOf[state->lhs], state->rhs,
                     valueOf[state->rhs], steps);
    return steps;
  }

  const SubsetProblem &problem;
  uint32_t numLeaves;
  uint32_t all;
  std::vector<LabelClasses::Class> classes;
  std::vector<U128> sizes;
  std::vector<Entry> entries;
};

} // namespace

PeakSolution cma::planner::searchPeak(const SubsetProblem &problem) {
  return PeakSearch(problem).run();
}
