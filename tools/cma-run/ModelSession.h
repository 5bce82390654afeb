//===- ModelSession.h - A model and its run-time setting --------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what train and eval share: the model of a file, checked
// for use by a runner, the threads, and the figures that both report.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_MODELSESSION_H
#define CMA_TOOLS_CMA_RUN_MODELSESSION_H

#include "Evaluator.h"
#include "Report.h"
#include <chrono>

namespace cma::run {

/// Sets the threads of compiled code; 0 keeps OpenMP's choice. Returns how many
/// there are.
llvm::Expected<int64_t> setThreads(int64_t threads);

/// Fails where `path` cannot be written; leaves the file as it is. Empty: none.
llvm::Error checkWritable(const std::string &path);

/// An option, or the placeholder of the positional argument, and its file.
using FileOption = std::pair<llvm::StringRef, const std::string &>;

/// Fails where two of the files are one and at least one of them is written: an
/// output may be neither an input nor another output. Empty names are none.
llvm::Error checkDistinct(llvm::ArrayRef<FileOption> outputs,
                          llvm::ArrayRef<FileOption> inputs);

class ModelSession {
public:
  /// Parses `path` and analyses its model at the given batch size. Every
  /// argument must be a parameter, state, or data of that batch.
  static llvm::Expected<std::unique_ptr<ModelSession>>
  open(const std::string &path, int64_t batch, int64_t threads);

  Program &getProgram() { return *program; }
  const Model &getModel() const { return model; }
  SharedWorkspace &getWorkspace() { return workspace; }

  /// Figures that do not depend on a run, and the time and memory so far.
  /// `bufferBytes` are the bytes of all buffers but the workspace.
  RunFigures startFigures() const;
  void finishFigures(RunFigures &figures, uint64_t bufferBytes) const;

private:
  ModelSession() = default;

  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::unique_ptr<Program> program;
  Model model;
  SharedWorkspace workspace;
  int64_t threads = 0;
};

/// Fails where a data argument has a fixed first axis other than `batch`.
llvm::Error checkBatch(const FunctionInfo &function, int64_t batch);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_MODELSESSION_H
