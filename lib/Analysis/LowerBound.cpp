//===- LowerBound.cpp - What no order can go below ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the bound. A step runs over all points of each of its
// operands, it takes at most two of the network's operands, and each operand is
// taken once: pairing the largest with the second largest, and so on, costs
// least. With the result wanted every step is paid for at least once; without
// it, a step is paid for in some direction, in which labels that one operand
// alone has may be missing.
//
//===----------------------------------------------------------------------===//

#include "LowerBound.h"

#include <algorithm>

using namespace cma;
using namespace cma::planner;

static U128 boundMults(const ContractionNetwork &network) {
  // A step costs nothing where one of its operands is empty, however large the
  // other.
  if (std::count(network.extents.begin(), network.extents.end(), 0))
    return U128(0);
  std::vector<uint32_t> holders = countHolders(network);
  std::vector<U128> sizes;
  for (const std::vector<LabelId> &axes : network.operands) {
    LabelSet labels;
    for (LabelId label : makeLabelSet(axes))
      if (network.wanted.result || holders[label] > 1)
        labels.push_back(label);
    sizes.push_back(countElements(network, labels));
  }
  std::sort(sizes.begin(), sizes.end(), [](U128 a, U128 b) { return b < a; });
  U128 bound;
  for (size_t i = 0; i < sizes.size(); i += 2)
    bound += sizes[i];
  U128 result = countElements(network, makeLabelSet(network.result));
  return std::max(bound, result);
}

U128 cma::planner::boundObjective(const ContractionNetwork &network,
                                  Objective objective) {
  switch (objective) {
  case Objective::Time:
    return U128(0);
  case Objective::Flops:
  case Objective::Mults:
    return boundMults(network);
  case Objective::Peak:
    return countElements(network, makeLabelSet(network.result));
  }
  return U128(0);
}
