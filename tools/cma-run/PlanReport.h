//===- PlanReport.h - Costs from the planner --------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the way from cma-plan-contractions' JSON report to the
// sums that cma-run shows.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_PLANREPORT_H
#define CMA_TOOLS_CMA_RUN_PLANREPORT_H

#include "Compile.h"
#include "llvm/ADT/SmallString.h"

namespace cma::run {

/// Name of a report in the system's temporary directory; removed at the end.
class TemporaryReport {
public:
  static llvm::Expected<TemporaryReport> create();
  TemporaryReport(TemporaryReport &&other);
  TemporaryReport &operator=(TemporaryReport &&) = delete;
  ~TemporaryReport();

  llvm::StringRef getPath() const { return path; }
  llvm::Expected<PlanCosts> readCosts() const;
  /// From a report of cma-insert-casts: sums over the functions of a step, of
  /// which the first one runs `batches` times.
  llvm::Expected<PrecisionFigures>
  readPrecision(llvm::ArrayRef<std::string> functions, uint64_t batches) const;

private:
  TemporaryReport() = default;
  llvm::SmallString<128> path;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_PLANREPORT_H
