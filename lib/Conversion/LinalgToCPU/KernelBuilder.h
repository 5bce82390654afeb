//===- KernelBuilder.h - Building blocks of CPU kernels -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares helpers that emit the address arithmetic, the loops and
// the vector accesses of CPU kernels.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_KERNELBUILDER_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_KERNELBUILDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace cma {

/// Parallel loops are cut into at most this many chunks, whatever the number of
/// threads: the order of every sum is then the same for all of them.
constexpr int64_t kNumChunks = 16;

/// What is said to LLVM about an scf loop; cma-emit-entries hands it on.
constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// A buffer as one row of elements, and the position at which a view of it
/// starts.
struct FlatMemRef {
  mlir::Value memref;
  mlir::Value base;
};

/// A builder with a location and index arithmetic that folds constants.
struct KernelBuilder : mlir::OpBuilder {
  KernelBuilder(mlir::Operation *before, mlir::Location loc)
      : mlir::OpBuilder(before), loc(loc) {}

  mlir::Location loc;

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t factor);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// base + iv * stride.
  mlir::Value advance(mlir::Value base, mlir::Value iv, int64_t stride);

  /// The row of elements behind `memref`. Views with static strides are looked
  /// through, so that the row is that of the whole buffer.
  FlatMemRef flatten(mlir::Value memref);

  /// An uninitialised row of `numElements`; one for every iteration of a
  /// parallel loop around the insertion point.
  FlatMemRef createScratch(mlir::Type elementType, int64_t numElements);

  using LoopBody = llvm::function_ref<void(mlir::Value iv)>;
  using CarryingLoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange carried)>;

  /// A sequential loop; no loop at all for one constant iteration.
  void loop(mlir::Value lower, mlir::Value upper, int64_t step, LoopBody body);
  void loop(int64_t lower, int64_t upper, int64_t step, LoopBody body);
  /// A loop that carries values; LLVM is told to write the body `unrolling`
  /// times.
  llvm::SmallVector<mlir::Value> loop(int64_t extent, mlir::ValueRange inits,
                                      CarryingLoopBody body,
                                      int64_t unrolling = 1);
  using ChunkBody = llvm::function_ref<void(
      mlir::Value chunk, mlir::Value first, mlir::Value last)>;
  /// Cuts 0 .. extent into chunks that run in parallel; the body gets the
  /// number of the chunk and its first and last+1 iteration. One chunk, and no
  /// loop, where `parallel` is not set.
  void chunks(int64_t extent, bool parallel, ChunkBody body);

  /// Reads `type` at a position: a vector of consecutive elements, of which
  /// only the first `lanes` are touched, or one element.
  mlir::Value load(mlir::Type type, const FlatMemRef &row, mlir::Value position,
                   int64_t lanes);
  /// Writes the first `lanes` of a vector, or a scalar.
  void store(mlir::Value value, const FlatMemRef &row, mlir::Value position,
             int64_t lanes);
  /// `position`, or the last one from which `span` elements lie in the row.
  mlir::Value getNear(const FlatMemRef &row, mlir::Value position,
                      int64_t span);
  /// Starts to fetch the cache line at a position of the row.
  void prefetch(const FlatMemRef &row, mlir::Value position, bool forWriting);
  /// `scalar` in every lane of `type`; itself where `type` is no vector.
  mlir::Value splat(mlir::Value scalar, mlir::Type type);
};

/// Writes the ops of `body` on vectors of `width` lanes, on scalars where that
/// is 1, and returns what it yields. `mapping` says what stands for the
/// arguments, and for the results of ops that need not be written. `onClone`,
/// if any, sees every op written.
llvm::SmallVector<mlir::Value>
cloneBody(KernelBuilder &b, mlir::Block &body, mlir::IRMapping &mapping,
          int64_t width,
          llvm::function_ref<void(mlir::Operation *)> onClone = nullptr);

/// Whether `op` is in a loop whose iterations run in parallel.
bool isInParallelLoop(mlir::Operation *op);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_KERNELBUILDER_H
