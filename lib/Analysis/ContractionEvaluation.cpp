//===- ContractionEvaluation.cpp - What a contraction order costs ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file counts the costs of a given order, exactly and for networks of any
// size. The searches have cost functions of their own, made for speed; what a
// report says comes from here.
//
// The network is closed with one more leaf, the cotangent of the result. A
// pairwise step is then a node with three sides, and the message out of a side
// is needed where a wanted target lies beyond it. The message towards an
// operand is its gradient; labels that only this operand has are not part of
// it, since their adjoint is a broadcast.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionPath.h"

#include <algorithm>
#include <cmath>

using namespace cma;

static bool contains(const LabelSet &set, LabelId label) {
  return std::binary_search(set.begin(), set.end(), label);
}

namespace {
/// A value as an operand or output of a message.
struct Tensor {
  LabelSet labels;
  unsigned bytes;
};

class Evaluator {
public:
  Evaluator(const ContractionNetwork &network, const ContractionSteps &steps,
            const TargetModel &target)
      : network(network), steps(steps), target(target),
        numOperands(network.operands.size()),
        labels(getValueLabels(network, steps)) {
    countWanted();
  }

  PathCosts run() {
    if (steps.empty())
      costs.largestIntermediate = costs.peak =
          countElements(network, makeLabelSet(network.result));
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].isReduction())
        countReduction(steps[i], numOperands + i);
      else
        countContraction(steps[i], numOperands + i);
    }
    countPeak();
    costs.stepTime = U128::fromParts(0, 0);
    if (timeTotal >= 0x1p64)
      costs.stepTime = U128::saturated();
    else
      costs.stepTime = U128(static_cast<uint64_t>(timeTotal));
    return costs;
  }

