//===- Contraction.h - Register-tiled contractions ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the kernel for contractions: C[m, n] += A[m, k] B[k, n]
// with register tiles, where m, n and k stand for any number of loops, and any
// number of loops lies around it.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_CONTRACTION_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_CONTRACTION_H

#include "KernelModel.h"

#include "llvm/ADT/SetVector.h"

namespace cma {

/// How the kernel reaches B.
enum class PanelMode {
  /// B is read where it is: its rows have unit stride.
  Direct,
  /// All of B is copied once, in front of the loops that do not change it.
  Whole,
  /// One panel at a time is copied just before its use.
  PerPanel,
};

/// A loop of a contraction with its strides in A, B and C.
struct ContractionLoop {
  int64_t extent = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// An elementwise op of one tensor in and one out that a contraction's kernel
/// takes over, to save a pass over memory: most of all a change of the type.
struct FusedMap {
  KernelModel model;
  /// Element type in, and out.
  mlir::Type getInputType() const { return getType(0); }
  mlir::Type getOutputType() const { return getType(1); }

private:
  mlir::Type getType(unsigned operand) const {
    return model.getBody()->getArgument(operand).getType();
  }
};

/// Makes rows of A just before the block of rows that reads them.
struct RowMap : FusedMap {
  /// From row to row of the input; k has unit stride there and in A.
  int64_t rowStride = 0;
  /// Nothing else reads A: the rows of one block are kept, in a buffer of
  /// their own.
  bool isPrivate = false;
};

/// A contraction and the shape of its kernel.
struct ContractionKernel {
  unsigned operandA = 0, operandB = 1; // positions among the op's inputs
  mlir::Type elementType;
  /// Loops around the kernel: batch loops, and those of the rows and columns
  /// that do not fuse with the ones below.
  llvm::SmallVector<ContractionLoop> outer;
  ContractionLoop m;
  /// From the outside in. Together they are one loop with unit stride in C.
  llvm::SmallVector<ContractionLoop> n;
  llvm::SmallVector<ContractionLoop> k;

  /// Columns of a register tile, and its greatest number of rows.
  int64_t lanes = 16;
  int64_t maxRows = 6;
  PanelMode panels = PanelMode::Direct;
  /// Whole: the loop in front of which B is copied; null for the op itself.
  mlir::Operation *packBefore = nullptr;
  /// Columns outside, rows inside: a panel of B stays in cache, not rows of A.
  bool columnsOutside = false;
  bool useThreads = false;

  std::optional<RowMap> rowMap;
  /// Turns sums into what is stored: C and its strides are then those of the
  /// map's output.
  std::optional<FusedMap> resultMap;

  int64_t getN() const;
  int64_t getK() const;
  int64_t getNumPanels() const;
  /// Multiplications, without padding.
  int64_t getWork() const;
};

/// Whether the body is `out + a * b` on one type, f32 or f64.
bool isMultiplyAdd(const KernelModel &model);

/// Recognises `model` as a contraction worth register tiles and plans it. Fails
/// with the reason in `why`. Must run before any op around is lowered, since it
/// looks for writes to B.
mlir::FailureOr<ContractionKernel> planContraction(const KernelModel &model,
                                                   std::string &why);

/// Ops that kernels took over, in the order in which they did.
using FusedOps = llvm::SmallSetVector<mlir::Operation *, 16>;

/// Lets `plan`, whose sums start from `fill`, take over an elementwise op that
/// follows and is all that reads the sums. Moves that op to where it now
/// happens and returns it, to be erased after the kernel is written; null if
/// there is none.
mlir::Operation *fuseResultMap(const KernelModel &model,
                               ContractionKernel &plan, mlir::Operation *fill);

/// Lets `plan` take over an elementwise op in front of it that makes A, and
/// that is none of `taken`. Moves and returns that op like fuseResultMap.
mlir::Operation *fuseRowMap(const KernelModel &model, ContractionKernel &plan,
                            const FusedOps &taken);

/// Writes the kernel in front of the op. Every element of the output starts as
/// `initial` where that is set, and as what the output holds otherwise.
void emitContraction(const KernelModel &model, const ContractionKernel &plan,
                     mlir::Value initial);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_CONTRACTION_H
