//===- Schedule.cpp - The learning rate over a run ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file computes learning rates.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "ExitCode.h"
#include <algorithm>
#include <cmath>

using namespace cma;
using namespace cma::run;

double Schedule::getFactor(int64_t applied, int64_t total) const {
  if (applied < warmup)
    return static_cast<double>(applied + 1) / static_cast<double>(warmup);
  if (kind == Kind::Constant)
    return 1;
  int64_t length = std::max<int64_t>(total - warmup, 1);
  double x = static_cast<double>(std::min(applied - warmup, length)) /
             static_cast<double>(length);
  constexpr double pi = 3.14159265358979323846;
  return kind == Kind::Cosine ? (1 + std::cos(pi * x)) / 2 : 1 - x;
}

static constexpr Schedule::Kind kKinds[] = {
    Schedule::Kind::Constant, Schedule::Kind::Cosine, Schedule::Kind::Linear};

const char *cma::run::getName(Schedule::Kind kind) {
  switch (kind) {
  case Schedule::Kind::Constant:
    return "constant";
  case Schedule::Kind::Cosine:
    return "cosine";
  case Schedule::Kind::Linear:
    return "linear";
  }
  llvm_unreachable("all kinds are listed");
}

llvm::Expected<Schedule::Kind>
cma::run::parseSchedule(const std::string &name) {
  for (Schedule::Kind kind : kKinds)
    if (name == getName(kind))
      return kind;
  return exitError(kUsage, "--schedule: expected constant, cosine or linear, "
                           "got '" +
                               llvm::Twine(name) + "'");
}
