//===- Dialects.h - Dialects that cma-run reads -----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file hides the headers of every upstream dialect from the other
// sources.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_DIALECTS_H
#define CMA_TOOLS_CMA_RUN_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cma::run {

/// All dialects of MLIR and CMA with their extensions.
mlir::DialectRegistry createRegistry();

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_DIALECTS_H
