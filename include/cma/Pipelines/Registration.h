//===- Registration.h - Everything CMA adds to MLIR -------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the calls that make CMA's dialect, passes and pipelines
// known to a tool or to an embedding compiler.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_PIPELINES_REGISTRATION_H
#define CMA_PIPELINES_REGISTRATION_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cma {

/// CMA's version, for example "0.1.0".
llvm::StringRef getVersionString();

/// Adds the CMA dialect, and what its passes need of upstream dialects and
/// external models (a registry without mlir::registerAllDialects suffices for
/// every CMA pipeline).
void registerCMADialects(mlir::DialectRegistry &registry);

/// Registers every CMA pass under its command-line name.
void registerCMAPasses();

/// Registers the pipelines of Pipelines.h under their command-line names.
void registerCMAPipelines();

} // namespace cma

#endif // CMA_PIPELINES_REGISTRATION_H
