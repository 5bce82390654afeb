//===- cma-opt.cpp - The CMA optimiser driver -----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file is `mlir-opt` with the CMA dialect, its passes and its pipelines.
//
//===----------------------------------------------------------------------===//

#include "cma/Pipelines/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

static const char bugReportText[] =
    "PLEASE report this with the file and the command line that lead to it, "
    "and the stack trace below.\n";

int main(int argc, char **argv) {
  llvm::setBugReportMsg(bugReportText);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "CMA version " << cma::getVersionString() << '\n';
  });

  mlir::registerAllPasses();
  cma::registerCMAPasses();
  cma::registerCMAPipelines();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cma::registerCMADialects(registry);

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv,
                        "CMA optimiser driver: compiler for tensor-compressed "
                        "networks\n",
                        registry));
}
