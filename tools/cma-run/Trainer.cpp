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
#include <limits>

using namespace cma;
using namespace cma::run;

std::vector<std::pair<std::string, std::string>>
cma::run::describeSettings(const TrainSettings &settings) {
  const StepOptions &step = settings.step;
  std::vector<std::pair<std::string, std::string>> description = {
      {"seed", std::to_string(settings.seed)},
      {"batch", std::to_string(settings.batch)},
      {"accumulate", std::to_string(step.accumulate)},
      {"lr", formatExact(settings.learningRate)},
      {"schedule", getName(settings.schedule.kind)},
      {"warmup", std::to_string(settings.schedule.warmup)},
      {"optimizer", step.optimizer},
      {"weight-decay", formatExact(step.weightDecay)},
      {"clip", formatExact(step.clip)},
      {"loss-scale", step.lossScale},
      {"precision", step.precision}};
  if (step.optimizer == "sgd") {
    description.emplace_back("momentum", formatExact(step.momentum));
  } else {
    description.emplace_back("beta1", formatExact(step.beta1));
    description.emplace_back("beta2", formatExact(step.beta2));
    description.emplace_back("epsilon", formatExact(step.epsilon));
  }
  // The rates depend on where the run ends.
  if (settings.schedule.kind != Schedule::Kind::Constant)
    description.emplace_back("epochs", std::to_string(settings.epochs));
  return description;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

llvm::Error Trainer::createKernels(Compilation &compilation,
                                   SharedWorkspace &workspace) {
  auto info = FunctionInfo::get(compilation.getFunction());
  if (!info)
    return info.takeError();
  stepInfo = std::move(*info);
  std::string applyName;
  if (mlir::func::FuncOp function = compilation.getApplyFunction()) {
    auto applied = FunctionInfo::get(function);
    if (!applied)
      return applied.takeError();
    applyName = applied->name;
    stepInfo.addArguments(*applied);
  }
  auto created = ParameterStore::create(stepInfo);
  if (!created)
    return created.takeError();
  store = std::move(*created);
  isLowPrecision = compilation.hasLowPrecision();
  auto code = compilation.compile();
  if (!code)
    return code.takeError();
  std::shared_ptr<CompiledModule> shared = std::move(*code);
  auto add = [&](const std::string &name,
                 std::optional<Kernel> &to) -> llvm::Error {
    auto created = Kernel::create(shared, name, workspace, &store);
    if (!created)
      return created.takeError();
    to = std::move(*created);
    return llvm::Error::success();
  };
  if (llvm::Error error = add(stepInfo.name, kernel))
    return error;
  return applyName.empty() ? llvm::Error::success() : add(applyName, apply);
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
  if (llvm::Error error = trainer->createKernels(*compilation, workspace))
    return error;
  return trainer;
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

uint64_t Trainer::getGradientBytes() const {
  uint64_t bytes = 0;
  for (const ArgumentInfo &argument : stepInfo.arguments)
    if (argument.isTrained())
      bytes += store.find(argument.name)->data.size();
  return bytes;
}

uint64_t Trainer::getOptimizerBytes() const {
  uint64_t bytes = 0;
  for (const ArgumentInfo &argument : stepInfo.arguments)
    if (argument.isKept() && !model.info.find(argument.name))
      bytes += store.find(argument.name)->data.size();
  // The sums of gradients are counted as gradients.
  return bytes - (apply ? getGradientBytes() : 0);
}

std::optional<double> Trainer::getScale() const {
  if (!options.lossScale.isOn())
    return std::nullopt;
  const HostTensor *scale = store.find("loss_scale");
  return readFloat(scale->type, scale->data.data());
}

ScalingFigures Trainer::getScaling(const TrainState &state) const {
  return {getScale(), state.steps - state.applied};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Sets the argument of that role, where the function has one.
static void setScalar(Kernel &kernel, llvm::StringRef role, double value) {
  std::optional<int> argument = kernel.findArgument(role);
  if (!argument)
    return;
  void *data = kernel.getArgumentData(*argument);
  switch (kernel.getArgument(*argument).dtype) {
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

llvm::Expected<Trainer::StepResult> Trainer::runStep(const Dataset &data,
                                                     Rows rows,
                                                     const TrainState &state,
                                                     double learningRate) {
  StepResult result;
  double sum = 0;
  int64_t counted = 0;
  Kernel &last = apply ? *apply : *kernel;
  setScalar(last, "lr", learningRate);
  setScalar(last, "step", static_cast<double>(state.applied));
  for (; !rows.empty(); rows = rows.drop_front(options.batch)) {
    Rows part = rows.take_front(options.batch);
    for (int i = 0; i < kernel->getNumArguments(); ++i)
      if (llvm::StringRef(kernel->getArgument(i).role) == "data")
        data.gather(kernel->getArgument(i).name, part,
                    kernel->getArgumentData(i));
    cma_status status = kernel->run();
    if (status.code != CMA_STATUS_OK)
      return describeFailure(status, data.getPath(), data.find(status.argument),
                             part);
    int number = *kernel->findResult("loss");
    double loss =
        readFloat(kernel->getResultType(number), kernel->getResultData(number));
    int64_t weight = weighBatch(model.summary, data, part);
    // A part in which nothing counts has a loss of 0.
    sum +=
        weight == 0 && std::isfinite(loss) ? 0 : loss * (weight ? weight : 1);
    counted += weight;
  }
  result.loss = counted == 0 ? sum : sum / static_cast<double>(counted);
  if (apply)
    apply->run(); // checks no data
  if (std::optional<int> found = last.findResult("found_inf"))
    result.skipped = *static_cast<const bool *>(last.getResultData(*found));
  return result;
}

void Trainer::countStep(const StepResult &result, int64_t weight,
                        TrainState &state, Progress &progress) {
  if (weight != 0 && !isForgiven(result)) {
    state.lossSum += result.loss * weight;
    state.lossWeight += weight;
  }
  ++state.steps;
  ++state.batch;
  state.applied += !result.skipped;
  state.skipped += result.skipped;
  if (std::optional<double> scale = getScale()) {
    double before = state.scaleChanges.empty()
                        ? options.lossScale.initial
                        : state.scaleChanges.back().scale;
    if (static_cast<float>(before) != static_cast<float>(*scale))
      state.scaleChanges.push_back({state.steps, *scale});
    if (result.skipped && options.lossScale.isDynamic() && !hasNotedMinimum &&
        static_cast<float>(*scale) ==
            static_cast<float>(options.lossScale.minimum)) {
      hasNotedMinimum = true;
      progress.note("note: step " + std::to_string(state.steps) +
                    " was skipped, and the loss scale is at its minimum " +
                    formatNumber(*scale));
    }
  }
}

bool Trainer::isForgiven(const StepResult &result) const {
  return result.skipped && isLowPrecision && options.lossScale.isDynamic() &&
         !std::isfinite(result.loss);
}

/// An epoch in which every step was skipped, and no smaller scale is left.
llvm::Error Trainer::checkProgress(const TrainState &state) const {
  bool isSmallest = !options.lossScale.isDynamic() ||
                    static_cast<float>(*getScale()) ==
                        static_cast<float>(options.lossScale.minimum);
  if (options.allowNonFinite || state.batch == 0 ||
      state.skipped != state.batch || !isSmallest)
    return llvm::Error::success();
  return exitError(
      kNumericStop,
      "all " + llvm::Twine(state.skipped) + " steps of epoch " +
          llvm::Twine(state.epoch + 1) + " were skipped at the loss scale " +
          formatNumber(*getScale()) + ", which does not become smaller");
}

llvm::Expected<EpochResult>
Trainer::runEpoch(const Dataset &data, TrainState &state, Progress &progress,
                  llvm::function_ref<llvm::Error()> afterStep) {
  std::vector<int64_t> order =
      RandomStream(static_cast<uint64_t>(options.seed), "shuffle",
                   static_cast<uint64_t>(state.epoch))
          .shuffle(data.getNumSamples());
  // An update keeps them; loading or resuming does not.
  store.rebuildViews();
  int64_t samples = options.getSamplesPerStep();
  int64_t steps = data.getNumSamples() / samples;
  // Both may be of any size.
  int64_t total = options.epochs <= std::numeric_limits<int64_t>::max() / steps
                      ? options.epochs * steps
                      : std::numeric_limits<int64_t>::max();
  auto meanLoss = [&state] {
    return state.lossWeight == 0 ? 0 : state.lossSum / state.lossWeight;
  };
  auto rate = [&] { return state.batch * samples / state.seconds; };
  while (state.batch < steps) {
    auto start = std::chrono::steady_clock::now();
    Rows rows = Rows(order).slice(state.batch * samples, samples);
    double factor = options.schedule.getFactor(state.applied, total);
    llvm::Expected<StepResult> result =
        runStep(data, rows, state, options.learningRate * factor);
    if (!result)
      return result.takeError();
    countStep(*result, weighBatch(model.summary, data, rows), state, progress);
    state.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    std::string place = "in epoch " + std::to_string(state.epoch + 1);
    if (!std::isfinite(result->loss) && !options.allowNonFinite &&
        !isForgiven(*result))
      return exitError(kNumericStop,
                       "the loss is " + formatNumber(result->loss) + " " +
                           place + ", step " + llvm::Twine(state.batch));
    if (state.batch != steps)
      if (llvm::Error error = afterStep())
        return error;
    if (llvm::Error error =
            checkInterrupt(place + ", after step " + llvm::Twine(state.batch)))
      return error;
    progress.step(state.epoch, state.batch, steps, meanLoss(), rate(),
                  getScaling(state));
  }
  if (llvm::Error error = checkProgress(state))
    return error;
  return EpochResult{meanLoss(), rate()};
}
