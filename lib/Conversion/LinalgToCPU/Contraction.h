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

/// Writes the kernel in front of the op. Every element of the output starts as
/// `initial` where that is set, and as what the output holds otherwise.
void emitContraction(const KernelModel &model, const ContractionKernel &plan,
                     mlir::Value initial);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_CONTRACTION_H