private:
  /// Fills `wantedWithin`, the wanted operands below each value.
  void countWanted() {
    wantedWithin.assign(numOperands + steps.size(), 0);
    wantedTotal = network.wanted.result ? 1 : 0;
    for (size_t i = 0; i < numOperands; ++i) {
      wantedWithin[i] = network.wanted.isOperandWanted(i) ? 1 : 0;
      wantedTotal += wantedWithin[i];
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      size_t &within = wantedWithin[numOperands + i];
      within = wantedWithin[steps[i].lhs];
      if (!steps[i].isReduction())
        within += wantedWithin[steps[i].rhs];
    }
  }

  unsigned getBytes(size_t value) const {
    return getElementBytes(value < numOperands ? network.getOperandType(value)
                                               : network.computeType);
  }
  Tensor getTensor(size_t value) const {
    return {labels[value], getBytes(value)};
  }
  U128 count(const LabelSet &set) const { return countElements(network, set); }

  void countReduction(const ContractionStep &step, size_t out) {
    U128 points = count(labels[step.lhs]);
    U128 kept = count(labels[out]);
    costs.mults += points;
    costs.flops += points * U128(2);
    costs.largestIntermediate = std::max(costs.largestIntermediate, kept);
    if (wantedTotal == wantedWithin[out])
      return;
    costs.stepMults += points;
    costs.stepFlops += points * U128(2);
    timeTotal +=
        modelReductionTime(target, points.toDouble() * getBytes(step.lhs),
                           kept.toDouble() * getBytes(out));
  }

  void countContraction(const ContractionStep &step, size_t out) {
    Tensor lhs = getTensor(step.lhs), rhs = getTensor(step.rhs),
           result = getTensor(out);
    bool lhsWanted = wantedWithin[step.lhs] > 0;
    bool rhsWanted = wantedWithin[step.rhs] > 0;
    U128 points = count(unite(lhs.labels, rhs.labels));
    costs.mults += points;
    costs.flops += points * getFlopFactor(lhs, rhs, result);
    costs.largestIntermediate =
        std::max(costs.largestIntermediate, count(result.labels));
    if (wantedTotal > wantedWithin[out])
      countMessage(lhs, rhs, result);
    if (lhsWanted) {
      countMessage(rhs, result, shareOf(lhs, rhs, result));
      countSaved(step.rhs);
    }
    if (rhsWanted) {
      countMessage(lhs, result, shareOf(rhs, lhs, result));
      countSaved(step.lhs);
    }
  }

  /// The labels of `tensor` that `a` or `b` have too.
  static Tensor shareOf(const Tensor &tensor, const Tensor &a,
                        const Tensor &b) {
    Tensor share = {{}, tensor.bytes};
    for (LabelId label : tensor.labels)
      if (contains(a.labels, label) || contains(b.labels, label))
        share.labels.push_back(label);
    return share;
  }

  /// Every operand's gradient reads the other one, which is kept if it is no
  /// input. A value has one user, so it is counted once.
  void countSaved(size_t value) {
    if (value >= numOperands)
      costs.savedBytes += count(labels[value]) * U128(getBytes(value));
  }

  static U128 getFlopFactor(const Tensor &lhs, const Tensor &rhs,
                            const Tensor &out) {
    for (LabelId label : unite(lhs.labels, rhs.labels))
      if (!contains(out.labels, label))
        return U128(2);
    return U128(1);
  }

  void countMessage(const Tensor &lhs, const Tensor &rhs, const Tensor &out) {
    U128 points = count(unite(lhs.labels, rhs.labels));
    costs.stepMults += points;
    costs.stepFlops += points * getFlopFactor(lhs, rhs, out);
    timeTotal +=
        modelStepTime(target, network.computeType, getShape(lhs, rhs, out));
  }

  StepShape getShape(const Tensor &lhs, const Tensor &rhs,
                     const Tensor &out) const {
    StepShape shape;
    for (LabelId label : unite(lhs.labels, rhs.labels)) {
      auto extent = static_cast<double>(network.extents[label]);
      bool inLhs = contains(lhs.labels, label);
      bool inRhs = contains(rhs.labels, label);
      bool inOut = contains(out.labels, label);
      double &part = !inOut           ? shape.k
                     : inLhs && inRhs ? shape.batch
                     : inLhs          ? shape.m
                                      : shape.n;
      part *= extent;
      if (inLhs)
        shape.lhsElements *= extent;
      if (inRhs)
        shape.rhsElements *= extent;
      if (inOut)
        shape.outElements *= extent;
    }
    shape.lhsBytes = lhs.bytes;
    shape.rhsBytes = rhs.bytes;
    shape.outBytes = out.bytes;
    return shape;
  }

  void countPeak() {
    U128 alive;
    // Saturating sums cannot be taken back; sizes are therefore kept in a list.
    std::vector<U128> sizes(numOperands + steps.size());
    std::vector<size_t> live;
    auto drop = [&live](size_t value) {
      live.erase(std::remove(live.begin(), live.end(), value), live.end());
    };
    for (size_t i = 0; i < steps.size(); ++i) {
      size_t out = numOperands + i;
      sizes[out] = count(labels[out]);
      live.push_back(out);
      alive = U128();
      for (size_t value : live)
        alive += sizes[value];
      costs.peak = std::max(costs.peak, alive);
      drop(steps[i].lhs);
      if (!steps[i].isReduction())
        drop(steps[i].rhs);
    }
  }

  const ContractionNetwork &network;
  const ContractionSteps &steps;
  const TargetModel &target;
  size_t numOperands;
  std::vector<LabelSet> labels;
  std::vector<size_t> wantedWithin;
  size_t wantedTotal = 0;
  double timeTotal = 0;
  PathCosts costs;
};
} // namespace

U128 PathCosts::get(Objective objective) const {
  switch (objective) {
  case Objective::Time:
    return stepTime;
  case Objective::Flops:
    return stepFlops;
  case Objective::Mults:
    return stepMults;
  case Objective::Peak:
    return peak;
  }
  return U128::saturated();
}

PathCosts cma::evaluateSteps(const ContractionNetwork &network,
                             const ContractionSteps &steps,
                             const TargetModel &target) {
  return Evaluator(network, steps, target).run();
}
