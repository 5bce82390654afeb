//===- BruteForce.h - Optimal orders by trying all of them ------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the oracle that the planner is compared with. It shares no
// code with the planner: plain recursion over all binary trees, without a memo,
// and over all sequences of pairs where their order matters.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_ANALYSIS_BRUTEFORCE_H
#define CMA_UNITTESTS_ANALYSIS_BRUTEFORCE_H

#include "cma/Analysis/ContractionNetwork.h"

#include <cstdint>

namespace cma::test {

/// The smallest costs of all wanted targets over all trees, for networks of up
/// to 8 operands and 64 labels whose costs fit 63 bits. The two minima may come
/// from different trees.
struct BruteForceCosts {
  uint64_t mults, flops;
};
BruteForceCosts searchAllTrees(const ContractionNetwork &network);

/// The smallest peak over all sequences of pairs, for up to 7 operands.
uint64_t searchAllSequencesForPeak(const ContractionNetwork &network);

} // namespace cma::test

#endif // CMA_UNITTESTS_ANALYSIS_BRUTEFORCE_H
