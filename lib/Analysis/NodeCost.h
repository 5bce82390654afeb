//===- NodeCost.h - Cost of one node of a contraction tree ------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the cost functions of the subset searches. A node joins
// two subsets of leaves, and its third side is everything else. A message out
// of a side is needed, and paid for, where a wanted target lies beyond it
// (Evenbly and Pfeifer, arXiv:1310.8023, for the case of all targets).
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_NODECOST_H
#define CMA_LIB_ANALYSIS_NODECOST_H

#include "LabelMask.h"
#include "SubsetProblem.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace cma::planner {

/// Which of a node's three messages are needed.
struct NeededMessages {
  bool out, lhs, rhs;
};

/// The three sides of a node: labels and bytes of an element.
template <class Mask>
struct NodeSides {
  Mask lhs, rhs, out;
  unsigned lhsBytes, rhsBytes, outBytes;
};

/// Multiplications, or operations by opt_einsum's rule, which counts a step
/// twice where it sums a label.
template <unsigned W, class N, bool CountSums>
class CountingPolicy {
public:
  using Mask = LabelMask<W>;
  using Number = N;

  CountingPolicy(const SubsetProblem &, const std::vector<U128> &extents)
      : products(extents) {}

  /// What a message costs at least, from the points of the node's sides: it
  /// runs over all labels of each, as one that it reads or one that it makes.
  /// With an extent of zero somewhere, that bounds nothing.
  N floor(N lhs, N rhs, N out) const {
    return std::max(std::max(lhs, rhs), out);
  }
  N countPoints(const Mask &labels) const {
    return products.hasZeroExtents() ? CostTraits<N>::zero() : products(labels);
  }

  N reduction(const Mask &full, const Mask &, unsigned) const {
    N points = products(full);
    return CountSums ? points + points : points;
  }

  /// A node without labels that only one side has: all messages run over the
  /// same points.
  N sharedNode(const NodeSides<Mask> &sides, NeededMessages needed) const {
    Mask all = sides.lhs | sides.rhs;
    N points = products(all);
    N cost = CostTraits<N>::zero();
    auto add = [&](bool isNeeded, const Mask &kept) {
      if (!isNeeded)
        return;
      cost = cost + points;
      if (CountSums && (all - kept).any())
        cost = cost + points;
    };
    add(needed.out, sides.out);
    add(needed.lhs, sides.lhs);
    add(needed.rhs, sides.rhs);
    return cost;
  }

  N message(const Mask &lhs, unsigned, const Mask &rhs, unsigned,
            const Mask &out, unsigned) const {
    Mask all = lhs | rhs;
    N points = products(all);
    return CountSums && (all - out).any() ? points + points : points;
  }

private:
  ProductTable<W, N> products;
};

/// Modelled picoseconds.
template <unsigned W>
class TimePolicy {
public:
  using Mask = LabelMask<W>;
  using Number = double;

  TimePolicy(const SubsetProblem &problem, const std::vector<U128> &extents)
      : target(problem.target), type(problem.network.computeType),
        smallestBytes(getElementBytes(type)), products(extents) {
    for (const SubsetLeaf &leaf : problem.leaves)
      smallestBytes = std::min(smallestBytes, leaf.bytes);
  }

  /// As in `CountingPolicy`; the message also moves every side.
  double floor(double lhs, double rhs, double out) const {
    return boundStepTime(target, type, std::max(std::max(lhs, rhs), out),
                         (lhs + rhs + out) * smallestBytes);
  }
  double countPoints(const Mask &labels) const {
    return products.hasZeroExtents() ? 0 : products(labels);
  }

  double reduction(const Mask &full, const Mask &kept, unsigned bytes) const {
    return modelReductionTime(target, products(full) * bytes,
                              products(kept) * getElementBytes(type));
  }

