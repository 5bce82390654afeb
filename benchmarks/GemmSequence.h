//===- GemmSequence.h - A planned function as BLAS calls --------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the rival of the layer benchmark: the same pairwise
// contractions in the same order, each one call of OpenBLAS' sgemm.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_BENCHMARKS_GEMMSEQUENCE_H
#define CMA_BENCHMARKS_GEMMSEQUENCE_H

#include "cma/Runtime/AlignedBuffer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace cma {

/// C = op(A) op(B) on row-major f32 buffers.
struct Gemm {
  size_t a, b, c; ///< Buffers.
  bool transposeA, transposeB;
  int64_t m, n, k;
};

class GemmSequence {
public:
  /// Reads a planned function of two-operand contractions, reshapes and
  /// nothing else; every contraction must be one matrix product without a copy.
  /// `arguments` are the buffers of the function's arguments.
  static llvm::Expected<GemmSequence> create(mlir::func::FuncOp func,
                                             llvm::ArrayRef<float *> arguments);

  void run() const;

  /// Floating-point operations of one run.
  double getFlops() const;
  llvm::ArrayRef<float *> getResults() const { return results; }
  llvm::ArrayRef<int64_t> getResultSizes() const { return resultSizes; }
  llvm::ArrayRef<Gemm> getGemms() const { return gemms; }

private:
  std::vector<Gemm> gemms;
  std::vector<float *> buffers;
  std::vector<AlignedBuffer> storage;
  std::vector<float *> results;
  std::vector<int64_t> resultSizes;
};

} // namespace cma

#endif // CMA_BENCHMARKS_GEMMSEQUENCE_H
