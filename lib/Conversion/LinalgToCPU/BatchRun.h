//===- BatchRun.h - Ops that can share one loop over the batch ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the search for runs of ops that can be executed tile by
// tile along the batch axis.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_BATCHRUN_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_BATCHRUN_H

#include "BatchAxes.h"

namespace cma {

/// An op of a run.
struct BatchOp {
  mlir::linalg::LinalgOp op;
  /// Its loop along the batch axis. Where that is a sum, every chunk of the
  /// batch gets a partial result.
  unsigned loop = 0;
  bool accumulates = false;
};

/// A part of a block in its new order.
struct BatchRun {
  llvm::SmallVector<mlir::Operation *> before;
  llvm::SmallVector<BatchOp> ops;
  llvm::SmallVector<mlir::Operation *> after;
};

/// Partial results of more bytes than this would leave the cache before the
/// next tile adds to them; such sums stay out of a run.
constexpr int64_t kMaxPartialBytes = 512 << 10;

/// Starts a run at the first op of `ops` that can be in one, and lets every
/// later op join it that may: moving the ops in between to before or after the
/// run must change no value that any op reads.
BatchRun findBatchRun(llvm::ArrayRef<mlir::Operation *> ops,
                      const BatchAxes &axes);

/// Moves ops to the end of the run that write a result from little that lies in
/// `scratch` buffers, where nothing else depends on them: the ops that read the
/// same rows of a large input then follow each other, and find them in cache.
void postponeResults(llvm::SmallVectorImpl<BatchOp> &run,
                     llvm::function_ref<bool(mlir::Value buffer)> isScratch);

/// The axis of operand number `operand` that moves with loop `loop`; none where
/// the operand stands still or is a scalar.
std::optional<unsigned> getOperandAxis(mlir::linalg::LinalgOp op,
                                       unsigned operand, unsigned loop);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_BATCHRUN_H
