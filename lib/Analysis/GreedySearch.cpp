//===- GreedySearch.cpp - Greedy orders with noise ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements one greedy run. Its work is near-linear in the number of
// operands: a label that very many operands have is not paired completely.
//
//===----------------------------------------------------------------------===//

#include "HeuristicSearch.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_set>

using namespace cma;
using namespace cma::planner;

namespace {

/// Of the holders of one label, a tensor is paired with at most this many.
constexpr size_t maxNeighbours = 32;

class GreedySearch {
public:
  GreedySearch(const ContractionNetwork &network, const GreedyOptions &options)
      : network(network), options(options), random(options.seed),
        count(countHolders(network)), holders(network.extents.size()) {}

  ContractionTree run() {
    addLeaves();
    for (uint32_t id = 0; id < tree.numLeaves; ++id)
      propose(id, /*onlyLater=*/true);
    while (!queue.empty()) {
      Candidate best = queue.top();
      queue.pop();
      if (alive[best.lhs] && alive[best.rhs])
        propose(join(best.lhs, best.rhs), /*onlyLater=*/false);
    }
    joinRest();
    return std::move(tree);
  }

private:
  struct Candidate {
    double score;
    uint32_t lhs, rhs;
    bool operator<(const Candidate &other) const {
      // The queue pops the largest: of equal scores the earliest pair.
      return std::tie(score, lhs, rhs) >
             std::tie(other.score, other.lhs, other.rhs);
    }
  };

  void addLeaves() {
    tree.numLeaves = static_cast<uint32_t>(network.operands.size());
    for (const std::vector<LabelId> &axes : network.operands) {
      LabelSet kept;
      bool reduced = false;
      for (LabelId label : makeLabelSet(axes)) {
        if (count[label] > 1)
          kept.push_back(label);
        else
          reduced = true;
      }
      tree.reduced.push_back(reduced);
      addTensor(std::move(kept));
    }
  }

  uint32_t addTensor(LabelSet kept) {
    auto id = static_cast<uint32_t>(labels.size());
    sizes.push_back(measure(kept));
    for (LabelId label : kept)
      holders[label].push_back(id);
    labels.push_back(std::move(kept));
    alive.push_back(true);
    return id;
  }

  double measure(const LabelSet &set) const {
    double size = 1;
    for (LabelId label : set)
      size *= static_cast<double>(network.extents[label]);
    return size;
  }

  /// Labels of the join of two tensors.
  LabelSet merge(uint32_t lhs, uint32_t rhs) const {
    LabelSet kept;
    const LabelSet &a = labels[lhs], &b = labels[rhs];
    for (LabelId label : unite(a, b)) {
      bool inBoth = std::binary_search(a.begin(), a.end(), label) &&
                    std::binary_search(b.begin(), b.end(), label);
      if (count[label] > (inBoth ? 2u : 1u))
        kept.push_back(label);
    }
    return kept;
  }

  uint32_t join(uint32_t lhs, uint32_t rhs) {
    LabelSet kept = merge(lhs, rhs);
    alive[lhs] = alive[rhs] = false;
    for (uint32_t part : {lhs, rhs})
      for (LabelId label : labels[part])
        --count[label];
    for (LabelId label : kept)
      ++count[label];
    tree.nodes.push_back({lhs, rhs});
    return addTensor(std::move(kept));
  }

  /// Offers to join tensor `id` with those that share a label with it.
  void propose(uint32_t id, bool onlyLater) {
    std::unordered_set<uint32_t> offered;
    for (LabelId label : labels[id]) {
      if (network.extents[label] == 1)
        continue;
      std::vector<uint32_t> &list = holders[label];
      list.erase(std::remove_if(list.begin(), list.end(),
                                [&](uint32_t other) { return !alive[other]; }),
                 list.end());
      size_t taken = 0;
      for (uint32_t other : list) {
        if (other == id || (onlyLater && other < id))
          continue;
        if (++taken > maxNeighbours)
          break;
        if (offered.insert(other).second)
          queue.push(
              {getScore(id, other), std::min(id, other), std::max(id, other)});
      }
    }
  }

  double getScore(uint32_t lhs, uint32_t rhs) {
    double made = measure(merge(lhs, rhs));
    double gain =
        made / options.balance - (sizes[lhs] + sizes[rhs]) * options.balance;
    double score = gain > 0 ? std::log1p(gain) : -std::log1p(-gain);
    if (options.temperature > 0)
      score += options.temperature * std::log(-std::log(random.uniform()));
    return score;
  }

  void joinRest() {
    using Item = std::pair<double, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> rest;
    for (uint32_t id = 0; id < labels.size(); ++id)
      if (alive[id])
        rest.push({sizes[id], id});
    while (rest.size() > 1) {
      uint32_t first = rest.top().second;
      rest.pop();
      uint32_t second = rest.top().second;
      rest.pop();
      uint32_t joined = join(std::min(first, second), std::max(first, second));
      rest.push({sizes[joined], joined});
    }
  }

  const ContractionNetwork &network;
  const GreedyOptions &options;
  Random random;
  /// Tensors that have a label now, the result counted as one.
  std::vector<uint32_t> count;
  /// Tensors that have had a label.
  std::vector<std::vector<uint32_t>> holders;
  std::vector<LabelSet> labels;
  std::vector<double> sizes;
  std::vector<bool> alive;
  std::priority_queue<Candidate> queue;
  ContractionTree tree;
};

} // namespace

ContractionTree cma::planner::searchGreedily(const ContractionNetwork &network,
                                             const GreedyOptions &options) {
  return GreedySearch(network, options).run();
}
