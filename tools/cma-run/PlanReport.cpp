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
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

using namespace cma;
using namespace cma::run;

llvm::Expected<TemporaryReport> TemporaryReport::create() {
  TemporaryReport report;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cma-plan", "json", report.path))
    return userError("cannot make a temporary file: " +
                     llvm::Twine(error.message()));
  llvm::sys::RemoveFileOnSignal(report.path);
  return report;
}

TemporaryReport::TemporaryReport(TemporaryReport &&other) : path(other.path) {
  other.path.clear();
}

TemporaryReport::~TemporaryReport() {
  if (path.empty())
    return;
  llvm::sys::fs::remove(path);
  llvm::sys::DontRemoveFileOnSignal(path);
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

llvm::Expected<PrecisionFigures>
TemporaryReport::readPrecision(llvm::ArrayRef<std::string> functions,
                               uint64_t batches) const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError("cannot read the report on casts: " +
                     llvm::Twine(buffer.getError().message()));
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  PrecisionFigures figures;
  const llvm::json::Object *root = json->getAsObject();
  const llvm::json::Array *entries =
      root ? root->getArray("functions") : nullptr;
  if (!entries)
    return userError("the report on casts has no functions");
  for (const llvm::json::Value &entry : *entries) {
    const llvm::json::Object *function = entry.getAsObject();
    llvm::StringRef name = function->getString("function").value_or("");
    if (!llvm::is_contained(functions, name))
      continue;
    auto read = [function](llvm::StringRef key) {
      return static_cast<uint64_t>(function->getInteger(key).value_or(0));
    };
    figures.castBytes = llvm::SaturatingMultiplyAdd(
        read("cast_bytes"), name == functions.front() ? batches : 1,
        figures.castBytes);
    for (auto [key, sum] :
         {std::pair("cast_count", &figures.casts),
          std::pair("master_bytes", &figures.masterBytes),
          std::pair("view_bytes", &figures.viewBytes),
          std::pair("view_f32_bytes", &figures.viewF32Bytes),
          std::pair("saved_bytes", &figures.savedBytes),
          std::pair("saved_f32_bytes", &figures.savedF32Bytes)})
      *sum += read(key);
  }
  return figures;
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
  return PlanCosts{*planned, *naive, {}};
}
