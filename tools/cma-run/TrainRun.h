//===- TrainRun.h - One run of training -------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a run of cma-run train, from the files that it reads to
// those that it writes.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_TRAINRUN_H
#define CMA_TOOLS_CMA_RUN_TRAINRUN_H

#include "Checkpoints.h"
#include "Evaluator.h"
#include "ModelSession.h"
#include "Progress.h"
#include "Report.h"
#include "Trainer.h"

namespace cma::run {

struct TrainOptions {
  std::string model, data, evalData, testData, load, save, report;
  TrainSettings train;
  CheckpointSettings checkpoint;
  int64_t threads = 0;
  bool quiet = false;
};

/// Members are in the order in which they are made.
class TrainRun {
public:
  TrainRun(TrainOptions options)
      : options(std::move(options)), progress(llvm::outs(), this->options.quiet,
                                              this->options.train.epochs) {}

  llvm::Error run();

private:
  llvm::Error prepare();
  llvm::Error loadAllData();
  llvm::Expected<std::optional<Dataset>> loadData(const std::string &path);
  int64_t getStepsPerEpoch() const;
  void noteSettings();
  llvm::Error openCheckpoints();
  llvm::Error setStart(const SafetensorsFile *parameters);
  llvm::Error resume();
  llvm::Error trainEpochs();
  llvm::Error evaluateEpoch(EpochFigures &figures);
  llvm::Error saveWhenDue();
  llvm::Error test();
  llvm::Error stop(llvm::Error error);
  llvm::Error checkParameters();
  llvm::Error finishFigures();

  TrainOptions options;
  Progress progress;
  std::unique_ptr<ModelSession> session;
  std::optional<Dataset> data, evalData, testData;
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Checkpoints> checkpoints;
  TrainState state;
  RunFigures figures;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINRUN_H
