//===- Scoring.cpp - Means over samples -----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file weighs, scores and explains batches.
//
//===----------------------------------------------------------------------===//

#include "Scoring.h"

#include "ExitCode.h"

using namespace cma;
using namespace cma::run;

/// Calls `visit` with every label of the rows, in order, and whether it counts.
template <typename Visit>
static void forEachLabel(const LabelSource &source, const Dataset &data,
                         Rows rows, Visit visit) {
  const HostTensor &labels = data.get(source.argument);
  uint64_t perRow = labels.getRowBytes() / cma::getElementSize(labels.type);
  for (int64_t row : rows)
    for (uint64_t i = 0; i < perRow; ++i) {
      int64_t label = labels.getInteger(row * perRow + i);
      visit(label, label != source.ignoreIndex);
    }
}

int64_t cma::run::weighBatch(const ModelSummary &model, const Dataset &data,
                             Rows rows) {
  if (!model.labels)
    return static_cast<int64_t>(rows.size());
  int64_t weight = 0;
  forEachLabel(*model.labels, data, rows,
               [&](int64_t, bool counted) { weight += counted; });
  return weight;
}

/// Position of the first largest value.
static int64_t argMax(StorageType type, const void *data, uint64_t begin,
                      int64_t size) {
  int64_t best = 0;
  for (int64_t i = 1; i < size; ++i)
    if (readFloat(type, data, begin + i) > readFloat(type, data, begin + best))
      best = i;
  return best;
}

std::optional<int64_t> cma::run::countCorrect(const Kernel &kernel, int logits,
                                              const LabelSource &labels,
                                              const Dataset &data, Rows rows) {
  StorageType type = kernel.getResultType(logits);
  std::vector<int64_t> shape = kernel.getResultShape(logits);
  const HostTensor &labelTensor = data.get(labels.argument);
  // Logits [batch, ..., classes] go with labels [batch, ...].
  if ((type != StorageType::F32 && type != StorageType::F64) ||
      shape.size() != labelTensor.shape.size() + 1 ||
      !std::equal(labelTensor.shape.begin() + 1, labelTensor.shape.end(),
                  shape.begin() + 1))
    return std::nullopt;
  int64_t classes = shape.back();
  int64_t correct = 0;
  uint64_t begin = 0;
  forEachLabel(labels, data, rows, [&](int64_t label, bool counted) {
    if (counted && classes != 0)
      correct +=
          argMax(type, kernel.getResultData(logits), begin, classes) == label;
    begin += classes;
  });
  return correct;
}

llvm::Error cma::run::describeFailure(const cma_status &status,
                                      const std::string &path,
                                      const HostTensor *tensor, Rows rows) {
  std::string place = quoteForMessage(path) + ": ";
  if (tensor) {
    place += "tensor " + quoteForMessage(tensor->name) + ": ";
    if (!tensor->shape.empty()) {
      auto perRow = static_cast<int64_t>(tensor->getRowBytes() /
                                         cma::getElementSize(tensor->type));
      int64_t row = status.index / perRow;
      place += "row " + std::to_string(rows.empty() ? row : rows[row]);
      if (perRow != 1)
        place += ", position " + std::to_string(status.index % perRow);
      place += ": ";
    }
  }
  if (status.code != CMA_STATUS_LABEL_OUT_OF_RANGE)
    return userError(place + "the call failed with status " +
                     llvm::Twine(status.code));
  std::string expected =
      status.limit == 0
          ? "no label, since there are no classes"
          : "a label from 0 to " + std::to_string(status.limit - 1);
  std::string location = status.location && *status.location
                             ? " (" + std::string(status.location) + ")"
                             : "";
  return userError(place + "expected " + expected + ", got " +
                   llvm::Twine(status.value) + location);
}
