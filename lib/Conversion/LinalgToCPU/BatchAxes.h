//===- BatchAxes.h - The axis that a block's ops share --------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the analysis that finds the batch axis of a block: the
// axis along which most of its work is independent.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_BATCHAXES_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_BATCHAXES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace cma {

/// Groups the axes of memrefs and the loops of linalg ops that are the same
/// axis: because an indexing map walks one with the other, or because a reshape
/// keeps it.
class BatchAxes {
public:
  explicit BatchAxes(llvm::ArrayRef<mlir::Operation *> ops);

  /// Chooses, among the axes whose loops do nearly all the work, the one that
  /// cuts most of what the ops read and write. False if there is none with at
  /// least two positions.
  bool chooseAxis();

  /// Positions along the chosen axis.
  int64_t getExtent() const { return extent; }

  /// The loop of `op` along the chosen axis, if it has exactly one.
  std::optional<unsigned> getLoop(mlir::linalg::LinalgOp op) const;

private:
  using Axis = std::pair<void *, unsigned>; // a value or an op, and a position

  unsigned getNode(void *owner, unsigned position, int64_t size);
  void joinOp(mlir::linalg::LinalgOp op);
  void joinReshape(mlir::Operation *op);

  llvm::SmallVector<mlir::linalg::LinalgOp> linalgOps;
  llvm::DenseMap<Axis, unsigned> nodes;
  llvm::SmallVector<int64_t> sizes; // of the nodes
  llvm::SmallVector<std::pair<unsigned, unsigned>> joins;
  llvm::IntEqClasses classes;
  unsigned chosen = 0;
  int64_t extent = 0;
};

/// The axis of `memref`'s buffer that axis `dim` of the view `memref` is, and
/// that buffer. Fails where a view mixes the axis with others or cuts it.
mlir::FailureOr<std::pair<mlir::Value, unsigned>>
traceAxisToBuffer(mlir::Value memref, unsigned dim);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_BATCHAXES_H
