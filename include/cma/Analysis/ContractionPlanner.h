//===- ContractionPlanner.h - Choosing contraction orders -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the contraction planner: from an n-ary network and the
// targets that are wanted to an order of pairwise steps, with its costs and a
// bound on how much better any order could be.
//
// Forward and backward are planned together. The network is closed with the
// result's cotangent as one more leaf; the result and every gradient are then
// messages of one unrooted tree, and a node is paid for once for every side
// that has a wanted target beyond it.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_CONTRACTIONPLANNER_H
#define CMA_ANALYSIS_CONTRACTIONPLANNER_H

#include "cma/Analysis/ContractionPath.h"

namespace cma {

struct PlannerOptions {
  Objective objective = Objective::Time;
  /// One of the machines of `lookupTarget`; null stands for "cpu".
  const TargetModel *target = nullptr;
  /// Networks of up to this many operands are solved exactly, in time 3^n; from
  /// 1 to `largestMaxExact`.
  unsigned maxExact = 14;
  /// Of the noise in the search beyond that.
  uint64_t seed = 0;

  /// 20 operands take tens of seconds.
  static constexpr unsigned largestMaxExact = 20;
};

struct ContractionPlan {
  ContractionSteps steps;
  /// The same in linear form.
  ContractionPath path;
  PathCosts costs;
  U128 naiveMults;
  U128 leftToRightMults;
  /// No order of pairwise steps, with or without sums of single operands first,
  /// has a smaller objective. One tree serves all targets.
  U128 lowerBound;
  bool provedOptimal = false;
  /// Whether a count in this plan goes beyond 128 bits.
  bool saturated = false;
};

/// Plans networks of one or more operands. The same input gives the same plan.
class ContractionPlanner {
public:
  explicit ContractionPlanner(const PlannerOptions &options);

  /// Chooses an order.
  ContractionPlan plan(const ContractionNetwork &network) const;

  /// Reports on an order that was chosen elsewhere, verified by `verifyPath`.
  ContractionPlan evaluate(const ContractionNetwork &network,
                           const ContractionPath &path) const;

private:
  PlannerOptions options;
};

/// One planned step with the axes of its operands and its result in order.
struct PlannedStep {
  /// Values as in `ContractionSteps`; `rhs` is `none` in a step of one operand.
  uint32_t lhs, rhs;
  std::vector<LabelId> lhsAxes, rhsAxes, outAxes;
};

/// Spells out `steps`. Operands and the result keep their axes; the axes of an
/// intermediate are ordered for the step that reads it: in front those that the
/// result and the other operand have too, then rows and sum, or sum and
/// columns, each as they stand in the result and in an operand of the network.
/// So a gated core becomes `i,iDj->iDj`, not `ijD`, where its reader sums over
/// i.
std::vector<PlannedStep> spellSteps(const ContractionNetwork &network,
                                    const ContractionSteps &steps);

} // namespace cma

#endif // CMA_ANALYSIS_CONTRACTIONPLANNER_H