  double sharedNode(const NodeSides<Mask> &s, NeededMessages needed) const {
    double cost = 0;
    if (needed.out)
      cost += message(s.lhs, s.lhsBytes, s.rhs, s.rhsBytes, s.out, s.outBytes);
    if (needed.lhs)
      cost += message(s.rhs, s.rhsBytes, s.out, s.outBytes, s.lhs, s.lhsBytes);
    if (needed.rhs)
      cost += message(s.lhs, s.lhsBytes, s.out, s.outBytes, s.rhs, s.rhsBytes);
    return cost;
  }

  double message(const Mask &lhs, unsigned lhsBytes, const Mask &rhs,
                 unsigned rhsBytes, const Mask &out, unsigned outBytes) const {
    StepShape shape;
    shape.batch = products(lhs & rhs & out);
    shape.m = products((lhs & out) - rhs);
    shape.n = products((rhs & out) - lhs);
    shape.k = products((lhs | rhs) - out);
    shape.lhsElements = products(lhs);
    shape.rhsElements = products(rhs);
    shape.outElements = products(out);
    shape.lhsBytes = lhsBytes;
    shape.rhsBytes = rhsBytes;
    shape.outBytes = outBytes;
    return modelStepTime(target, type, shape);
  }

private:
  const TargetModel &target;
  ElementType type;
  unsigned smallestBytes;
  ProductTable<W, double> products;
};

/// What the searches ask about subsets of a problem's leaves.
template <class Policy>
class NodeCosts {
public:
  using Mask = typename Policy::Mask;
  using Number = typename Policy::Number;

  struct Leaf {
    /// All labels, and those that someone else has too.
    Mask full, shared;
    bool hasOwnLabels;
    unsigned bytes;
    /// Cost of summing its own labels first; zero where nobody needs the sum.
    Number reductionCost;
  };
  struct Choice {
    Number cost;
    /// Elements of the leaves that are summed first, to break ties.
    double reducedElements = 0;
    bool lhsReduced = false, rhsReduced = false;
  };

  NodeCosts(const SubsetProblem &problem, const LabelClasses &labels)
      : numLeaves(static_cast<unsigned>(problem.leaves.size())),
        stepBytes(getElementBytes(problem.network.computeType)),
        outerWanted(problem.outerWanted), policy(problem, getExtents(labels)),
        sizes(getExtents(labels)) {
    tabulateHolders(labels);
    for (unsigned i = 0; i < numLeaves; ++i) {
      const SubsetLeaf &leaf = problem.leaves[i];
      if (leaf.wanted)
        wantedLeaves |= uint32_t(1) << i;
    }
    for (unsigned i = 0; i < numLeaves; ++i)
      leaves.push_back(makeLeaf(problem.leaves[i], i));
    for (unsigned i = 0; i < numLeaves; ++i)
      if (leaves[i].hasOwnLabels)
        leavesWithOwnLabels |= uint32_t(1) << i;
  }

  uint32_t getAllLeaves() const {
    return static_cast<uint32_t>((uint64_t(1) << numLeaves) - 1);
  }
  const std::vector<Leaf> &getLeaves() const { return leaves; }

  /// Labels of a subset that something outside it has.
  Mask getKept(uint32_t subset) const {
    return getLabels(subset) & (outer | getLabels(getAllLeaves() & ~subset));
  }
  double countElements(const Mask &mask) const { return sizes(mask); }
  /// For `getFloor`.
  Number countPoints(const Mask &mask) const {
    return policy.countPoints(mask);
  }

  /// What a node costs at least, from the points of the kept labels of its
  /// sides.
  Number getFloor(uint32_t lhs, Number lhsPoints, uint32_t rhs,
                  Number rhsPoints, Number outPoints) const {
    Number message = policy.floor(lhsPoints, rhsPoints, outPoints);
    NeededMessages needed = getNeeded(lhs, rhs);
    Number floor = CostTraits<Number>::zero();
    for (bool isNeeded : {needed.out, needed.lhs, needed.rhs})
      if (isNeeded)
        floor = floor + message;
    return floor;
  }

