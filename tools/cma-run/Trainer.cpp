//===- Trainer.cpp - The training loop ------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file trains models.
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"

#include "ExitCode.h"
#include "Interrupt.h"
#include "Scoring.h"
#include "cma/Runtime/Random.h"
#include <chrono>
#include <cmath>

using namespace cma;
using namespace cma::run;

llvm::Expected<std::unique_ptr<Trainer>>
Trainer::create(Program &program, const Model &model,
                const TrainSettings &options, SharedWorkspace &workspace) {
  std::unique_ptr<Trainer> trainer(new Trainer(model, options));
  auto compilation =
      Compilation::create(program, model.info.name, options.batch);
  if (!compilation)
    return compilation.takeError();
  auto costs = compilation->buildStep(options.step);
  if (!costs)
    return costs.takeError();
  trainer->costs = *costs;
  auto info = FunctionInfo::get(compilation->getFunction());
  if (!info)
    return info.takeError();
  trainer->stepInfo = std::move(*info);
  auto store = ParameterStore::create(trainer->stepInfo);
  if (!store)
    return store.takeError();
  trainer->store = std::move(*store);
  auto code = compilation->compile();
  if (!code)
    return code.takeError();
  auto kernel = Kernel::create(std::move(*code), trainer->stepInfo.name,
                               workspace, &trainer->store);
  if (!kernel)
    return kernel.takeError();
  trainer->kernel = std::move(*kernel);
  return trainer;
}

void Trainer::setScalar(llvm::StringRef role, double value) {
  std::optional<int> argument = kernel->findArgument(role);
  if (!argument)
    return;
  void *data = kernel->getArgumentData(*argument);
  switch (kernel->getArgument(*argument).dtype) {
  case CMA_DTYPE_F32:
    *static_cast<float *>(data) = static_cast<float>(value);
    break;
  case CMA_DTYPE_F64:
    *static_cast<double *>(data) = value;
    break;
  case CMA_DTYPE_I64:
    *static_cast<int64_t *>(data) = static_cast<int64_t>(value);
    break;
  default:
    llvm_unreachable("cma-build-train-step makes no other scalar");
  }
}

llvm::Expected<double> Trainer::runStep(const Dataset &data, Rows rows) {
  for (int i = 0; i < kernel->getNumArguments(); ++i)
    if (llvm::StringRef(kernel->getArgument(i).role) == "data")
      data.gather(kernel->getArgument(i).name, rows,
                  kernel->getArgumentData(i));
  setScalar("lr", options.learningRate);
  setScalar("step", static_cast<double>(stepsDone));
  cma_status status = kernel->run();
  if (status.code != CMA_STATUS_OK)
    return describeFailure(status, data.getPath(), data.find(status.argument),
                           rows);
  ++stepsDone;
  int loss = *kernel->findResult("loss");
  return readFloat(kernel->getResultType(loss), kernel->getResultData(loss));
}

llvm::Expected<EpochResult>
Trainer::runEpoch(const Dataset &data, int64_t epoch, Progress &progress) {
  std::vector<int64_t> order =
      RandomStream(static_cast<uint64_t>(options.seed), "shuffle",
                   static_cast<uint64_t>(epoch))
          .shuffle(data.getNumSamples());
  int64_t steps = data.getNumSamples() / options.batch;
  double sum = 0;
  int64_t weight = 0;
  auto start = std::chrono::steady_clock::now();
  auto seconds = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  for (int64_t step = 0; step < steps; ++step) {
    Rows rows = Rows(order).slice(step * options.batch, options.batch);
    llvm::Expected<double> loss = runStep(data, rows);
    if (!loss)
      return loss.takeError();
    int64_t batchWeight = weighBatch(model.summary, data, rows);
    if (batchWeight != 0)
      sum += *loss * batchWeight;
    weight += batchWeight;
    if (!std::isfinite(*loss) && !options.allowNonFinite)
      return exitError(kNumericStop, "the loss is " + formatNumber(*loss) +
                                         " in epoch " + llvm::Twine(epoch + 1) +
                                         ", step " + llvm::Twine(step + 1));
    if (interrupted())
      return exitError(kInterrupted,
                       "interrupted in epoch " + llvm::Twine(epoch + 1) +
                           ", after step " + llvm::Twine(step + 1));
    double rate = (step + 1) * options.batch / seconds();
    progress.step(epoch, step + 1, steps, weight == 0 ? 0 : sum / weight, rate);
  }
  return EpochResult{weight == 0 ? 0 : sum / weight,
                     steps * options.batch / seconds()};
}
