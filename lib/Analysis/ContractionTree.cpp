//===- ContractionTree.cpp - Binary contraction trees ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file puts the steps of a tree in order.
//
//===----------------------------------------------------------------------===//

#include "ContractionTree.h"

#include <algorithm>

using namespace cma;
using namespace cma::planner;

namespace {

/// What a subtree occupies, in elements.
struct Occupancy {
  /// Of its result; 0 for an input.
  double size = 0;
  /// At the worst moment of computing it.
  double peak = 0;
  uint32_t firstLeaf = 0;
};

class Scheduler {
public:
  Scheduler(const ContractionNetwork &network, const ContractionTree &tree)
      : network(network), tree(tree), occupancy(tree.numLeaves),
        children(tree.nodes) {}

  ContractionSteps run() {
    measureLeaves();
    measureNodes();
    emit(tree.numLeaves + static_cast<uint32_t>(tree.nodes.size()) - 1);
    return std::move(steps);
  }

private:
  void measureLeaves() {
    holders = countHolders(network);
    for (uint32_t leaf = 0; leaf < tree.numLeaves; ++leaf) {
      LabelSet labels = makeLabelSet(network.operands[leaf]);
      occupancy[leaf].firstLeaf = leaf;
      if (tree.reduced[leaf]) {
        labels.erase(
            std::remove_if(labels.begin(), labels.end(),
                           [&](LabelId label) { return holders[label] == 1; }),
            labels.end());
        occupancy[leaf].size = occupancy[leaf].peak = count(labels);
      }
      labelsOf.push_back(std::move(labels));
    }
  }

  /// Bottom up; swaps the children of a node where the second one had better be
  /// computed first.
  void measureNodes() {
    for (ContractionTree::Node &node : children) {
      labelsOf.push_back(merge(node.lhs, node.rhs));
      Occupancy &lhs = occupancy[node.lhs], &rhs = occupancy[node.rhs];
      Occupancy out;
      out.size = count(labelsOf.back());
      out.firstLeaf = std::min(lhs.firstLeaf, rhs.firstLeaf);
      double lhsFirst = std::max(lhs.peak, lhs.size + rhs.peak);
      double rhsFirst = std::max(rhs.peak, rhs.size + lhs.peak);
      bool swap = rhsFirst < lhsFirst ||
                  (rhsFirst == lhsFirst && rhs.firstLeaf < lhs.firstLeaf);
      out.peak = std::max(std::min(lhsFirst, rhsFirst),
                          lhs.size + rhs.size + out.size);
      if (swap)
        std::swap(node.lhs, node.rhs);
      occupancy.push_back(out);
    }
  }

  double count(const LabelSet &labels) const {
    return countElements(network, labels).toDouble();
  }

  LabelSet merge(uint32_t lhs, uint32_t rhs) {
    LabelSet kept;
    for (uint32_t operand : {lhs, rhs})
      for (LabelId label : labelsOf[operand])
        --holders[label];
    for (LabelId label : unite(labelsOf[lhs], labelsOf[rhs]))
      if (holders[label] > 0) {
        kept.push_back(label);
        ++holders[label];
      }
    return kept;
  }

  /// Depth first with a stack of its own: a chain of thousands of operands must
  /// not exhaust the thread's.
  void emit(uint32_t root) {
    std::vector<std::pair<uint32_t, bool>> work = {{root, false}};
    std::vector<uint32_t> valueOf(occupancy.size());
    auto define = [&](uint32_t id, ContractionStep step) {
      valueOf[id] = tree.numLeaves + static_cast<uint32_t>(steps.size());
      steps.push_back(step);
    };
    while (!work.empty()) {
      auto [id, expanded] = work.back();
      work.pop_back();
      if (id < tree.numLeaves) {
        valueOf[id] = id;
        if (tree.reduced[id])
          define(id, {id, ContractionStep::none});
        continue;
      }
      ContractionTree::Node node = children[id - tree.numLeaves];
      if (!expanded) {
        work.insert(work.end(),
                    {{id, true}, {node.rhs, false}, {node.lhs, false}});
        continue;
      }
      if (occupancy[node.rhs].firstLeaf < occupancy[node.lhs].firstLeaf)
        std::swap(node.lhs, node.rhs);
      define(id, {valueOf[node.lhs], valueOf[node.rhs]});
    }
  }

  const ContractionNetwork &network;
  const ContractionTree &tree;
  std::vector<uint32_t> holders;
  std::vector<LabelSet> labelsOf;
  std::vector<Occupancy> occupancy;
  std::vector<ContractionTree::Node> children;
  ContractionSteps steps;
};

} // namespace

ContractionSteps cma::planner::scheduleTree(const ContractionNetwork &network,
                                            const ContractionTree &tree) {
  return Scheduler(network, tree).run();
}
