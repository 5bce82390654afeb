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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cma;
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

/// Sums all values of `key` in the planner's JSON, digit by digit: numbers of
/// LLVM's JSON library end at 64 bits. Within a string a quote has a backslash
/// in front, so that no string holds the key.
static std::optional<U128> sumCounts(llvm::StringRef json,
                                     llvm::StringRef key) {
  std::string lead = ("\"" + key + "\": ").str();
  U128 sum;
  for (size_t at = json.find(lead); at != llvm::StringRef::npos;
       at = json.find(lead, at)) {
    at += lead.size();
    llvm::StringRef digits = json.substr(at).take_while(llvm::isDigit);
    std::optional<U128> count = U128::parse({digits.data(), digits.size()});
    if (!count)
      return std::nullopt;
    sum += *count;
  }
  return sum;
}

llvm::Expected<PlanCosts> TemporaryReport::readCosts() const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError("cannot read the planner's report: " +
                     llvm::Twine(buffer.getError().message()));
  std::optional<U128> planned = sumCounts((*buffer)->getBuffer(), "step_mults");
  std::optional<U128> naive = sumCounts((*buffer)->getBuffer(), "naive_mults");
  if (!planned || !naive)
    return userError("the planner's report has a network without costs");
  return PlanCosts{*planned, *naive};
}
