//===- BruteForce.cpp - Optimal orders by trying all of them --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the oracle, from the definitions alone: a step runs over
// every label of its two operands, a label goes when nothing outside needs it,
// a leaf may first be summed over what only it has.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"

#include <algorithm>
#include <vector>

using namespace cma;

namespace {

using Bits = uint64_t;

class Oracle {
public:
  explicit Oracle(const ContractionNetwork &network) : network(network) {
    for (const std::vector<LabelId> &axes : network.operands)
      operands.push_back(toBits(axes));
    result = toBits(network.result);
    for (Bits set = 0; set < Bits(1) << operands.size(); ++set) {
      Bits inside = 0, outside = result;
      for (size_t i = 0; i < operands.size(); ++i)
        (set >> i & 1 ? inside : outside) |= operands[i];
      held.push_back(inside);
      seen.push_back(outside);
    }
  }

  test::BruteForceCosts searchTrees() const {
    Bits all = (Bits(1) << operands.size()) - 1;
    if (operands.size() == 1) {
      // One step where something is summed; it computes the result only.
      if (operands[0] == result || !network.wanted.result)
        return {0, 0};
      return {volume(operands[0]), 2 * volume(operands[0])};
    }
    return tree(all);
  }

  uint64_t searchPeaks() const {
    if (operands.size() == 1)
      return volume(result);
    std::vector<Tensor> tensors;
    for (Bits labels : operands)
      tensors.push_back({labels, true});
    return sequence(tensors);
  }

private:
  static Bits toBits(const std::vector<LabelId> &axes) {
    Bits bits = 0;
    for (LabelId label : axes)
      bits |= Bits(1) << label;
    return bits;
  }

  uint64_t volume(Bits labels) const {
    uint64_t product = 1;
    for (; labels; labels &= labels - 1)
      product *=
          static_cast<uint64_t>(network.extents[__builtin_ctzll(labels)]);
    return product;
  }

  static bool isOne(Bits set) { return (set & (set - 1)) == 0; }

  bool isWantedWithin(Bits set) const {
    for (size_t i = 0; i < operands.size(); ++i)
      if ((set >> i & 1) && network.wanted.isOperandWanted(i))
        return true;
    return false;
  }
  bool isWantedOutside(Bits set) const {
    Bits all = (Bits(1) << operands.size()) - 1;
    return network.wanted.result || isWantedWithin(all & ~set);
  }

  /// Adds a message that reads `a` and `b` and makes `out`.
  void addMessage(Bits a, Bits b, Bits out,
                  test::BruteForceCosts &costs) const {
    uint64_t points = volume(a | b);
    costs.mults += points;
    costs.flops += ((a | b) & ~out) ? 2 * points : points;
  }

  test::BruteForceCosts tree(Bits set) const {
    if (isOne(set))
      return {0, 0};
    test::BruteForceCosts best = {UINT64_MAX, UINT64_MAX};
    for (Bits part = (set - 1) & set; part; part = (part - 1) & set) {
      Bits rest = set & ~part;
      if (part < rest)
        continue; // the same split the other way round
      test::BruteForceCosts a = tree(part), b = tree(rest);
      test::BruteForceCosts node = joined(part, rest);
      best.mults = std::min(best.mults, a.mults + b.mults + node.mults);
      best.flops = std::min(best.flops, a.flops + b.flops + node.flops);
    }
    return best;
  }

  /// The cheapest node between two sets, over all choices of summing first.
  test::BruteForceCosts joined(Bits part, Bits rest) const {
    test::BruteForceCosts best = {UINT64_MAX, UINT64_MAX};
    for (int choice = 0; choice < 4; ++choice) {
      if ((choice & 1 && !isOne(part)) || (choice & 2 && !isOne(rest)))
        continue;
      test::BruteForceCosts costs = {0, 0};
      Bits a = formOf(part, choice & 1, costs);
      Bits b = formOf(rest, choice & 2, costs);
      Bits whole = part | rest;
      Bits out = held[whole] & seen[whole];
      if (isWantedOutside(whole))
        addMessage(a, b, out, costs);
      if (isWantedWithin(part))
        addMessage(b, out, a & (b | out), costs);
      if (isWantedWithin(rest))
        addMessage(a, out, b & (a | out), costs);
      best.mults = std::min(best.mults, costs.mults);
      best.flops = std::min(best.flops, costs.flops);
    }
    return best;
  }

  /// Labels that a set brings into a step.
  Bits formOf(Bits set, bool sumFirst, test::BruteForceCosts &costs) const {
    Bits full = held[set], kept = full & seen[set];
    if (!isOne(set))
      return kept;
    if (!sumFirst)
      return full;
    if (isWantedOutside(set)) {
      costs.mults += volume(full);
      costs.flops += 2 * volume(full);
    }
    return kept;
  }

  struct Tensor {
    Bits labels;
    bool isInput;
  };

  /// All pairs in turn, then the same with what is left.
  uint64_t sequence(const std::vector<Tensor> &tensors) const {
    if (tensors.size() == 1)
      return 0;
    uint64_t alive = 0;
    for (const Tensor &tensor : tensors)
      alive += tensor.isInput ? 0 : volume(tensor.labels);
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < tensors.size(); ++i)
      for (size_t j = i + 1; j < tensors.size(); ++j) {
        std::vector<Tensor> next;
        Bits seen = result;
        for (size_t k = 0; k < tensors.size(); ++k)
          if (k != i && k != j) {
            next.push_back(tensors[k]);
            seen |= tensors[k].labels;
          }
        Bits out = (tensors[i].labels | tensors[j].labels) & seen;
        uint64_t peak = alive + volume(out);
        if (peak >= best)
          continue;
        next.push_back({out, false});
        best = std::min(best, std::max(peak, sequence(next)));
      }
    return best;
  }

  const ContractionNetwork &network;
  std::vector<Bits> operands;
  Bits result;
  /// By set of operands: what it has, and what everything outside has.
  std::vector<Bits> held, seen;
};

} // namespace

test::BruteForceCosts test::searchAllTrees(const ContractionNetwork &network) {
  return Oracle(network).searchTrees();
}

uint64_t test::searchAllSequencesForPeak(const ContractionNetwork &network) {
  return Oracle(network).searchPeaks();
}
