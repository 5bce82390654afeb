//===- cma-lsp-server.cpp - Language server for .mlir files ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file is `mlir-lsp-server` with the CMA dialect: diagnostics, hover and
// definitions for .mlir files in an editor.
//
//===----------------------------------------------------------------------===//

#include "cma/Pipelines/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cma::registerCMADialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
