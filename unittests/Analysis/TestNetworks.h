//===- TestNetworks.h - Networks for the planner's tests --------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how the planner's tests make networks: from equations,
// from the case files, and at random.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_ANALYSIS_TESTNETWORKS_H
#define CMA_UNITTESTS_ANALYSIS_TESTNETWORKS_H

#include "cma/Analysis/ContractionPlanner.h"

#include <map>
#include <random>

namespace cma::test {

using Sizes = std::map<std::string, int64_t>;

/// A network from an equation whose labels are UTF-8 characters or `{name}`.
ContractionNetwork makeNetwork(const std::string &equation, const Sizes &sizes);

struct Case {
  std::string name;
  ContractionNetwork network;
  std::string optimalMults, optimalFlops;
};
std::vector<Case> loadCases();

struct JointCase {
  std::string name, targetSet;
  ContractionNetwork network;
  std::string forwardMults, jointMults;
  bool wantsAll = false;
};
std::vector<JointCase> loadJointCases();

/// What a random network has beside plain bonds between two operands.
struct RandomRules {
  unsigned minOperands = 1, maxOperands = 7;
  /// Labels on any number of operands, once-only and repeated ones.
  bool special = false;
  int64_t minExtent = 1, maxExtent = 6;
};
ContractionNetwork makeRandomNetwork(std::mt19937_64 &random,
                                     const RandomRules &rules);
/// For failure messages.
std::string describe(const ContractionNetwork &network);

/// Plans with the given objective on the "cpu" target.
ContractionPlan planFor(const ContractionNetwork &network, Objective objective,
                        unsigned maxExact = 14, uint64_t seed = 0);

} // namespace cma::test

#endif // CMA_UNITTESTS_ANALYSIS_TESTNETWORKS_H
