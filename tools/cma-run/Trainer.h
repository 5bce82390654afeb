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
#include "Schedule.h"
#include "TrainState.h"
#include "cma/Dialect/CMA/Transforms/LossScale.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cma::run {

struct TrainSettings {
  int64_t epochs = 10, batch = 32, seed = 0;
  double learningRate = 0.01;
  Schedule schedule;
  StepOptions step;
  LossScaleSettings lossScale; ///< What step.lossScale says.
  bool allowNonFinite = false;

  /// A step takes `batch` samples at a time, step.accumulate times.
  int64_t getSamplesPerStep() const { return batch * step.accumulate; }
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
  /// The arguments of all functions of a step: the model's, and the
  /// optimizer's state.
  const FunctionInfo &getStepInfo() const { return stepInfo; }
  const PlanCosts &getCosts() const { return costs; }
  uint64_t getBytes() const {
    return kernel->getOwnBytes() + (apply ? apply->getOwnBytes() : 0);
  }

  /// Bytes of one gradient for each parameter, and of what the optimizer keeps.
  uint64_t getGradientBytes() const;
  uint64_t getOptimizerBytes() const;

  /// The scale as it stands, and the steps skipped so far.
  ScalingFigures getScaling(const TrainState &state) const;

  /// Trains on what is left of the whole batches in the epoch's random order,
  /// and keeps `state` up to date. `afterStep` is called where a run could go
  /// on later from `state` and the store, but for the epoch's end, where the
  /// epoch is not finished yet. A loss that is not finite stops it with
  /// kNumericStop, unless the loss scale skipped the step for it, an epoch
  /// without an update at the smallest scale does, too; Ctrl-C, after the step,
  /// with kInterrupted, or SIGTERM with kTerminated.
  llvm::Expected<EpochResult>
  runEpoch(const Dataset &data, TrainState &state, Progress &progress,
           llvm::function_ref<llvm::Error()> afterStep);

private:
  Trainer(const Model &model, const TrainSettings &options)
      : model(model), options(options) {}
  struct StepResult {
    double loss = 0; ///< Mean over what counts.
    bool skipped = false;
  };
  llvm::Error createKernels(Compilation &compilation,
                            SharedWorkspace &workspace);
  llvm::Expected<StepResult> runStep(const Dataset &data,
                                     llvm::ArrayRef<int64_t> rows,
                                     const TrainState &state,
                                     double learningRate);
  void countStep(const StepResult &result, int64_t weight, TrainState &state,
                 Progress &progress);
  /// Whether the scale's own answer to overflow deals with this loss.
  bool isForgiven(const StepResult &result) const;
  llvm::Error checkProgress(const TrainState &state) const;
  std::optional<double> getScale() const;

  const Model &model;
  TrainSettings options;
  FunctionInfo stepInfo;
  ParameterStore store;
  /// The whole step, or what is run for each part of its samples.
  std::optional<Kernel> kernel;
  std::optional<Kernel> apply; ///< With accumulation.
  PlanCosts costs;
  bool isLowPrecision = false;
  bool hasNotedMinimum = false;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINER_H
