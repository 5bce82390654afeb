//===- PlanReport.cpp - Costs from the planner ----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the planner's report.
//
//===----------------------------------------------------------------------===//

#include "PlanReport.h"

#include "ExitCode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cma::run;

llvm::Expected<TemporaryReport> TemporaryReport::create() {
  TemporaryReport report;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cma-plan", "json", report.path))
    return userError("cannot make a temporary file: " +
                     llvm::Twine(error.message()));
  return report;
}

TemporaryReport::TemporaryReport(TemporaryReport &&other) : path(other.path) {
  other.path.clear();
}

TemporaryReport::~TemporaryReport() {
  if (!path.empty())
    llvm::sys::fs::remove(path);
}

llvm::Expected<PlanCosts> TemporaryReport::readCosts() const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError("cannot read the planner's report: " +
                     llvm::Twine(buffer.getError().message()));
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  const llvm::json::Object *top = json->getAsObject();
  const llvm::json::Array *networks = top ? top->getArray("networks") : nullptr;
  if (!networks)
    return userError("the planner's report has no networks");
  PlanCosts costs;
  costs.networks = networks->size();
  for (const llvm::json::Value &value : *networks) {
    const llvm::json::Object *network = value.getAsObject();
    // Integers that need more than 53 bits are rounded here.
    auto step = network ? network->getNumber("step_mults") : std::nullopt;
    auto naive = network ? network->getNumber("naive_mults") : std::nullopt;
    if (!step || !naive)
      return userError("the planner's report has a network without costs");
    costs.plannedMults += *step;
    costs.naiveMults += *naive;
  }
  return costs;
}
