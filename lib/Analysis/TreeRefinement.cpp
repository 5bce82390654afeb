//===- TreeRefinement.cpp - Improving a tree piece by piece ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements subtree re-optimisation: a piece of the tree, with
// subtrees as its leaves, is a small network of its own and is solved exactly.
//
//===----------------------------------------------------------------------===//

#include "HeuristicSearch.h"

#include <algorithm>

using namespace cma;
using namespace cma::planner;

namespace {

constexpr size_t pieceLeaves = 9;
/// Pieces that one refinement may solve.
constexpr size_t maxPieces = 6000;

class TreeRefiner {
public:
  TreeRefiner(const ContractionNetwork &network, const TargetModel &target,
              Objective objective, const ContractionTree &tree, uint64_t seed)
      : network(network), target(target), objective(objective),
        numLeaves(tree.numLeaves), holders(countHolders(network)), random(seed),
        children(tree.nodes), reduced(tree.reduced) {
    measureAll();
  }

  ContractionTree run() {
    size_t solved = 0;
    bool improved = true;
    for (unsigned pass = 0; improved && solved < maxPieces; ++pass) {
      improved = false;
      // A copy: the order changes when a piece is replaced.
      std::vector<uint32_t> order = getPostorder();
      for (uint32_t root : order) {
        if (solved++ >= maxPieces)
          break;
        improved |= improve(root, /*shuffle=*/pass % 2 == 1);
      }
    }
    return makeTree();
  }

private:
  /// A label and how many of its holders are within a subtree.
  struct Share {
    LabelId label;
    uint32_t count;
  };
  struct Subtree {
    /// Those that something outside still needs, or all of a leaf's; ascending.
    std::vector<Share> labels;
    double size = 1;
    uint32_t wanted = 0;
    uint32_t firstLeaf = 0;
  };

  bool isLeaf(uint32_t id) const { return id < numLeaves; }
  ContractionTree::Node &getChildren(uint32_t id) {
    return children[id - numLeaves];
  }
  uint32_t getRoot() const {
    return numLeaves + static_cast<uint32_t>(children.size()) - 1;
  }

  void measureAll() {
    subtrees.resize(numLeaves + children.size());
    for (uint32_t leaf = 0; leaf < numLeaves; ++leaf) {
      Subtree &info = subtrees[leaf];
      for (LabelId label : makeLabelSet(network.operands[leaf]))
        info.labels.push_back({label, 1});
      info.wanted = network.wanted.isOperandWanted(leaf) ? 1 : 0;
      info.firstLeaf = leaf;
      wantedTotal += info.wanted;
    }
    wantedTotal += network.wanted.result ? 1 : 0;
    for (uint32_t id = numLeaves; id < subtrees.size(); ++id)
      measure(id);
  }

  void measure(uint32_t id) {
    const Subtree &lhs = subtrees[getChildren(id).lhs];
    const Subtree &rhs = subtrees[getChildren(id).rhs];
    Subtree out;
    auto add = [&](LabelId label, uint32_t count) {
      if (count == holders[label])
        return;
      out.labels.push_back({label, count});
      out.size *= static_cast<double>(network.extents[label]);
    };
    auto a = lhs.labels.begin(), b = rhs.labels.begin();
    while (a != lhs.labels.end() || b != rhs.labels.end()) {
      bool takeA = b == rhs.labels.end() ||
                   (a != lhs.labels.end() && a->label <= b->label);
      bool takeB = a == lhs.labels.end() ||
                   (b != rhs.labels.end() && b->label <= a->label);
      LabelId label = takeA ? a->label : b->label;
      add(label, (takeA ? a->count : 0) + (takeB ? b->count : 0));
      a += takeA;
      b += takeB;
    }
    out.wanted = lhs.wanted + rhs.wanted;
    out.firstLeaf = std::min(lhs.firstLeaf, rhs.firstLeaf);
    subtrees[id] = std::move(out);
  }

