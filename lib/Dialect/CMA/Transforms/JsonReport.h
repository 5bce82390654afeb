//===- JsonReport.h - Reports on the functions of a module ------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the passes that report in JSON share.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_JSONREPORT_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_JSONREPORT_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace cma {

/// Calls `writeFunctions`, which writes the elements of the array "functions",
/// and puts the report into the file `path`, whole or not at all. Without a
/// path the report is dropped. Fails where `writeFunctions` does, and then
/// writes no file, or with an error at `loc` where the file cannot be written.
llvm::LogicalResult
writeJsonReport(mlir::Location loc, const std::string &path,
                llvm::function_ref<llvm::LogicalResult(llvm::json::OStream &)>
                    writeFunctions);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_JSONREPORT_H
