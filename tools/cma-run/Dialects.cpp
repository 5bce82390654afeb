//===- Dialects.cpp - Dialects that cma-run reads -------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file registers dialects and passes.
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "cma/Pipelines/Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Transforms/Passes.h"

mlir::DialectRegistry cma::run::createRegistry() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cma::registerCMADialects(registry);
  return registry;
}

void cma::run::registerPasses() {
  static bool registered = [] {
    mlir::registerTransformsPasses();
    cma::registerCMAPasses();
    cma::registerCMAPipelines();
    return true;
  }();
  (void)registered;
}
