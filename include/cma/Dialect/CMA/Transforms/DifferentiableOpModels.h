//===- DifferentiableOpModels.h - Derivatives of upstream ops ---*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the models that give upstream ops
// DifferentiableOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODELS_H
#define CMA_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cma {

/// Attaches DifferentiableOpInterface to the ops of `arith`, `math` and
/// `tensor` when their dialect is loaded. cma-differentiate does so by itself;
/// calling it again changes nothing.
void registerDifferentiableOpModels(mlir::DialectRegistry &registry);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODELS_H
