//===- Pipelines.h - From model to machine ----------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares CMA's pass pipelines and their options, for the tools and
// for a compiler that CMA is a part of.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_PIPELINES_PIPELINES_H
#define CMA_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace cma {

/// Options of `cma-to-cpu`.
struct ToCPUOptions : mlir::PassPipelineOptions<ToCPUOptions> {
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Fuse elementwise ops and batch loops"),
                    llvm::cl::init(true)};
  Option<bool> vectorize{
      *this, "vectorize",
      llvm::cl::desc("Tile for registers and vectorise; without it every op "
                     "becomes a plain loop nest"),
      llvm::cl::init(true)};
  Option<bool> threads{
      *this, "threads",
      llvm::cl::desc("Run parallel loops on the threads of OpenMP"),
      llvm::cl::init(true)};
  Option<bool> approximateMath{
      *this, "approximate-math",
      llvm::cl::desc("Compute exp, tanh, erf and log of f32 by polynomials "
                     "(at most 5 ulp off) instead of libm"),
      llvm::cl::init(true)};
};

/// From a module at any stage with static shapes (layers expanded and
/// differentiated where that is wanted) to the LLVM dialect with one
/// `cma_entry_<name>` per public function (cma/Runtime/Entry.h).
void buildToCPUPipeline(mlir::OpPassManager &pm, const ToCPUOptions &options);

} // namespace cma

#endif // CMA_PIPELINES_PIPELINES_H
