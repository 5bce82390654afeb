//===- BatchLoops.h - One loop over the batch for many ops ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the rewriting of a run of ops into one loop over tiles of
// the batch.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_BATCHLOOPS_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_BATCHLOOPS_H

#include "BatchRun.h"

namespace cma {

/// Positions per tile for a run over `extent` positions: as many as keep what a
/// tile touches in the second-level cache, and a divisor of `extent` where one
/// is near.
int64_t chooseTile(llvm::ArrayRef<BatchOp> run, int64_t extent);

/// Replaces the ops of `run`, which may lie anywhere in the block in front of
/// `position`, by a loop in front of it.
void emitBatchLoop(llvm::ArrayRef<BatchOp> run, int64_t extent, int64_t tile,
                   mlir::Operation *position);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_BATCHLOOPS_H
