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

std::vector<std::pair<std::string, std::string>>
cma::run::describeSettings(const TrainSettings &settings) {
  return {{"seed", std::to_string(settings.seed)},
          {"batch", std::to_string(settings.batch)},
          {"lr", formatExact(settings.learningRate)},
          {"momentum", formatExact(settings.step.momentum)},
          {"weight-decay", formatExact(settings.step.weightDecay)}};
}

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

llvm::Expected<double> Trainer::runStep(const Dataset &data, Rows rows,
                                        TrainState &state) {
  for (int i = 0; i < kernel->getNumArguments(); ++i)
    if (llvm::StringRef(kernel->getArgument(i).role) == "data")
      data.gather(kernel->getArgument(i).name, rows,
                  kernel->getArgumentData(i));
  setScalar("lr", options.learningRate);
  setScalar("step", static_cast<double>(state.applied));
  cma_status status = kernel->run();
  if (status.code != CMA_STATUS_OK)
    return describeFailure(status, data.getPath(), data.find(status.argument),
                           rows);
  ++state.steps;
  ++state.applied;
  int loss = *kernel->findResult("loss");
  return readFloat(kernel->getResultType(loss), kernel->getResultData(loss));
}

llvm::Expected<EpochResult>
Trainer::runEpoch(const Dataset &data, TrainState &state, Progress &progress,
                  llvm::function_ref<llvm::Error()> afterStep) {
  std::vector<int64_t> order =
      RandomStream(static_cast<uint64_t>(options.seed), "shuffle",
                   static_cast<uint64_t>(state.epoch))
          .shuffle(data.getNumSamples());
  int64_t steps = data.getNumSamples() / options.batch;
  auto meanLoss = [&state] {
    return state.lossWeight == 0 ? 0 : state.lossSum / state.lossWeight;
  };
  auto rate = [&] { return state.batch * options.batch / state.seconds; };
  while (state.batch < steps) {
    auto start = std::chrono::steady_clock::now();
    Rows rows = Rows(order).slice(state.batch * options.batch, options.batch);
    llvm::Expected<double> loss = runStep(data, rows, state);
    if (!loss)
      return loss.takeError();
    int64_t weight = weighBatch(model.summary, data, rows);
    if (weight != 0)
      state.lossSum += *loss * weight;
    state.lossWeight += weight;
    ++state.batch;
    state.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    std::string place = "in epoch " + std::to_string(state.epoch + 1);
    if (!std::isfinite(*loss) && !options.allowNonFinite)
      return exitError(kNumericStop, "the loss is " + formatNumber(*loss) +
                                         " " + place + ", step " +
                                         llvm::Twine(state.batch));
    if (state.batch != steps)
      if (llvm::Error error = afterStep())
        return error;
    if (interrupted())
      return exitError(kInterrupted, "interrupted " + place + ", after step " +
                                         llvm::Twine(state.batch));
    progress.step(state.epoch, state.batch, steps, meanLoss(), rate());
  }
  return EpochResult{meanLoss(), rate()};
}
