//===- Passes.h - Passes on the CMA dialect ---------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the passes on the CMA dialect.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_PASSES_H
#define CMA_DIALECT_CMA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cma {

#define GEN_PASS_DECL
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_PASSES_H
