//===- PlanReport.cpp - The planner's report ------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes the figures of plans as JSON. Members stand in a fixed order
// and integers have all their digits, so that two runs differ in the time of
// the search alone.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/PlanContractions.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cma;

// Lists stay on one line, which the library's own arrays do not.

static std::string spellWanted(const ContractionNetwork &network) {
  std::string text = network.wanted.result ? "\"result\"" : "";
  for (size_t i = 0; i < network.operands.size(); ++i)
    if (network.wanted.isOperandWanted(i))
      text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

static std::string spellPath(const ContractionPath &path) {
  std::string text;
  for (const std::vector<int64_t> &step : path) {
    text += text.empty() ? "[" : ", [";
    for (size_t i = 0; i < step.size(); ++i)
      text += (i ? ", " : "") + std::to_string(step[i]);
    text += "]";
  }
  return "[" + text + "]";
}

static std::string spellSizes(const PlannedNetwork &planned) {
  // Labels are letters, digits and underscores: nothing to escape.
  std::string text;
  for (auto [label, extent] :
       llvm::zip(planned.einsum.labels, planned.network.extents))
    text += (text.empty() ? "\"" : ", \"") + label +
            "\": " + std::to_string(extent);
  return "{" + text + "}";
}

static void writeRaw(llvm::json::OStream &json, llvm::StringRef key,
                     llvm::StringRef value) {
  json.attributeBegin(key);
  json.rawValue(value);
  json.attributeEnd();
}

static void writeCount(llvm::json::OStream &json, llvm::StringRef key,
                       U128 count) {
  // JSON numbers have no size limit, the library's have.
  writeRaw(json, key, count.str());
}

static void writeNetwork(llvm::json::OStream &json,
                         const PlannedNetwork &planned) {
  const ContractionPlan &plan = planned.plan;
  json.attribute("function", planned.function);
  json.attribute("name", planned.name);
  json.attribute("equation", planned.einsum.str());
  writeRaw(json, "sizes", spellSizes(planned));
  std::string_view objective = getObjectiveName(planned.objective);
  json.attribute("objective",
                 llvm::StringRef(objective.data(), objective.size()));
  writeRaw(json, "wanted", spellWanted(planned.network));
  writeRaw(json, "path", spellPath(plan.path));
  writeCount(json, "mults", plan.costs.mults);
  writeCount(json, "flops", plan.costs.flops);
  writeCount(json, "step_mults", plan.costs.stepMults);
  writeCount(json, "largest_intermediate", plan.costs.largestIntermediate);
  writeCount(json, "peak", plan.costs.peak);
  writeCount(json, "naive_mults", plan.naiveMults);
  writeCount(json, "left_to_right_mults", plan.leftToRightMults);
  writeCount(json, "lower_bound", plan.lowerBound);
  json.attribute("proved_optimal", plan.provedOptimal);
  writeCount(json, "saved_bytes", plan.costs.savedBytes);
  json.attribute("saturated", plan.saturated);
  writeRaw(json, "search_ms",
           llvm::formatv("{0:F3}", planned.searchMilliseconds).str());
}

std::string cma::writePlanReport(llvm::ArrayRef<PlannedNetwork> networks) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attributeArray("networks", [&] {
      for (const PlannedNetwork &planned : networks)
        json.object([&] { writeNetwork(json, planned); });
    });
  });
  stream << '\n';
  return text;
}
