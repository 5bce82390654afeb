//===- CastReport.h - What casts cost and what types save -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the report of cma-insert-casts.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_CASTREPORT_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_CASTREPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace cma {

/// Writes the members of an object on a function with casts.
void writeCastReport(mlir::func::FuncOp func, llvm::json::OStream &json);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_CASTREPORT_H
