//===- ModelSession.cpp - A model and its run-time setting ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file opens models for train and eval.
//
//===----------------------------------------------------------------------===//

#include "ModelSession.h"

#include "ExitCode.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/ExecutionEngine/OpenMPRuntime.h"
#include "cma/Runtime/AlignedBuffer.h"
#include "cma/Runtime/AtomicFile.h"
#include "llvm/ADT/STLExtras.h"
#include <filesystem>

using namespace cma;
using namespace cma::run;

llvm::Expected<int64_t> cma::run::setThreads(int64_t threads) {
  auto openmp = OpenMPRuntime::get();
  if (!openmp)
    return openmp.takeError();
  if (threads != 0)
    openmp->setNumThreads(static_cast<int>(threads));
  return openmp->getMaxThreads();
}

llvm::Error cma::run::checkWritable(const std::string &path) {
  if (path.empty())
    return llvm::Error::success();
  return toError(AtomicFile::create(path).getStatus());
}

/// Whether writing `output` would replace `other`. Only what is or would be a
/// regular file is replaced.
static bool wouldReplace(const std::string &output, const std::string &other) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::file_status status = fs::status(output, error);
  if (output.empty() || other.empty() ||
      (fs::exists(status) && !fs::is_regular_file(status)))
    return false;
  if (fs::equivalent(output, other, error) && !error)
    return true;
  fs::path a = fs::weakly_canonical(output, error);
  if (error)
    return false; // Whatever opens the file says why.
  fs::path b = fs::weakly_canonical(other, error);
  return !error && a == b;
}

llvm::Error cma::run::checkDistinct(llvm::ArrayRef<FileOption> outputs,
                                    llvm::ArrayRef<FileOption> inputs) {
  for (auto [i, output] : llvm::enumerate(outputs)) {
    for (const FileOption &input : inputs)
      if (wouldReplace(output.second, input.second))
        return exitError(kUsage,
                         output.first + ": " + quoteForMessage(output.second) +
                             " would replace the file of " + input.first);
    for (const FileOption &other : outputs.drop_front(i + 1))
      if (wouldReplace(output.second, other.second))
        return exitError(kUsage, output.first + " and " + other.first +
                                     ": expected two files, got " +
                                     quoteForMessage(output.second) +
                                     " for both");
  }
  return llvm::Error::success();
}

llvm::Error cma::run::checkBatch(const FunctionInfo &function, int64_t batch) {
  for (const ArgumentInfo &argument : function.arguments)
    if (argument.role == "data" && !argument.shape.empty() &&
        argument.shape.front() != kDynamic && argument.shape.front() != batch)
      return userError("@" + function.name + ": data argument " +
                       quoteForMessage(argument.name) +
                       ": expected a first axis of ? or of the batch size " +
                       llvm::Twine(batch) + ", got " +
                       llvm::Twine(argument.shape.front()));
  return llvm::Error::success();
}

/// A runner has to know what every argument is for, and what feeds it.
static llvm::Error checkArguments(mlir::func::FuncOp op,
                                  const FunctionInfo &function) {
  for (auto [i, argument] : llvm::enumerate(function.arguments)) {
    std::string place =
        "@" + function.name + ": argument " + std::to_string(i) + ": ";
    if (!argument.isKept() && argument.role != "data")
      return userError(
          place +
          "expected a cma.role of \"parameter\", \"state\" or "
          "\"data\", got " +
          (argument.role.empty() ? "none" : "\"" + argument.role + "\""));
    if (!op.getArgAttr(i, kNameAttr))
      return userError(place + "expected a cma.name: that of a tensor of the "
                               "data file");
  }
  for (const ResultInfo &result : function.results)
    if ((result.role == "loss" || result.role == "metric") &&
        (!result.shape.empty() ||
         (result.type != StorageType::F32 && result.type != StorageType::F64)))
      return userError("@" + function.name +
                       ": expected the result of role \"" + result.role +
                       "\" to be a scalar of f32 or f64, got " +
                       describe(result.type, result.shape));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ModelSession>>
ModelSession::open(const std::string &path, int64_t batch, int64_t threads) {
  std::unique_ptr<ModelSession> session(new ModelSession());
  auto actual = setThreads(threads);
  if (!actual)
    return actual.takeError();
  session->threads = *actual;
  auto program = Program::load(path);
  if (!program)
    return program.takeError();
  session->program = std::move(*program);
  auto function = session->program->findTrainedFunction();
  if (!function)
    return function.takeError();
  // What is trained is kept and saved in f32.
  createMasters(*function);
  auto info = FunctionInfo::get(*function);
  if (!info)
    return info.takeError();
  session->model.info = std::move(*info);
  if (llvm::Error error = checkArguments(*function, session->model.info))
    return error;
  if (llvm::Error error = checkBatch(session->model.info, batch))
    return error;
  auto specialised =
      Compilation::create(*session->program, session->model.info.name, batch);
  if (!specialised)
    return specialised.takeError();
  auto summary = ModelSummary::get(specialised->getFunction());
  if (!summary)
    return summary.takeError();
  session->model.summary = std::move(*summary);
  return session;
}

RunFigures ModelSession::startFigures() const {
  RunFigures figures;
  figures.model = model.summary;
  figures.threads = threads;
  if (!model.info.findResult("metric"))
    figures.metricName = "accuracy";
  return figures;
}

void ModelSession::finishFigures(RunFigures &figures,
                                 uint64_t bufferBytes) const {
  figures.peakBytes = bufferBytes + workspace.size();
  figures.processPeakBytes = getPeakResidentBytes();
  figures.wallSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}
