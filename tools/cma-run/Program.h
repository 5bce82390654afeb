//===- Program.h - A parsed .mlir file --------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the module that a command works on, together with the
// context and the source text that its diagnostics point into.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_PROGRAM_H
#define CMA_TOOLS_CMA_RUN_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>
#include <string>

namespace cma::run {

class Program {
public:
  /// Reads and parses `path` ("-" is the standard input). Text with a NUL in it
  /// is refused; diagnostics go to stderr, with the line at fault.
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::StringRef path);

  const std::string &getPath() const { return path; }
  /// Sixteen hexadecimal digits that stay the same where only comments and
  /// blanks of the text change. They do not depend on the version of CMA.
  std::string getFingerprint() const;

  mlir::ModuleOp getModule() { return *module; }

  /// The function with a loss; an error unless there is exactly one.
  llvm::Expected<mlir::func::FuncOp> findTrainedFunction();

  /// The public function of that name; without a name the only public one, else
  /// the only one with a loss, else an error that lists them.
  llvm::Expected<mlir::func::FuncOp> findFunction(llvm::StringRef name);

private:
  explicit Program(llvm::StringRef path);

  std::string path;
  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_PROGRAM_H
