//===- ContractionTree.h - Binary contraction trees -------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the searches produce: a binary tree over leaves, some
// of which are summed over their own labels first.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_CONTRACTIONTREE_H
#define CMA_LIB_ANALYSIS_CONTRACTIONTREE_H

#include "cma/Analysis/ContractionPath.h"

namespace cma::planner {

/// Leaves are numbered 0 to `numLeaves - 1`; node `i` of `nodes` has the number
/// `numLeaves + i`, children come before parents, and the last one is the root.
struct ContractionTree {
  struct Node {
    uint32_t lhs, rhs;
  };
  uint32_t numLeaves = 0;
  std::vector<Node> nodes;
  /// Leaves that are summed over the labels that only they have, before use.
  std::vector<bool> reduced;
};

/// Orders the steps of a tree depth first, of two subtrees the one first that
/// keeps fewer elements alive, and puts the operand with the earlier leaves on
/// the left.
ContractionSteps scheduleTree(const ContractionNetwork &network,
                              const ContractionTree &tree);

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_CONTRACTIONTREE_H
