//===- ContractionTarget.h - Machines that plans are made for ---*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the table of machines and the modelled time of one
// contraction step on them. The figures are data: the host is never probed, so
// that a plan is the same wherever it is made.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_CONTRACTIONTARGET_H
#define CMA_ANALYSIS_CONTRACTIONTARGET_H

#include "cma/Analysis/ContractionNetwork.h"

#include <array>
#include <string>
#include <string_view>

namespace cma {

/// A machine as the time model sees it. Rates are in operations per second (a
/// multiply-add is two), bandwidths in bytes per second.
struct TargetModel {
  std::string_view name;
  /// Cores, or streaming multiprocessors.
  double units;
  /// Dense rate of the matrix units by operand type; 0 where there are none.
  std::array<double, numElementTypes> matrixRate;
  /// Rate of the vector units by operand type.
  std::array<double, numElementTypes> vectorRate;
  /// Matrix operands are padded to multiples of these.
  double tileM, tileN, tileK;
  /// What one unit works on at a time, for wave quantisation.
  double blockM, blockN;
  double memoryBandwidth;
  double cacheBandwidth;
  /// Bytes of the last-level cache.
  double cacheBytes;
  /// Fixed cost of one step, in seconds.
  double launchSeconds;
};

/// The target of that name, or null.
const TargetModel *lookupTarget(std::string_view name);
/// All names, separated by ", ", for messages.
std::string listTargets();

/// One pairwise step as a batched matrix product.
struct StepShape {
  /// Products of the extents of the labels in: both operands and the output;
  /// the left operand and the output; the right one and the output; summed.
  double batch = 1, m = 1, n = 1, k = 1;
  double lhsElements = 1, rhsElements = 1, outElements = 1;
  unsigned lhsBytes = 4, rhsBytes = 4, outBytes = 4;
};

/// Modelled time of a step in whole picoseconds: the longer of computing and
/// moving bytes, plus the launch.
double modelStepTime(const TargetModel &target, ElementType computeType,
                     const StepShape &shape);

/// What `modelStepTime` gives at least for a step over `points` points that
/// moves `bytes`.
double boundStepTime(const TargetModel &target, ElementType computeType,
                     double points, double bytes);

/// Modelled time of reading `inBytes`, writing `outBytes` and adding up, in
/// whole picoseconds.
double modelReductionTime(const TargetModel &target, double inBytes,
                          double outBytes);

} // namespace cma

#endif // CMA_ANALYSIS_CONTRACTIONTARGET_H
