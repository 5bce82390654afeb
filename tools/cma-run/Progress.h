//===- Progress.h - Progress on a terminal and in a log ---------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what training prints while it runs: on a terminal one
// line that updates in place and becomes the epoch's line; otherwise one line
// an epoch, and one every 30 seconds within a long epoch.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_PROGRESS_H
#define CMA_TOOLS_CMA_RUN_PROGRESS_H

#include "cma/Analysis/U128.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace cma::run {

/// "0.1234", "1.5e-07", "nan": four significant digits.
std::string formatNumber(double value);

/// The shortest decimal that reads back as the same double.
std::string formatExact(double value);

/// "1,234,567".
std::string formatCount(U128 value);

/// A metric's value: an accuracy in percent, another as a number.
std::string formatMetric(llvm::StringRef name, double value);

/// The loss scale, absent where there is none, and the steps skipped so far.
struct ScalingFigures {
  std::optional<double> scale;
  int64_t skipped = 0;
};

class Progress {
public:
  /// Prints to `os`, nothing where `quiet`.
  Progress(llvm::raw_ostream &os, bool quiet, int64_t epochs);
  /// Removes the line that was being updated.
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// The run begins with that part of its work done.
  void startAt(double fraction) { done = fraction; }

  /// Before something that takes a while; a terminal replaces the text.
  void phase(const std::string &text);

  /// After a step. Redraws at most ten times a second.
  void step(int64_t epoch, int64_t batch, int64_t steps, double loss,
            double samplesPerSecond, const ScalingFigures &scaling);

  /// After an epoch; absent figures are left out. `metricName` is "accuracy",
  /// shown in percent, or "metric".
  void epoch(int64_t epoch, double loss, double samplesPerSecond,
             std::optional<double> evalLoss, std::optional<double> evalMetric,
             const char *metricName, const ScalingFigures &scaling);

  /// A remark on a line of its own.
  void note(const std::string &text);

private:
  using Clock = std::chrono::steady_clock;
  void clearLine();
  std::string prefix(int64_t epoch) const;

  llvm::raw_ostream &os;
  bool quiet, terminal, dirty = false;
  int64_t epochs;
  double done = 0; ///< Before this run.
  Clock::time_point start, last;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_PROGRESS_H