  std::vector<uint32_t> getPostorder() {
    std::vector<uint32_t> order, work = {getRoot()};
    while (!work.empty()) {
      uint32_t id = work.back();
      work.pop_back();
      if (isLeaf(id))
        continue;
      order.push_back(id);
      work.push_back(getChildren(id).lhs);
      work.push_back(getChildren(id).rhs);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  /// A piece below `root`: its leaves, and its inner nodes, `root` first.
  struct Piece {
    std::vector<uint32_t> leaves, nodes;
  };

  /// Opens the largest leaf of the piece, or any one, until it is full.
  Piece cutPiece(uint32_t root, bool shuffle) {
    Piece piece;
    piece.leaves = {root};
    while (piece.leaves.size() < pieceLeaves) {
      size_t pick = piece.leaves.size();
      double best = -1;
      for (size_t i = 0; i < piece.leaves.size(); ++i) {
        if (isLeaf(piece.leaves[i]))
          continue;
        double weight =
            shuffle ? random.uniform() : subtrees[piece.leaves[i]].size;
        if (weight > best) {
          best = weight;
          pick = i;
        }
      }
      if (pick == piece.leaves.size())
        break;
      uint32_t id = piece.leaves[pick];
      piece.nodes.push_back(id);
      piece.leaves[pick] = getChildren(id).lhs;
      piece.leaves.push_back(getChildren(id).rhs);
    }
    std::sort(piece.leaves.begin(), piece.leaves.end(),
              [&](uint32_t a, uint32_t b) {
                return subtrees[a].firstLeaf < subtrees[b].firstLeaf;
              });
    return piece;
  }

  SubsetProblem makeProblem(uint32_t root, const Piece &piece) const {
    SubsetProblem problem{network, target, objective, {}, {}, false};
    for (uint32_t id : piece.leaves) {
      const Subtree &info = subtrees[id];
      ElementType type =
          isLeaf(id) ? network.getOperandType(id) : network.computeType;
      SubsetLeaf leaf = {{}, info.wanted > 0, getElementBytes(type)};
      for (const Share &share : info.labels)
        leaf.labels.push_back(share.label);
      problem.leaves.push_back(std::move(leaf));
    }
    for (const Share &share : subtrees[root].labels)
      problem.outer.push_back(share.label);
    problem.outerWanted = wantedTotal > subtrees[root].wanted;
    return problem;
  }

  /// The piece as it is, in terms of its problem.
  ContractionTree getPieceTree(const Piece &piece) {
    auto numPieceLeaves = static_cast<uint32_t>(piece.leaves.size());
    ContractionTree tree = {
        numPieceLeaves, {}, std::vector<bool>(numPieceLeaves, false)};
    auto find = [](const std::vector<uint32_t> &list, uint32_t id) {
      return static_cast<uint32_t>(std::find(list.begin(), list.end(), id) -
                                   list.begin());
    };
    for (uint32_t i = 0; i < numPieceLeaves; ++i)
      tree.reduced[i] = isLeaf(piece.leaves[i]) && reduced[piece.leaves[i]];
    // Nodes were opened parents first.
    auto last = static_cast<uint32_t>(piece.nodes.size()) - 1;
    auto number = [&](uint32_t id) {
      uint32_t inner = find(piece.nodes, id);
      return inner <= last ? numPieceLeaves + last - inner
                           : find(piece.leaves, id);
    };
    for (uint32_t i = 0; i <= last; ++i) {
      const ContractionTree::Node &node = getChildren(piece.nodes[last - i]);
      tree.nodes.push_back({number(node.lhs), number(node.rhs)});
    }
    return tree;
  }

  bool improve(uint32_t root, bool shuffle) {
    Piece piece = cutPiece(root, shuffle);
    SubsetProblem problem = makeProblem(root, piece);
    if (!fitsSubsetSearch(problem))
      return false;
    double before = evaluateTree(problem, getPieceTree(piece));
    SubsetSolution solution = searchAllSubsets(problem);
    if (!(solution.cost < before))
      return false;
    replace(piece, solution.tree);
    return true;
  }

  /// Rewires the inner nodes of the piece; `root` stays where it is.
  void replace(const Piece &piece, const ContractionTree &tree) {
    uint32_t last = static_cast<uint32_t>(piece.nodes.size()) - 1;
    auto globalId = [&](uint32_t id) {
      return id < tree.numLeaves ? piece.leaves[id]
                                 : piece.nodes[last - (id - tree.numLeaves)];
    };
    for (uint32_t i = 0; i < tree.numLeaves; ++i)
      if (isLeaf(piece.leaves[i]))
        reduced[piece.leaves[i]] = tree.reduced[i];
    for (uint32_t i = 0; i <= last; ++i) {
      uint32_t id = piece.nodes[last - i];
      getChildren(id) = {globalId(tree.nodes[i].lhs),
                         globalId(tree.nodes[i].rhs)};
      measure(id);
    }
  }

  /// Renumbers the nodes so that children come first.
  ContractionTree makeTree() {
    ContractionTree tree = {numLeaves, {}, reduced};
    std::vector<uint32_t> numberOf(subtrees.size());
    for (uint32_t leaf = 0; leaf < numLeaves; ++leaf)
      numberOf[leaf] = leaf;
    for (uint32_t id : getPostorder()) {
      numberOf[id] = numLeaves + static_cast<uint32_t>(tree.nodes.size());
      tree.nodes.push_back(
          {numberOf[getChildren(id).lhs], numberOf[getChildren(id).rhs]});
    }
    return tree;
  }

  const ContractionNetwork &network;
  const TargetModel &target;
  Objective objective;
  uint32_t numLeaves;
  std::vector<uint32_t> holders;
  Random random;
  std::vector<ContractionTree::Node> children;
  std::vector<bool> reduced;
  std::vector<Subtree> subtrees;
  uint32_t wantedTotal = 0;
};

} // namespace

ContractionTree cma::planner::refineTree(const ContractionNetwork &network,
                                         const TargetModel &target,
                                         Objective objective,
                                         const ContractionTree &tree,
                                         uint64_t seed) {
  return TreeRefiner(network, target, objective, tree, seed).run();
}
