//===- GlobalStrings.h - Text in compiled modules ---------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares helpers that put C strings into a module of the LLVM
// dialect.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_GLOBALSTRINGS_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_GLOBALSTRINGS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace cma {

/// Name of the private global of `module` that holds `text` and a final NUL;
/// made where there is none yet.
mlir::FlatSymbolRefAttr getStringGlobal(mlir::ModuleOp module,
                                        llvm::StringRef text);

/// The address of that global, as a value of type !llvm.ptr.
mlir::Value createString(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ModuleOp module, llvm::StringRef text);

/// A location as a diagnostic shows it: file:line:column where it has one.
std::string getLocationText(mlir::Location loc);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_GLOBALSTRINGS_H
