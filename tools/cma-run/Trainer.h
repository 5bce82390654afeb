//===- Trainer.h - The training loop ----------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the loop over epochs and batches of one model.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_TRAINER_H
#define CMA_TOOLS_CMA_RUN_TRAINER_H

#include "Compile.h"
#include "Dataset.h"
#include "Evaluator.h"
#include "Kernel.h"
#include "ParameterStore.h"
#include "Progress.h"

namespace cma::run {

struct TrainSettings {
  int64_t epochs = 10, batch = 32, seed = 0;
  double learningRate = 0.01;
  StepOptions step;
  bool allowNonFinite = false;
};

/// What an epoch's training part came to.
struct EpochResult {
  double loss = 0; ///< Mean over the samples (counted rows) trained on.
  double samplesPerSecond = 0;
};

class Trainer {
public:
  /// Builds the training step of `model` for batches of `options.batch` and
  /// allocates `store`, whose values are not set yet.
  static llvm::Expected<std::unique_ptr<Trainer>>
  create(Program &program, const Model &model, const TrainSettings &options,
         SharedWorkspace &workspace);

  ParameterStore &getStore() { return store; }
  /// The step's own arguments: the model's, and the optimizer's state.
  const FunctionInfo &getStepInfo() const { return stepInfo; }
  const PlanCosts &getCosts() const { return costs; }
  uint64_t getBytes() const { return kernel->getOwnBytes(); }

  /// Trains on whole batches in the epoch's random order (epochs count from 0).
  /// A loss that is not finite stops it with kNumericStop, Ctrl-C, after the
  /// step, with kInterrupted.
  llvm::Expected<EpochResult> runEpoch(const Dataset &data, int64_t epoch,
                                       Progress &progress);

private:
  Trainer(const Model &model, const TrainSettings &options)
      : model(model), options(options) {}
  llvm::Expected<double> runStep(const Dataset &data,
                                 llvm::ArrayRef<int64_t> rows);
  void setScalar(llvm::StringRef role, double value);

  const Model &model;
  TrainSettings options;
  FunctionInfo stepInfo;
  ParameterStore store;
  std::optional<Kernel> kernel;
  PlanCosts costs;
  int64_t stepsDone = 0;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINER_H
