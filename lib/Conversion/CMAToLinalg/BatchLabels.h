//===- BatchLabels.h - Which contractions run over the batch ----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the analysis that finds the batch axis of contractions.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_BATCHLABELS_H
#define CMA_LIB_CONVERSION_CMATOLINALG_BATCHLABELS_H

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace cma {

/// Follows the first axis of the data through a function. The lowering keeps
/// that axis a loop of its own, the same in every op, since the CPU path fuses
/// ops along it; all other axes may be joined.
class BatchLabels {
public:
  explicit BatchLabels(mlir::func::FuncOp func);

  /// Labels of `op` that stand for the batch axis of an operand.
  llvm::ArrayRef<LabelId> getLabels(mlir::Operation *op) const;

private:
  void visit(mlir::Operation *op);
  void visitNetwork(mlir::Operation *op, const Einsum &einsum,
                    mlir::ValueRange inputs);

  /// Values whose first axis is the batch axis.
  llvm::DenseSet<mlir::Value> batched;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<LabelId>> labels;
};

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_BATCHLABELS_H
