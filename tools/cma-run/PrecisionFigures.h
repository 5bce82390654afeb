//===- PrecisionFigures.h - Bytes of a precision ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what a training step's types come to in memory.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_PRECISIONFIGURES_H
#define CMA_TOOLS_CMA_RUN_PRECISIONFIGURES_H

#include <cstdint>

namespace cma::run {

/// Sums over the functions of a step, whichever of them runs how often. Each
/// `F32` figure is what the same values take in f32.
struct PrecisionFigures {
  uint64_t casts = 0;
  uint64_t castBytes = 0; ///< What casts write in a step, all its batches.
  uint64_t masterBytes = 0;
  uint64_t viewBytes = 0, viewF32Bytes = 0;
  uint64_t savedBytes = 0, savedF32Bytes = 0;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_PRECISIONFIGURES_H
