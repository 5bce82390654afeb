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
#include "TrainState.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cma::run {

struct TrainSettings {
  int64_t epochs = 10, batch = 32, seed = 0;
  double learningRate = 0.01;
  StepOptions step;
  bool allowNonFinite = false;
};

/// The settings that decide what a step does to the parameters, by option. A
/// checkpoint is only resumed under the same ones.
std::vector<std::pair<std::string, std::string>>
describeSettings(const TrainSettings &settings);

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

  /// Trains on what is left of the whole batches in the epoch's random order,
  /// and keeps `state` up to date. `afterStep` is called where a run could go
  /// on later from `state` and the store, but for the epoch's end, where the
  /// epoch is not finished yet. A loss that is not finite stops it with
  /// kNumericStop, Ctrl-C, after the step, with kInterrupted.
  llvm::Expected<EpochResult>
  runEpoch(const Dataset &data, TrainState &state, Progress &progress,
           llvm::function_ref<llvm::Error()> afterStep);

private:
  Trainer(const Model &model, const TrainSettings &options)
      : model(model), options(options) {}
  llvm::Expected<double>
  runStep(const Dataset &data, llvm::ArrayRef<int64_t> rows, TrainState &state);
  void setScalar(llvm::StringRef role, double value);

  const Model &model;
  TrainSettings options;
  FunctionInfo stepInfo;
  ParameterStore store;
  std::optional<Kernel> kernel;
  PlanCosts costs;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINER_H
