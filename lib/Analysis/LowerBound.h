//===- LowerBound.h - What no order can go below ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a bound for networks that no exact search has solved.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_LOWERBOUND_H
#define CMA_LIB_ANALYSIS_LOWERBOUND_H

#include "cma/Analysis/ContractionPath.h"

namespace cma::planner {

/// A value that the objective of no order of two or more operands is below.
/// Quick and modest: every operand has to be read, and the result written.
U128 boundObjective(const ContractionNetwork &network, Objective objective);

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_LOWERBOUND_H
