//===- HeuristicSearch.h - Searches for large networks ----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the searches for networks that are too large to solve:
// greedy orders with seeded noise, and the improvement of a tree piece by
// piece.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_HEURISTICSEARCH_H
#define CMA_LIB_ANALYSIS_HEURISTICSEARCH_H

#include "SubsetProblem.h"

namespace cma::planner {

/// How a greedy run weighs what a step makes against what it consumes, and how
/// much noise it adds (cotengra's rule).
struct GreedyOptions {
  double balance = 1;
  double temperature = 0;
  uint64_t seed = 0;
};

/// Joins the pair with the best score until one tensor is left; what shares no
/// label is joined at the end, small ones first. Leaves with labels of their
/// own are summed first.
ContractionTree searchGreedily(const ContractionNetwork &network,
                               const GreedyOptions &options);

/// Solves pieces of the tree exactly, outer products and sums of leaves
/// included, until none gets cheaper or the work is used up. Not for
/// `Objective::Peak`.
ContractionTree refineTree(const ContractionNetwork &network,
                           const TargetModel &target, Objective objective,
                           const ContractionTree &tree, uint64_t seed);

/// A stream of 64-bit numbers that is the same on every platform (SplitMix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In the open interval from 0 to 1.
  double uniform() {
    return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52;
  }

private:
  uint64_t state;
};

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_HEURISTICSEARCH_H
