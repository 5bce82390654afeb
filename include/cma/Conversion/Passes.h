//===- Passes.h - Conversions out of CMA and to the CPU ---------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the passes of lib/Conversion and their options.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_CONVERSION_PASSES_H
#define CMA_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace cma {

#define GEN_PASS_DECL
#include "cma/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cma/Conversion/Passes.h.inc"

} // namespace cma

#endif // CMA_CONVERSION_PASSES_H
