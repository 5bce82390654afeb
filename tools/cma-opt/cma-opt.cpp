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

#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

static const char bugReportText[] =
    "PLEASE report this with the file and the command line that lead to it, "
    "and the stack trace below.\n";

/// The lexer takes a NUL inside the text for a blank; a file with one is not
/// what its author thinks it is. Bytecode, which starts with "ML\xefR", may
/// have any.
static mlir::LogicalResult verifyText(llvm::MemoryBufferRef buffer) {
  llvm::StringRef text = buffer.getBuffer();
  size_t position = text.find('\0');
  if (text.starts_with("ML\xefR") || position == llvm::StringRef::npos)
    return mlir::success();
  llvm::errs() << buffer.getBufferIdentifier() << ":"
               << text.take_front(position).count('\n') + 1
               << ": error: expected text, got a NUL character\n";
  return mlir::failure();
}

static mlir::LogicalResult run(llvm::StringRef input, llvm::StringRef output,
                               mlir::DialectRegistry &registry,
                               const mlir::MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      mlir::openInputFile(input, &message);
  std::unique_ptr<llvm::ToolOutputFile> file;
  if (buffer && succeeded(verifyText(*buffer)))
    file = mlir::openOutputFile(output, &message);
  if (!message.empty())
    llvm::errs() << message << '\n';
  if (!file || failed(mlir::MlirOptMain(file->os(), std::move(buffer), registry,
                                        config)))
    return mlir::failure();
  file->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
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

  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv,
      "CMA optimiser driver: compiler for tensor-compressed networks\n",
      registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses() || config.shouldShowDialects())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(run(input, output, registry, config));
}
