//===- TrainState.h - Where a training run stands ---------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares everything but tensors that decides what a run does next
// and what it reports at its end. A checkpoint holds all of it.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_TRAINSTATE_H
#define CMA_TOOLS_CMA_RUN_TRAINSTATE_H

#include "Report.h"
#include <cstdint>
#include <vector>

namespace cma::run {

struct TrainState {
  int64_t epoch = 0;   ///< The epoch that is under way, from 0.
  int64_t batch = 0;   ///< Batches of its order that are done.
  int64_t steps = 0;   ///< Steps run in all epochs.
  int64_t applied = 0; ///< Those whose update was not skipped.
  /// Each change of the loss scale: after how many steps, and to what.
  std::vector<ScaleChange> scaleChanges;

  // Of the epoch so far.
  double lossSum = 0;
  int64_t lossWeight = 0;
  int64_t skipped = 0;
  double seconds = 0; ///< Spent in steps.

  std::vector<EpochFigures> epochs; ///< Of whole epochs, evaluation included.

  /// The epoch is over.
  void finishEpoch(const EpochFigures &figures) {
    epochs.push_back(figures);
    ++epoch;
    batch = lossWeight = skipped = 0;
    lossSum = seconds = 0;
  }
};

/// Calls `visit(name, number)` on every number of a state. What is added here
/// comes along in checkpoints.
template <typename State, typename Visit>
void visitNumbers(State &state, Visit visit) {
  visit("epoch", state.epoch);
  visit("batch", state.batch);
  visit("steps", state.steps);
  visit("applied", state.applied);
  visit("loss_sum", state.lossSum);
  visit("loss_weight", state.lossWeight);
  visit("skipped", state.skipped);
  visit("seconds", state.seconds);
}

/// The same for the figures of an epoch.
template <typename Figures, typename Visit>
void visitFigures(Figures &figures, Visit visit) {
  visit("loss", figures.loss);
  visit("eval_loss", figures.evalLoss);
  visit("eval_metric", figures.evalMetric);
  visit("samples_per_s", figures.samplesPerSecond);
  visit("loss_scale", figures.lossScale);
}

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINSTATE_H
