//===- Report.cpp - Figures of a run --------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes reports and tables.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "ExitCode.h"
#include "Progress.h"
#include "cma/Runtime/AtomicFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace cma;
using namespace cma::run;

/// JSON has no number that is not finite.
static llvm::json::Value toJson(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return nullptr;
  return *value;
}

/// JSON numbers have no size limit, the library's have.
static void writeCount(llvm::json::OStream &json, llvm::StringRef key,
                       U128 count) {
  json.attributeBegin(key);
  json.rawValue(count.str());
  json.attributeEnd();
}

static void writeEpochs(llvm::json::OStream &json, const RunFigures &figures) {
  for (const EpochFigures &epoch : figures.epochs)
    json.object([&] {
      json.attribute("loss", toJson(epoch.loss));
      json.attribute("eval_loss", toJson(epoch.evalLoss));
      json.attribute("eval_metric", toJson(epoch.evalMetric));
      json.attribute("samples_per_s", toJson(epoch.samplesPerSecond));
      if (figures.initialScale)
        json.attribute("loss_scale", toJson(epoch.lossScale));
    });
}

static void writePrecision(llvm::json::OStream &json,
                           const RunFigures &figures) {
  const PrecisionFigures &bytes = figures.precisionFigures;
  json.attributeObject("precision", [&] {
    json.attribute("policy", figures.precision);
    json.attribute("casts", bytes.casts);
    json.attribute("cast_bytes", bytes.castBytes);
    json.attribute("master_bytes", bytes.masterBytes);
    json.attribute("weight_view_bytes", bytes.viewBytes);
    json.attribute("weight_view_f32_bytes", bytes.viewF32Bytes);
    json.attribute("saved_activation_bytes", bytes.savedBytes);
    json.attribute("saved_activation_f32_bytes", bytes.savedF32Bytes);
  });
}

/// What only training has.
static void writeTraining(llvm::json::OStream &json,
                          const RunFigures &figures) {
  if (!figures.steps)
    return;
  json.attribute("steps", *figures.steps);
  json.attribute("skipped_steps", *figures.skippedSteps);
  json.attribute("gradient_bytes", *figures.gradientBytes);
  json.attribute("optimizer_state_bytes", *figures.optimizerBytes);
  writePrecision(json, figures);
  if (!figures.initialScale)
    return json.attribute("loss_scale", nullptr);
  json.attributeObject("loss_scale", [&] {
    json.attribute("initial", *figures.initialScale);
    json.attributeArray("changes", [&] {
      for (const ScaleChange &change : figures.scaleChanges)
        json.object([&] {
          json.attribute("step", change.step);
          json.attribute("scale", change.scale);
        });
    });
  });
}

static void writeParameters(llvm::json::OStream &json,
                            const ModelSummary &model) {
  for (const ParameterSummary &parameter : model.parameters)
    json.object([&] {
      json.attribute("name", parameter.name);
      json.attribute("shape", llvm::json::Array(parameter.shape));
      json.attribute("count", parameter.count);
    });
}

static void writeLayers(llvm::json::OStream &json, const ModelSummary &model) {
  for (const LayerSummary &layer : model.layers)
    json.object([&] {
      json.attribute("name", layer.name);
      json.attribute("kind", layer.kind);
      json.attribute("count", layer.count);
      json.attribute("dense_count", layer.denseCount);
      json.attribute("ratio", layer.getRatio());
    });
}