  /// The cheapest way to join two subsets with kept labels `lhsKept` and
  /// `rhsKept` into one with `outKept`.
  Choice join(uint32_t lhs, const Mask &lhsKept, uint32_t rhs,
              const Mask &rhsKept, const Mask &outKept) const {
    NodeSides<Mask> sides = {lhsKept,       rhsKept,       outKept,
                             getBytes(lhs), getBytes(rhs), stepBytes};
    NeededMessages needed = getNeeded(lhs, rhs);
    if (!isOwner(lhs) && !isOwner(rhs))
      return {policy.sharedNode(sides, needed)};
    return joinOwners(lhs, rhs, sides, needed);
  }

  /// The same with the choice made: a leaf with labels of its own is summed
  /// first or not.
  Choice joinAs(uint32_t lhs, uint32_t rhs, bool lhsReduced,
                bool rhsReduced) const {
    NodeSides<Mask> sides = {getKept(lhs),  getKept(rhs),  getKept(lhs | rhs),
                             getBytes(lhs), getBytes(rhs), stepBytes};
    return joinVariant(lhs, rhs, sides, getNeeded(lhs, rhs), lhsReduced,
                       rhsReduced);
  }

private:
  static std::vector<U128> getExtents(const LabelClasses &labels) {
    std::vector<U128> extents;
    for (const LabelClasses::Class &info : labels.classes)
      extents.push_back(info.extent);
    return extents;
  }

  void tabulateHolders(const LabelClasses &labels) {
    std::vector<Mask> byLeaf(numLeaves);
    for (unsigned c = 0; c < labels.classes.size(); ++c) {
      if (labels.classes[c].outer)
        outer.set(c);
      for (unsigned i = 0; i < numLeaves; ++i)
        if (labels.classes[c].holders >> i & 1)
          byLeaf[i].set(c);
    }
    for (unsigned byte = 0; byte * 8 < numLeaves; ++byte) {
      labelTable.emplace_back();
      for (unsigned bits = 1; bits < 256; ++bits)
        for (unsigned i = 0; i < 8 && byte * 8 + i < numLeaves; ++i)
          if (bits >> i & 1)
            labelTable[byte][bits] =
                labelTable[byte][bits] | byLeaf[byte * 8 + i];
    }
  }

  Mask getLabels(uint32_t subset) const {
    Mask labels;
    for (unsigned byte = 0; byte < labelTable.size(); ++byte)
      labels = labels | labelTable[byte][subset >> (byte * 8) & 255];
    return labels;
  }

  Leaf makeLeaf(const SubsetLeaf &leaf, unsigned index) const {
    uint32_t self = uint32_t(1) << index;
    Leaf result;
    result.full = getLabels(self);
    result.shared = getKept(self);
    result.hasOwnLabels = (result.full - result.shared).any();
    result.bytes = leaf.bytes;
    // The adjoint of the sum is a broadcast and free.
    bool needed = outerWanted || (wantedLeaves & ~self) != 0;
    result.reductionCost =
        needed ? policy.reduction(result.full, result.shared, leaf.bytes)
               : CostTraits<Number>::zero();
    return result;
  }

  static bool isSingle(uint32_t subset) { return !(subset & (subset - 1)); }
  bool isOwner(uint32_t subset) const {
    return isSingle(subset) && (leavesWithOwnLabels & subset);
  }
  static unsigned indexOf(uint32_t single) {
    return static_cast<unsigned>(__builtin_ctz(single));
  }
  unsigned getBytes(uint32_t subset) const {
    return isSingle(subset) ? leaves[indexOf(subset)].bytes : stepBytes;
  }

  NeededMessages getNeeded(uint32_t lhs, uint32_t rhs) const {
    return {outerWanted || (wantedLeaves & ~(lhs | rhs)) != 0,
            (wantedLeaves & lhs) != 0, (wantedLeaves & rhs) != 0};
  }

  /// Tries the leaves among the two sides with and without summing first.
  Choice joinOwners(uint32_t lhs, uint32_t rhs, const NodeSides<Mask> &sides,
                    NeededMessages needed) const {
    Choice best;
    bool found = false;
    for (bool lhsReduced : {false, true})
      for (bool rhsReduced : {false, true}) {
        if ((lhsReduced && !isOwner(lhs)) || (rhsReduced && !isOwner(rhs)))
          continue;
        Choice choice =
            joinVariant(lhs, rhs, sides, needed, lhsReduced, rhsReduced);
        if (!found || choice.cost < best.cost ||
            (choice.cost == best.cost &&
             choice.reducedElements < best.reducedElements))
          best = choice;
        found = true;
      }
    return best;
  }

