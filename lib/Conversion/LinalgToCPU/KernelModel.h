//===- KernelModel.h - The loops of a structured op -----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the loop model that the CPU kernels are chosen from: every
// loop of a linalg op with its stride, in elements, in every operand.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_KERNELMODEL_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_KERNELMODEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cma {

/// One loop, possibly several loops of the op fused into one.
struct KernelLoop {
  int64_t extent = 1;
  bool isReduction = false;
  /// Stride per operand in elements; 0 where the operand does not move.
  llvm::SmallVector<int64_t, 4> strides;
  /// The op's own loop number, for loops read by linalg.index, which are never
  /// fused.
  std::optional<unsigned> indexedDim;
};

/// A linalg op on memrefs as loops over elements at linear addresses.
struct KernelModel {
  mutable mlir::linalg::LinalgOp op; // a handle; its accessors are not const
  llvm::SmallVector<KernelLoop> loops;
  /// Constant part of every operand's linear address, in elements.
  llvm::SmallVector<int64_t> constants;
  unsigned numInputs = 0;

  unsigned getNumOperands() const { return constants.size(); }
  unsigned getNumOutputs() const { return getNumOperands() - numInputs; }
  mlir::Block *getBody() const { return op.getBlock(); }
  /// Product of all extents.
  int64_t getNumPoints() const;
  /// Whether some loop has no iteration, so that the op writes nothing.
  bool isEmpty() const;
};

/// Builds the model of `op`, without loops of extent 1 and with adjacent loops
/// fused where all operands allow. Fails, with the reason in `why`, on tensors,
/// shapes or strides that are not static, and on indexing maps that are not
/// linear. Loop number `keptDim` is treated as if linalg.index read it.
mlir::FailureOr<KernelModel>
analyzeKernel(mlir::linalg::LinalgOp op, std::string &why,
              std::optional<unsigned> keptDim = std::nullopt);

/// Fuses loops that together visit evenly spaced elements in every operand.
void fuseKernelLoops(llvm::SmallVectorImpl<KernelLoop> &loops);

/// The op that combines a reduction's new value with its old one, for an op
/// whose only output is reduced as `out = combine(out, value)` by an
/// associative and commutative operation; null otherwise.
mlir::Operation *getReductionCombiner(mlir::linalg::LinalgOp op);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_KERNELMODEL_H
