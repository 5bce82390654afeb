//===- ConnectedSearch.cpp - Search without outer products ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the dynamic programme over connected subsets under a
// rising cap on the cost, as in netcon (Pfeifer, Haegeman and Verstraete,
// arXiv:1304.6112): subsets that no tree within the cap can contain are never
// built, so that networks of 15 to 20 operands are solved in moments. Outer
// products are not tried; whoever calls improves the tree by exact searches of
// its parts. The work is counted and limited, so that it always ends.
//
//===----------------------------------------------------------------------===//

#include "NodeCost.h"

#include <algorithm>
#include <unordered_map>

using namespace cma;
using namespace cma::planner;

namespace {

/// Pairs of subsets that one search may look at.
constexpr uint64_t maxPairs = 60 * 1000 * 1000;
constexpr double capGrowth = 4;

template <class Policy>
class ConnectedSearch {
public:
  using Mask = typename Policy::Mask;
  using Number = typename Policy::Number;

  ConnectedSearch(const SubsetProblem &problem, const LabelClasses &labels)
      : costs(problem, labels),
        numLeaves(static_cast<uint32_t>(problem.leaves.size())) {
    for (unsigned c = 0; c < labels.classes.size(); ++c) {
      const LabelClasses::Class &info = labels.classes[c];
      // An axis of extent 1 connects nothing. Neither does one that the result
      // has and several leaves share, such as a batch axis: joining two leaves
      // over it alone sums nothing.
      bool isBatch = info.outer && __builtin_popcount(info.holders) > 1;
      if (info.extent != U128(1) && !isBatch)
        binding.set(c);
    }
  }

  bool run(double limit, SubsetSolution &solution) {
    uint32_t all = costs.getAllLeaves();
    for (double cap = std::max(1.0, limit / 4096);; cap *= capGrowth) {
      cap = std::min(cap, limit);
      if (!fill(cap))
        return false;
      if (auto found = index.find(all); found != index.end()) {
        const Entry &root = entries[found->second];
        solution.cost = CostTraits<Number>::toDouble(root.cost);
        solution.exact = false;
        solution.tree = {numLeaves, {}, std::vector<bool>(numLeaves, false)};
        extract(root, solution.tree);
        return true;
      }
      if (!(cap < limit))
        return false;
    }
  }

private:
  struct Entry {
    uint32_t subset;
    Mask kept;
    Number cost{};
    double elements = 0;
    uint32_t lhs = 0;
    bool lhsReduced = false, rhsReduced = false;
  };

  /// Finds every connected subset that costs at most `cap`; false when it has
  /// used up the work.
  bool fill(double cap) {
    entries.clear();
    index.clear();
    bySize.assign(numLeaves + 1, {});
    for (uint32_t leaf = 0; leaf < numLeaves; ++leaf)
      insert({uint32_t(1) << leaf, costs.getKept(uint32_t(1) << leaf)}, 1);
    for (uint32_t size = 2; size <= numLeaves; ++size)
      for (uint32_t small = 1; small * 2 <= size; ++small)
        if (!joinSizes(small, size - small, cap))
          return false;
    return true;
  }

  void insert(Entry entry, uint32_t size) {
    index[entry.subset] = entries.size();
    bySize[size].push_back(entries.size());
    entries.push_back(std::move(entry));
  }

  bool joinSizes(uint32_t small, uint32_t large, double cap) {
    for (size_t i = 0; i < bySize[small].size(); ++i) {
      size_t start = small == large ? i + 1 : 0;
      for (size_t j = start; j < bySize[large].size(); ++j) {
        if (++pairs > maxPairs)
          return false;
        const Entry &a = entries[bySize[small][i]];
        const Entry &b = entries[bySize[large][j]];
        if ((a.subset & b.subset) == 0 && (a.kept & b.kept & binding).any())
          join(a, b, small + large, cap);
      }
    }
    return true;
  }

  void join(const Entry &a, const Entry &b, uint32_t size, double cap) {
    bool aFirst = __builtin_ctz(a.subset) < __builtin_ctz(b.subset);
    const Entry &lhs = aFirst ? a : b, &rhs = aFirst ? b : a;
    Number below = lhs.cost + rhs.cost;
    if (CostTraits<Number>::toDouble(below) > cap)
      return;
    Entry out;
    out.subset = lhs.subset | rhs.subset;
    auto known = index.find(out.subset);
    if (known != index.end() && entries[known->second].cost < below)
      return;
    out.kept = known != index.end() ? entries[known->second].kept
                                    : costs.getKept(out.subset);
    auto choice =
        costs.join(lhs.subset, lhs.kept, rhs.subset, rhs.kept, out.kept);
    out.cost = below + choice.cost;
    if (CostTraits<Number>::toDouble(out.cost) > cap)
      return;
    out.elements = lhs.elements + rhs.elements + choice.reducedElements +
                   costs.countElements(out.kept);
    out.lhs = lhs.subset;
    out.lhsReduced = choice.lhsReduced;
    out.rhsReduced = choice.rhsReduced;
    if (known == index.end())
      return insert(std::move(out), size);
    Entry &old = entries[known->second];
    if (out.cost < old.cost ||
        (out.cost == old.cost && out.elements < old.elements))
      old = std::move(out);
  }

  uint32_t extract(const Entry &entry, ContractionTree &tree) const {
    if (!entry.lhs)
      return static_cast<uint32_t>(__builtin_ctz(entry.subset));
    uint32_t lhs = extract(entries[index.at(entry.lhs)], tree);
    uint32_t rhs = extract(entries[index.at(entry.subset ^ entry.lhs)], tree);
    if (entry.lhsReduced)
      tree.reduced[lhs] = true;
    if (entry.rhsReduced)
      tree.reduced[rhs] = true;
    tree.nodes.push_back({lhs, rhs});
    return numLeaves + static_cast<uint32_t>(tree.nodes.size()) - 1;
  }

  NodeCosts<Policy> costs;
  uint32_t numLeaves;
  Mask binding;
  uint64_t pairs = 0;
  std::vector<Entry> entries;
  std::unordered_map<uint32_t, size_t> index;
  std::vector<std::vector<size_t>> bySize;
};

} // namespace

bool cma::planner::searchConnectedSubsets(const SubsetProblem &problem,
                                          double limit,
                                          SubsetSolution &solution) {
  LabelClasses labels = classifyLabels(problem);
  return withPolicy(problem, labels, /*wide=*/false, [&](auto tag) {
    using Policy = typename decltype(tag)::type;
    return ConnectedSearch<Policy>(problem, labels).run(limit, solution);
  });
}
