//===- SubsetProblem.h - Small networks for the subset searches -*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the problem that the searches over subsets of leaves
// solve: a whole network, or a piece of a large one whose leaves are subtrees.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_SUBSETPROBLEM_H
#define CMA_LIB_ANALYSIS_SUBSETPROBLEM_H

#include "ContractionTree.h"

namespace cma::planner {

/// At most this many leaves: subsets are 32-bit masks, and arrays over all of
/// them have to fit.
constexpr unsigned maxSubsetLeaves = 20;

struct SubsetLeaf {
  LabelSet labels;
  /// Whether the leaf is, or contains, an operand whose gradient is wanted.
  bool wanted = false;
  /// Bytes of one element.
  unsigned bytes = 4;
};

struct SubsetProblem {
  const ContractionNetwork &network;
  const TargetModel &target;
  Objective objective = Objective::Mults;
  /// In ascending order of their first operands.
  std::vector<SubsetLeaf> leaves;
  /// Labels that something outside the leaves has.
  LabelSet outer;
  /// Whether a target outside the leaves, such as the result, is wanted.
  bool outerWanted = true;
};

/// The whole network as one problem.
SubsetProblem makeWholeProblem(const ContractionNetwork &network,
                               const TargetModel &target, Objective objective);

struct SubsetSolution {
  ContractionTree tree;
  /// The objective's value, as far as a double can hold it.
  double cost = 0;
  /// Whether `cost` and every comparison on the way were exact.
  bool exact = false;
};

/// More kinds of labels than this are left to the greedy search.
constexpr unsigned maxLabelClasses = 4096;

/// The labels of a problem, those with the same holders taken together: they
/// are summed at the same moment, whatever the tree. Cost tables so need as
/// many bits as there are kinds of labels.
struct LabelClasses {
  struct Class {
    /// Leaves that have the labels.
    uint32_t holders = 0;
    bool outer = false;
    /// Product of the extents.
    U128 extent = U128(1);
  };
  std::vector<Class> classes;
};
LabelClasses classifyLabels(const SubsetProblem &problem);

/// Whether the searches below take the problem.
bool fitsSubsetSearch(const SubsetProblem &problem);

/// The best tree over all trees and all choices of summing a leaf first. Takes
/// time in 3^n. Needs two or more leaves; not for `Objective::Peak`.
SubsetSolution searchAllSubsets(const SubsetProblem &problem);

/// The cost of a tree that is already there.
double evaluateTree(const SubsetProblem &problem, const ContractionTree &tree);

/// An order that keeps few elements alive.
struct PeakSolution {
  ContractionSteps steps;
  U128 lowerBound;
};

/// The order with the lowest peak over all trees and all orders of their steps;
/// `lowerBound` falls short of its peak where the search ran into its limit.
/// Needs two or more leaves.
PeakSolution searchPeak(const SubsetProblem &problem);

/// The best tree without outer products, if it costs at most `limit` and is
/// found within the work that the search allows itself; false otherwise. The
/// network must hang together.
bool searchConnectedSubsets(const SubsetProblem &problem, double limit,
                            SubsetSolution &solution);

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_SUBSETPROBLEM_H
