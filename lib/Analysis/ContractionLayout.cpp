//===- ContractionLayout.cpp - Axis orders of planned steps ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file orders the axes of intermediates. The order is chosen for the step
// that reads an intermediate, from the last step to the first, so that each
// step is as close to a matrix product of rows and columns as the operands and
// the result allow.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionPlanner.h"

#include <algorithm>

using namespace cma;

namespace {
using Axes = std::vector<LabelId>;
} // namespace

static bool contains(const Axes &axes, LabelId label) {
  return std::find(axes.begin(), axes.end(), label) != axes.end();
}

namespace {
class LayoutChooser {
public:
  LayoutChooser(const ContractionNetwork &network,
                const ContractionSteps &steps)
      : steps(steps), numOperands(network.operands.size()),
        labels(getValueLabels(network, steps)), axes(network.operands) {
    axes.resize(numOperands + steps.size());
    if (!steps.empty())
      axes.back() = network.result;
  }

  /// Axes of every value. The result of a step is settled before its operands.
  std::vector<Axes> run() {
    for (size_t i = steps.size(); i-- > 0;)
      settleOperands(steps[i], axes[numOperands + i]);
    return std::move(axes);
  }

private:
  bool isIntermediate(uint32_t value) const { return value >= numOperands; }

  void settleOperands(const ContractionStep &step, const Axes &result) {
    if (step.isReduction()) {
      if (isIntermediate(step.lhs))
        axes[step.lhs] = orderAxes(step.lhs, {}, result, {}, false);
      return;
    }
    // The operand that holds the result's last axis is read along it.
    bool leftIsLast =
        !result.empty() && contains(labels[step.lhs], result.back());
    bool rightIsLast =
        result.empty() || contains(labels[step.rhs], result.back());
    Axes summed = orderSummed(step, result);
    if (isIntermediate(step.lhs))
      axes[step.lhs] = orderAxes(step.lhs, labels[step.rhs], result, summed,
                                 leftIsLast && !rightIsLast);
    if (isIntermediate(step.rhs))
      axes[step.rhs] =
          orderAxes(step.rhs, labels[step.lhs], result, summed, rightIsLast);
  }

  /// Labels that the step sums over, as they stand in an operand whose order is
  /// given; else by number.
  Axes orderSummed(const ContractionStep &step, const Axes &result) const {
    uint32_t given = isIntermediate(step.lhs) ? step.rhs : step.lhs;
    uint32_t other = given == step.lhs ? step.rhs : step.lhs;
    Axes summed;
    for (LabelId label : isIntermediate(given) ? labels[given] : axes[given])
      if (contains(labels[other], label) && !contains(result, label) &&
          !contains(summed, label))
        summed.push_back(label);
    return summed;
  }

  /// Axes of `value`: those of the result and of the sibling; then its own rows
  /// and the sum, or the sum and its own columns; then what the step sums of it
  /// alone.
  Axes orderAxes(uint32_t value, const Axes &sibling, const Axes &result,
                 const Axes &summed, bool isColumns) const {
    const Axes &own = labels[value];
    Axes shared, alone;
    for (LabelId label : result)
      if (contains(own, label))
        (contains(sibling, label) ? shared : alone).push_back(label);
    Axes ordered = shared;
    auto append = [&](const Axes &more) {
      for (LabelId label : more)
        if (contains(own, label) && !contains(ordered, label))
          ordered.push_back(label);
    };
    append(isColumns ? summed : alone);
    append(isColumns ? alone : summed);
    append(own);
    return ordered;
  }

  const ContractionSteps &steps;
  size_t numOperands;
  std::vector<LabelSet> labels;
  std::vector<Axes> axes;
};
} // namespace

std::vector<PlannedStep> cma::spellSteps(const ContractionNetwork &network,
                                         const ContractionSteps &steps) {
  std::vector<Axes> axes = LayoutChooser(network, steps).run();
  std::vector<PlannedStep> spelled;
  for (size_t i = 0; i < steps.size(); ++i) {
    PlannedStep step;
    step.lhs = steps[i].lhs;
    step.rhs = steps[i].rhs;
    step.lhsAxes = axes[step.lhs];
    if (!steps[i].isReduction())
      step.rhsAxes = axes[step.rhs];
    step.outAxes = axes[network.operands.size() + i];
    spelled.push_back(std::move(step));
  }
  return spelled;
}
