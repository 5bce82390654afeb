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
#include <tuple>
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

/// A number of a class, and its name in checkpoints.
template <typename Class, typename Number>
struct NamedNumber {
  const char *name;
  Number Class::*member;
};
template <typename Class, typename Number>
NamedNumber(const char *, Number Class::*) -> NamedNumber<Class, Number>;

/// All numbers of a state. What is added here comes along in checkpoints.
inline constexpr std::tuple kStateNumbers{
    NamedNumber{"epoch", &TrainState::epoch},
    NamedNumber{"batch", &TrainState::batch},
    NamedNumber{"steps", &TrainState::steps},
    NamedNumber{"applied", &TrainState::applied},
    NamedNumber{"loss_sum", &TrainState::lossSum},
    NamedNumber{"loss_weight", &TrainState::lossWeight},
    NamedNumber{"skipped", &TrainState::skipped},
    NamedNumber{"seconds", &TrainState::seconds}};

/// The same of an epoch.
inline constexpr std::tuple kEpochNumbers{
    NamedNumber{"loss", &EpochFigures::loss},
    NamedNumber{"eval_loss", &EpochFigures::evalLoss},
    NamedNumber{"eval_metric", &EpochFigures::evalMetric},
    NamedNumber{"samples_per_s", &EpochFigures::samplesPerSecond},
    NamedNumber{"loss_scale", &EpochFigures::lossScale}};

/// Calls `visit(name, number)` on each of the numbers.
template <typename Object, typename Numbers, typename Visit>
void visitNumbers(Object &object, const Numbers &numbers, Visit visit) {
  std::apply(
      [&](const auto &...number) {
        (visit(number.name, object.*number.member), ...);
      },
      numbers);
}

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_TRAINSTATE_H
