//===- ScaleAnalysis.h - Which values carry a loss scale --------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the proof that a training step undoes its loss scale once
// for each gradient.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_SCALEANALYSIS_H
#define CMA_DIALECT_CMA_TRANSFORMS_SCALEANALYSIS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cma {

/// Follows every loss scale of `func`, the scales that `cma.unscale` divides by
/// and those that `cma.scaled_by` names, as a power through all ops. Fails
/// after an error that names both values where values of different scale are
/// added, where `cma.unscale` gets a gradient without its scale, and where a
/// scaled value reaches an optimizer or the function's state.
llvm::LogicalResult verifyLossScales(mlir::func::FuncOp func);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_SCALEANALYSIS_H
