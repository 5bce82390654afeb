//===- Schedule.h - The learning rate over a run ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how the learning rate changes. It depends on the applied
// steps alone, so that a skipped step leaves it where it is.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_SCHEDULE_H
#define CMA_TOOLS_CMA_RUN_SCHEDULE_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace cma::run {

struct Schedule {
  enum class Kind { Constant, Cosine, Linear };
  Kind kind = Kind::Constant;
  int64_t warmup = 0; ///< Steps.

  /// The factor of the learning rate in the step after `applied` ones, in a run
  /// of `total` steps. With w warm-up steps it is (applied + 1) / w before step
  /// w; then, with x = (applied - w) / (total - w), 1, (1 + cos(pi x)) / 2 or
  /// 1 - x.
  double getFactor(int64_t applied, int64_t total) const;
};

const char *getName(Schedule::Kind kind);

/// The kind of that name; another name is a wrong command line.
llvm::Expected<Schedule::Kind> parseSchedule(const std::string &name);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_SCHEDULE_H
