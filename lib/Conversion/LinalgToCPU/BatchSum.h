//===- BatchSum.h - Sums over the batch in parts --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how a sum over the batch axis is cut into one partial
// result per chunk, and how these are combined in the order of the chunks.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_BATCHSUM_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_BATCHSUM_H

#include "BatchRun.h"
#include "KernelBuilder.h"
#include "KernelModel.h"

namespace cma {

/// The partial results of one op.
///
/// A gradient of weights is a contraction A^T B over the batch. Its partial
/// result is laid out as panels: blocks of as many columns as a register tile
/// has, one after the other, each with all its rows. A tile then adds to
/// consecutive cache lines instead of one line in each row.
class BatchSum {
public:
  /// `slots` is the number of partial results.
  BatchSum(const BatchOp &entry, int64_t slots);

  /// Allocates all partial results.
  void createPartials(KernelBuilder &b);
  /// Gives partial result number `slot`, set to the neutral element.
  mlir::Value startPartial(KernelBuilder &b, mlir::Value slot);
  /// Whether the partial result is in panels.
  bool hasOwnLayout() const { return columns.has_value(); }
  /// Adds the contraction over one tile to a partial result in panels.
  void emitTile(KernelBuilder &b, mlir::Value a, mlir::Value b2, int64_t rows,
                mlir::Value partial);
  /// Combines all partial results with what the op's output holds.
  void combine(KernelBuilder &b);

private:
  void planPanels();
  llvm::SmallVector<int64_t> getPartialShape() const;

  BatchOp entry;
  int64_t slots;
  mlir::Value partials;
  /// For panels: the op's loops, and which one the columns are.
  std::optional<KernelModel> model;
  std::optional<unsigned> columns;
  int64_t lanes = 0;
};

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_BATCHSUM_H
