//===- WeightViews.h - Weight views between functions -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how views of weights become state of an accumulating step.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_WEIGHTVIEWS_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_WEIGHTVIEWS_H

#include "mlir/IR/BuiltinOps.h"

namespace cma {

/// For each pair `<f>_accumulate` and `<f>_apply` of `module`: casts of
/// parameters in the first become arguments of role "view", which the second
/// updates from the new parameters.
void createWeightViews(mlir::ModuleOp module);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_WEIGHTVIEWS_H