llvm::Error cma::run::writeReport(const std::string &path,
                                  const RunFigures &figures) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attributeArray("epochs", [&] { writeEpochs(json, figures); });
    json.attribute("test_metric", toJson(figures.testMetric));
    json.attributeArray("parameters",
                        [&] { writeParameters(json, figures.model); });
    json.attribute("parameter_count", figures.model.parameterCount);
    json.attribute("dense_parameter_count", figures.model.denseParameterCount);
    json.attribute("compression_ratio", figures.model.getRatio());
    writeCount(json, "planned_mults", figures.plannedMults);
    writeCount(json, "naive_mults", figures.naiveMults);
    json.attribute("peak_bytes", figures.peakBytes);
    json.attribute("process_peak_bytes", figures.processPeakBytes);
    writeTraining(json, figures);
    json.attributeArray("layers", [&] { writeLayers(json, figures.model); });
    json.attribute("seed", figures.seed ? llvm::json::Value(*figures.seed)
                                        : llvm::json::Value(nullptr));
    json.attribute("threads", figures.threads);
    json.attribute("wall_s", figures.wallSeconds);
    json.attribute("stopped", figures.stopped
                                  ? llvm::json::Value(*figures.stopped)
                                  : llvm::json::Value(nullptr));
  });
  stream << '\n';
  return toError(writeFileAtomically(path, text));
}

static std::string formatBytes(uint64_t bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes < 1 << 10)
    os << bytes << " B";
  else if (bytes < 1 << 20)
    os << llvm::format("%.1f KiB", bytes / 0x1p10);
  else
    os << llvm::format("%.1f MiB", bytes / 0x1p20);
  return text;
}

static std::string formatRatio(double ratio) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1fx", ratio);
  return text;
}

static void printLayers(llvm::raw_ostream &os, const ModelSummary &model) {
  size_t width = 5;
  for (const LayerSummary &layer : model.layers)
    width = std::max(width, layer.name.size());
  auto row = [&](const std::string &name, const std::string &kind,
                 const std::string &count, const std::string &dense,
                 const std::string &ratio) {
    os << "  " << llvm::left_justify(name, width + 2)
       << llvm::left_justify(kind, 17) << llvm::right_justify(count, 14)
       << llvm::right_justify(dense, 14) << llvm::right_justify(ratio, 9)
       << '\n';
  };
  row("layer", "kind", "weights", "dense", "ratio");
  for (const LayerSummary &layer : model.layers)
    row(layer.name, layer.kind, formatCount(layer.count),
        formatCount(layer.denseCount), formatRatio(layer.getRatio()));
  row("all", "", formatCount(model.parameterCount),
      formatCount(model.denseParameterCount), formatRatio(model.getRatio()));
}

void cma::run::printTable(llvm::raw_ostream &os, const RunFigures &figures) {
  int64_t biases = 0;
  for (const ParameterSummary &parameter : figures.model.parameters)
    if (parameter.isBias)
      biases += parameter.count;
  os << '\n';
  printLayers(os, figures.model);
  auto line = [&os](const std::string &name, const std::string &value) {
    os << "  " << llvm::left_justify(name, 44) << llvm::right_justify(value, 20)
       << '\n';
  };
  os << '\n';
  line("biases, in no figure above", formatCount(biases));
  std::string unit = figures.steps ? " of a step" : " of a batch";
  line("planned multiplications" + unit, formatCount(figures.plannedMults));
  line("naive multiplications of its forward pass",
       formatCount(figures.naiveMults));
  if (figures.steps) {
    line("gradients", formatBytes(*figures.gradientBytes));
    line("state of the optimizer", formatBytes(*figures.optimizerBytes));
    const PrecisionFigures &bytes = figures.precisionFigures;
    line("parameters (masters)", formatBytes(bytes.masterBytes));
    if (bytes.viewBytes)
      line("weight views in " + figures.precision + " (in f32 " +
               formatBytes(bytes.viewF32Bytes) + ")",
           formatBytes(bytes.viewBytes));
    line(bytes.casts ? "saved activations (in f32 " +
                           formatBytes(bytes.savedF32Bytes) + ")"
                     : std::string("saved activations"),
         formatBytes(bytes.savedBytes));
    if (bytes.casts)
      line(formatCount(bytes.casts) + " casts, written in a step",
           formatBytes(bytes.castBytes));
  }
  if (figures.initialScale)
    line("skipped steps, of " +
             formatCount(static_cast<uint64_t>(*figures.steps)),
         formatCount(static_cast<uint64_t>(*figures.skippedSteps)));
  line("peak memory of buffers and workspace", formatBytes(figures.peakBytes));
  line("peak memory of the process", formatBytes(figures.processPeakBytes));
}
