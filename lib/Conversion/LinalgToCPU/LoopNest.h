//===- LoopNest.h - Vector loops for elementwise ops and sums -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the kernel for every linalg op that is no large
// contraction: elementwise ops, broadcasts, reductions, data movement.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H

#include "KernelModel.h"

namespace cma {

/// How an op is written as loops.
struct LoopNestPlan {
  /// Loops of the model from the outside in.
  llvm::SmallVector<unsigned> parallel;
  llvm::SmallVector<unsigned> reductions;
  /// The last one of `parallel`, or else of `reductions`, handles `width`
  /// elements at a time; 1 where the op is not vectorised.
  int64_t width = 1;
  bool vectorReduction = false;
  /// Cut the outermost parallel loop into chunks for threads.
  bool useThreads = false;
  /// Why `width` is 1.
  std::string whyScalar;
};

/// Plans the loops of `model`, which has at least one iteration.
LoopNestPlan planLoopNest(const KernelModel &model);

/// Writes the loops in front of the op. `initial`, if any, is what every
/// element of the output would hold: it is not read then.
void emitLoopNest(const KernelModel &model, const LoopNestPlan &plan,
                  mlir::Value initial);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H
