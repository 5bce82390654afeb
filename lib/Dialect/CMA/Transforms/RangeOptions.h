//===- RangeOptions.h - Ranges on the command line --------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how passes read bounds of arguments.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_RANGEOPTIONS_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_RANGEOPTIONS_H

#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "mlir/IR/Location.h"

namespace cma {

/// Reads entries `<name>:<low>:<high>` of the option `ranges`. Fails after an
/// error at `loc`.
llvm::LogicalResult readRanges(mlir::Location loc,
                               llvm::ArrayRef<std::string> entries,
                               llvm::StringMap<Interval> &ranges);

/// Fails after an error where a name is no float argument of any function.
llvm::LogicalResult checkRangeNames(mlir::ModuleOp module,
                                    const llvm::StringMap<Interval> &ranges);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_RANGEOPTIONS_H
