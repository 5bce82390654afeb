//===- Report.h - Figures of a run ------------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what a run reports, as JSON and as a table.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_REPORT_H
#define CMA_TOOLS_CMA_RUN_REPORT_H

#include "ModelSummary.h"
#include "PrecisionFigures.h"
#include "cma/Analysis/U128.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace cma::run {

/// Absent figures, and those that are not finite, are null in the report.
struct EpochFigures {
  std::optional<double> loss, evalLoss, evalMetric, samplesPerSecond;
  std::optional<double> lossScale; ///< At the end of the epoch.
};

/// The loss scale became `scale` in step number `step`, from 1.
struct ScaleChange {
  int64_t step = 0;
  double scale = 0;
};

struct RunFigures {
  std::vector<EpochFigures> epochs;
  std::optional<double> testMetric;
  /// The name under which a metric is printed.
  const char *metricName = "metric";
  ModelSummary model;
  U128 plannedMults, naiveMults;
  uint64_t peakBytes = 0;        ///< Buffers and workspace.
  uint64_t processPeakBytes = 0; ///< The process's resident memory.
  int64_t threads = 0;
  std::optional<int64_t> seed;
  /// Of a training run.
  std::optional<int64_t> steps, skippedSteps;
  std::optional<double> initialScale; ///< Absent without loss scaling.
  std::vector<ScaleChange> scaleChanges;
  std::optional<uint64_t> gradientBytes, optimizerBytes;
  std::string precision = "f32"; ///< The low type.
  PrecisionFigures precisionFigures;
  double wallSeconds = 0;
  std::optional<std::string> stopped; ///< Why the run ended early.
};

/// Writes the JSON report, whole or not at all.
llvm::Error writeReport(const std::string &path, const RunFigures &figures);

/// Prints the table that ends a run.
void printTable(llvm::raw_ostream &os, const RunFigures &figures);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_REPORT_H
