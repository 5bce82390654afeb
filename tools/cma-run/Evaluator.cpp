//===- Evaluator.cpp - Loss and metric of a data set ----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file evaluates models.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "ExitCode.h"
#include "Interrupt.h"
#include "Scoring.h"
#include <chrono>
#include <numeric>

using namespace cma;
using namespace cma::run;

/// Weighted sums over the batches so far.
struct Evaluator::Sums {
  double loss = 0, metric = 0;
  int64_t weight = 0, samples = 0, correct = 0;
  bool hasMetric = false, hasAccuracy = false;
};

llvm::Expected<Kernel *> Evaluator::getKernel(int64_t size) {
  auto found = kernels.find(size);
  if (found != kernels.end())
    return &found->second;
  auto compilation = Compilation::create(program, model.info.name, size);
  if (!compilation)
    return compilation.takeError();
  compilation->dropUpdates();
  auto planned = compilation->plan("result");
  if (!planned)
    return planned.takeError();
  if (kernels.empty())
    costs = *planned;
  auto code = compilation->compile();
  if (!code)
    return code.takeError();
  auto kernel =
      Kernel::create(std::move(*code), model.info.name, workspace, &store);
  if (!kernel)
    return kernel.takeError();
  return &kernels.emplace(size, std::move(*kernel)).first->second;
}

llvm::Error Evaluator::evaluateBatch(const Dataset &data, Rows rows,
                                     Sums &sums) {
  llvm::Expected<Kernel *> got = getKernel(static_cast<int64_t>(rows.size()));
  if (!got)
    return got.takeError();
  Kernel &kernel = **got;
  for (int i = 0; i < kernel.getNumArguments(); ++i)
    if (llvm::StringRef(kernel.getArgument(i).role) == "data")
      data.gather(kernel.getArgument(i).name, rows, kernel.getArgumentData(i));
  cma_status status = kernel.run();
  if (status.code != CMA_STATUS_OK)
    return describeFailure(status, data.getPath(), data.find(status.argument),
                           rows);

  auto scalar = [&kernel](int result) {
    return readFloat(kernel.getResultType(result),
                     kernel.getResultData(result));
  };
  int64_t weight = weighBatch(model.summary, data, rows);
  int64_t samples = static_cast<int64_t>(rows.size());
  // A batch without weight has loss 0 by definition; 0 * nan would not be 0.
  if (weight != 0)
    sums.loss += scalar(*kernel.findResult("loss")) * weight;
  sums.weight += weight;
  sums.samples += samples;
  if (std::optional<int> metric = kernel.findResult("metric")) {
    sums.hasMetric = true;
    sums.metric += scalar(*metric) * samples;
  } else if (std::optional<int> logits = kernel.findResult("logits");
             logits && model.summary.labels) {
    std::optional<int64_t> correct =
        countCorrect(kernel, *logits, *model.summary.labels, data, rows);
    sums.hasAccuracy = correct.has_value();
    sums.correct += correct.value_or(0);
  }
  return llvm::Error::success();
}

llvm::Expected<EvalResult> Evaluator::evaluate(const Dataset &data) {
  std::vector<int64_t> order(data.getNumSamples());
  std::iota(order.begin(), order.end(), int64_t(0));
  // Compile before the clock starts.
  int64_t whole = std::min(batch, data.getNumSamples());
  for (int64_t size : {whole, data.getNumSamples() % whole})
    if (size != 0)
      if (auto kernel = getKernel(size); !kernel)
        return kernel.takeError();

  Sums sums;
  auto start = std::chrono::steady_clock::now();
  for (Rows rest = order; !rest.empty();) {
    Rows rows = rest.take_front(whole);
    rest = rest.drop_front(rows.size());
    if (llvm::Error error = evaluateBatch(data, rows, sums))
      return error;
    if (llvm::Error error = checkInterrupt("while evaluating"))
      return error;
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EvalResult result;
  result.loss = sums.weight == 0 ? 0 : sums.loss / sums.weight;
  if (sums.hasMetric)
    result.metric = sums.metric / sums.samples;
  else if (sums.hasAccuracy && sums.weight != 0)
    result.metric = static_cast<double>(sums.correct) / sums.weight;
  result.samplesPerSecond = sums.samples / time.count();
  return result;
}

uint64_t Evaluator::getBytes() const {
  uint64_t bytes = 0;
  for (const auto &entry : kernels)
    bytes += entry.second.getOwnBytes();
  return bytes;
}
