//===- PrecisionSolver.h - Which op runs in which precision -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how precisions are chosen for a graph of ops: two types, a
// low and a high one, and the fewest bytes of casts between them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_PRECISIONSOLVER_H
#define CMA_ANALYSIS_PRECISIONSOLVER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cma {

enum class PrecisionSide : uint8_t { Low, High };

/// What is decided as one: the type in which an op reads, or writes, or both.
struct PrecisionNode {
  /// Set where there is nothing to choose.
  std::optional<PrecisionSide> fixed;
  /// Where the lists leave a node alone that no operand pulls to the high type.
  PrecisionSide preferred = PrecisionSide::Low;
};

/// A value, written once in the type of its producer. A user that reads another
/// type reads a cast, which all users of that type share. Constants have any
/// type that is asked for, and are no values here.
struct PrecisionValue {
  /// The node whose type it has; none where it has a third type, from which
  /// both the low and the high one are casts.
  std::optional<size_t> producer;
  /// Bytes that writing the value, or a cast to it, moves in either type.
  uint64_t lowBytes = 0, highBytes = 0;
  /// Nodes in whose type it is read.
  std::vector<size_t> users;
};

struct PrecisionProblem {
  std::vector<PrecisionNode> nodes;
  std::vector<PrecisionValue> values;
  /// Nodes that must agree. Where a fixed high node and a fixed low one are
  /// tied, high wins.
  std::vector<std::pair<size_t, size_t>> ties;
};

/// In the order of importance.
struct PrecisionCost {
  __int128 castBytes = 0;
  __int128 casts = 0;
  /// Of the values that nodes produce.
  __int128 valueBytes = 0;

  friend bool operator==(const PrecisionCost &a, const PrecisionCost &b) {
    return a.castBytes == b.castBytes && a.casts == b.casts &&
           a.valueBytes == b.valueBytes;
  }
  friend bool operator<(const PrecisionCost &a, const PrecisionCost &b) {
    if (a.castBytes != b.castBytes)
      return a.castBytes < b.castBytes;
    return a.casts != b.casts ? a.casts < b.casts : a.valueBytes < b.valueBytes;
  }
  PrecisionCost &operator+=(const PrecisionCost &other) {
    castBytes += other.castBytes;
    casts += other.casts;
    valueBytes += other.valueBytes;
    return *this;
  }
  PrecisionCost &operator-=(const PrecisionCost &other) {
    castBytes -= other.castBytes;
    casts -= other.casts;
    valueBytes -= other.valueBytes;
    return *this;
  }
};

/// What `sides`, one a node, costs.
PrecisionCost computeCost(const PrecisionProblem &problem,
                          const std::vector<PrecisionSide> &sides);

/// The cheapest sides: a minimum cut between the nodes that are fixed high and
/// those that are fixed low. Exact; of several cheapest answers, the one with
/// the fewest high nodes.
std::vector<PrecisionSide> solveByMinCut(const PrecisionProblem &problem);

/// What an autocast does: a free node runs in the high type where one of its
/// operands has it.
std::vector<PrecisionSide> solveByLists(const PrecisionProblem &problem);

} // namespace cma

#endif // CMA_ANALYSIS_PRECISIONSOLVER_H
