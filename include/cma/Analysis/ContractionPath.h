//===- ContractionPath.h - Contraction orders and what they cost -*- C++ -*-==//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares contraction orders in two forms, the check of an order
// that a user gives, and the costs that follow from a network and an order.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_CONTRACTIONPATH_H
#define CMA_ANALYSIS_CONTRACTIONPATH_H

#include "cma/Analysis/ContractionNetwork.h"
#include "cma/Analysis/ContractionTarget.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cma {

/// An order in opt_einsum's linear form. Each step names one or two positions
/// in the list of what is left; they leave the list and the step's result is
/// appended. A step of one position sums every label that only that operand
/// has.
using ContractionPath = std::vector<std::vector<int64_t>>;

/// One step in single-assignment form: operands are 0 to n-1, and step `i`
/// defines value `n + i`.
struct ContractionStep {
  uint32_t lhs = 0;
  /// `none` in a step of one operand.
  uint32_t rhs = none;
  static constexpr uint32_t none = ~uint32_t(0);

  bool isReduction() const { return rhs == none; }
};
using ContractionSteps = std::vector<ContractionStep>;

/// Checks that `path` is an order for `network`: one or two different positions
/// per step, each in range, and one value with exactly the result's labels at
/// the end. On failure returns false and says what is wrong.
bool verifyPath(const ContractionNetwork &network, const ContractionPath &path,
                std::string &error);

/// Conversions. `toSteps` expects a verified path; the operand with the earlier
/// leaves becomes the left one, since the order within a step means nothing.
ContractionSteps toSteps(size_t numOperands, const ContractionPath &path);
ContractionPath toPath(size_t numOperands, const ContractionSteps &steps);

/// `[0,1]` first, then the running result with the next operand.
ContractionSteps makeLeftToRightSteps(const ContractionNetwork &network);

/// What a planner minimises.
enum class Objective : uint8_t {
  /// Modelled time of all wanted targets, in picoseconds.
  Time,
  /// Operations of all wanted targets by opt_einsum's rule: the product of the
  /// step's extents, twice where a label is summed.
  Flops,
  /// Multiplications of all wanted targets.
  Mults,
  /// The most elements of results alive at once while the result is computed.
  Peak
};
std::string_view getObjectiveName(Objective objective);
bool parseObjective(std::string_view name, Objective &objective);

/// The costs of an order. Counts are of elements or operations.
struct PathCosts {
  /// Of the result alone.
  U128 mults, flops;
  /// Of all wanted targets together.
  U128 stepMults, stepFlops;
  /// The same in modelled picoseconds.
  U128 stepTime;
  /// Largest result of a step, the network's result included.
  U128 largestIntermediate;
  /// Most elements of results alive at once, inputs not counted.
  U128 peak;
  /// Bytes of intermediates that wanted gradients read.
  U128 savedBytes;

  U128 get(Objective objective) const;
};

/// Counts the costs of `steps`, which must be a valid order for `network`.
PathCosts evaluateSteps(const ContractionNetwork &network,
                        const ContractionSteps &steps,
                        const TargetModel &target);

/// Labels of every value, operands first, each ascending. A value keeps the
/// labels that the result or something outside it still needs.
std::vector<LabelSet> getValueLabels(const ContractionNetwork &network,
                                     const ContractionSteps &steps);

/// Product of all distinct extents: the multiplications of one n-ary loop nest.
U128 countNaiveMults(const ContractionNetwork &network);

} // namespace cma

#endif // CMA_ANALYSIS_CONTRACTIONPATH_H
