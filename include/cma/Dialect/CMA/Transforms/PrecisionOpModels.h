//===- PrecisionOpModels.h - Precision classes of ops -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the models that give ops PrecisionOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODELS_H
#define CMA_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cma {

/// Attaches PrecisionOpInterface to the ops of `cma`, `arith`, `math` and
/// `tensor` when their dialect is loaded. The passes that need it do so by
/// themselves; calling it again changes nothing.
void registerPrecisionOpModels(mlir::DialectRegistry &registry);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODELS_H