  Choice joinVariant(uint32_t lhs, uint32_t rhs, const NodeSides<Mask> &sides,
                     NeededMessages needed, bool lhsReduced,
                     bool rhsReduced) const {
    Choice choice;
    choice.lhsReduced = lhsReduced;
    choice.rhsReduced = rhsReduced;
    NodeSides<Mask> actual = sides;
    Number cost = CostTraits<Number>::zero();
    apply(lhs, lhsReduced, actual.lhs, actual.lhsBytes, choice, cost);
    apply(rhs, rhsReduced, actual.rhs, actual.rhsBytes, choice, cost);
    choice.cost = cost + countMessages(sides, actual, needed);
    return choice;
  }

  /// Sets one side to the leaf's own form, or to its sum.
  void apply(uint32_t side, bool reduce, Mask &labels, unsigned &bytes,
             Choice &choice, Number &cost) const {
    if (!isOwner(side))
      return;
    const Leaf &leaf = leaves[indexOf(side)];
    if (!reduce) {
      labels = leaf.full;
      return;
    }
    bytes = stepBytes;
    cost = cost + leaf.reductionCost;
    choice.reducedElements += sizes(leaf.shared);
  }

  /// `kept` has the labels that gradients have, `actual` those of the values.
  Number countMessages(const NodeSides<Mask> &kept,
                       const NodeSides<Mask> &actual,
                       NeededMessages needed) const {
    Number cost = CostTraits<Number>::zero();
    if (needed.out)
      cost =
          cost + policy.message(actual.lhs, actual.lhsBytes, actual.rhs,
                                actual.rhsBytes, actual.out, actual.outBytes);
    if (needed.lhs)
      cost = cost + policy.message(actual.rhs, actual.rhsBytes, actual.out,
                                   actual.outBytes, kept.lhs, actual.lhsBytes);
    if (needed.rhs)
      cost = cost + policy.message(actual.lhs, actual.lhsBytes, actual.out,
                                   actual.outBytes, kept.rhs, actual.rhsBytes);
    return cost;
  }

  unsigned numLeaves;
  unsigned stepBytes;
  bool outerWanted;
  uint32_t wantedLeaves = 0;
  uint32_t leavesWithOwnLabels = 0;
  Policy policy;
  ProductTable<Mask::numWords, double> sizes;
  Mask outer;
  /// Union of the labels of the leaves in each byte of a subset.
  std::vector<std::array<Mask, 256>> labelTable;
  std::vector<Leaf> leaves;
};

template <class Policy>
struct PolicyTag {
  using type = Policy;
};

/// Calls `function` with the tag of the narrowest policy that holds `labels`.
/// `wide` asks for 128-bit costs; modelled times are doubles in any case.
template <class Function>
auto withPolicy(const SubsetProblem &problem, const LabelClasses &labels,
                bool wide, Function function) {
  auto withWidth = [&](auto width) {
    constexpr unsigned W = decltype(width)::value;
    if (problem.objective == Objective::Time)
      return function(PolicyTag<TimePolicy<W>>());
    if (problem.objective == Objective::Flops)
      return wide ? function(PolicyTag<CountingPolicy<W, WideCost, true>>())
                  : function(PolicyTag<CountingPolicy<W, double, true>>());
    return wide ? function(PolicyTag<CountingPolicy<W, WideCost, false>>())
                : function(PolicyTag<CountingPolicy<W, double, false>>());
  };
  if (labels.classes.size() <= 64)
    return withWidth(std::integral_constant<unsigned, 1>());
  if (labels.classes.size() <= 128)
    return withWidth(std::integral_constant<unsigned, 2>());
  return withWidth(std::integral_constant<unsigned, maxLabelClasses / 64>());
}

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_NODECOST_H
