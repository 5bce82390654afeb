//===- Dialects.cpp - Dialects that cma-run reads -------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file registers dialects.
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "cma/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

mlir::DialectRegistry cma::run::createRegistry() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cma::registerCMADialects(registry);
  return registry;
}
