//===- TrainRun.cpp - One run of training ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file trains, evaluates, saves and reports.
//
//===----------------------------------------------------------------------===//

#include "TrainRun.h"

#include "ExitCode.h"
#include "Interrupt.h"
#include <cmath>

using namespace cma;
using namespace cma::run;

llvm::Expected<std::optional<Dataset>>
TrainRun::loadData(const std::string &path) {
  std::optional<Dataset> result;
  if (path.empty())
    return result;
  auto loaded = Dataset::load(path, session->getModel().info);
  if (!loaded)
    return loaded.takeError();
  result = std::move(*loaded);
  return result;
}

llvm::Error TrainRun::loadAllData() {
  for (auto [path, set] : {std::pair(&options.data, &data),
                           std::pair(&options.evalData, &evalData),
                           std::pair(&options.testData, &testData)}) {
    auto loaded = loadData(*path);
    if (!loaded)
      return loaded.takeError();
    *set = std::move(*loaded);
  }
  int64_t samples = data->getNumSamples();
  int64_t step = options.train.getSamplesPerStep();
  int64_t parts = options.train.step.accumulate;
  std::string what = parts == 1
                         ? "batch of " + std::to_string(step)
                         : "step of " + std::to_string(parts) + " batches of " +
                               std::to_string(options.train.batch);
  if (step > samples)
    return userError("'" + options.data + "': expected at least one " + what +
                     " samples, got " + llvm::Twine(samples));
  if (samples % step != 0)
    progress.note("note: the last " + std::to_string(samples % step) + " of " +
                  std::to_string(samples) +
                  " samples of an epoch's order make no whole " + what +
                  " and are dropped");
  return llvm::Error::success();
}

int64_t TrainRun::getStepsPerEpoch() const {
  return data->getNumSamples() / options.train.getSamplesPerStep();
}

/// Says what is legal and yet hardly meant.
void TrainRun::noteSettings() {
  const TrainSettings &train = options.train;
  int64_t steps = getStepsPerEpoch();
  // Both may be of any size.
  if (train.schedule.warmup / steps >= train.epochs &&
      (train.schedule.warmup / steps > train.epochs ||
       train.schedule.warmup % steps != 0))
    progress.note("note: the rate rises for " +
                  std::to_string(train.schedule.warmup) +
                  " steps (--warmup), but the run ends after " +
                  std::to_string(steps * train.epochs));
  llvm::StringRef rounding = train.lossScale.findRounding();
  if (!rounding.empty())
    progress.note("note: '" + rounding.str() +
                  "' of the loss scale is no power of two, so that scaling and "
                  "unscaling round");
  if (train.step.precision != "f32" && (evalData || testData))
    progress.note(
        "note: evaluation computes in the types of the model, not in " +
        train.step.precision);
}

/// Finds the checkpoint to go on from, where one is wanted.
llvm::Error TrainRun::openCheckpoints() {
  const CheckpointSettings &settings = options.checkpoint;
  if (settings.directory.empty())
    return llvm::Error::success();
  RunIdentity identity = describeSettings(options.train);
  identity.emplace_back("samples", std::to_string(data->getNumSamples()));
  identity.emplace_back("model_fingerprint",
                        session->getProgram().getFingerprint());
  identity.emplace_back("data_fingerprint", data->getFingerprint());
  identity.emplace_back("eval_data_fingerprint",
                        evalData ? evalData->getFingerprint() : "none");
  auto opened =
      Checkpoints::open(settings, session->getModel().info, std::move(identity),
                        {options.train.epochs, getStepsPerEpoch()});
  if (!opened)
    return opened.takeError();
  checkpoints = std::move(*opened);
  if (settings.resume && !checkpoints->canResume())
    progress.note("note: no checkpoint in '" + settings.directory +
                  "': the run starts from the beginning");
  return llvm::Error::success();
}

/// Everything that can be wrong with files and model, before the first step.
llvm::Error TrainRun::prepare() {
  for (const std::string &path : {options.save, options.report})
    if (llvm::Error error = checkWritable(path))
      return error;
  auto opened =
      ModelSession::open(options.model, options.train.batch, options.threads);
  if (!opened)
    return opened.takeError();
  session = std::move(*opened);
  if (llvm::Error error = loadAllData())
    return error;
  if (llvm::Error error = openCheckpoints())
    return error;
  std::optional<SafetensorsFile> parameters;
  if (!options.load.empty() && !(checkpoints && checkpoints->canResume())) {
    auto file = ParameterStore::open(options.load, session->getModel().info);
    if (!file)
      return file.takeError();
    parameters.emplace(std::move(*file));
  }

  noteSettings();
  progress.phase("compiling @" + session->getModel().info.name + " of " +
                 options.model);
  auto created = Trainer::create(session->getProgram(), session->getModel(),
                                 options.train, session->getWorkspace());
  if (!created)
    return created.takeError();
  trainer = std::move(*created);
  if (llvm::Error error = setStart(parameters ? &*parameters : nullptr))
    return error;
  evaluator = std::make_unique<Evaluator>(
      session->getProgram(), session->getModel(), trainer->getStore(),
      session->getWorkspace(), options.train.batch);
  return llvm::Error::success();
}

/// Gives the store its values: those of a checkpoint, else of a file, else of
/// the model's rules.
llvm::Error TrainRun::setStart(const SafetensorsFile *parameters) {
  if (checkpoints && checkpoints->canResume())
    return resume();
  ParameterStore &store = trainer->getStore();
  const FunctionInfo &model = session->getModel().info;
  if (llvm::Error error =
          store.initialise(trainer->getStepInfo(), options.train.seed,
                           parameters ? &model : nullptr))
    return error;
  return parameters ? store.load(*parameters, model) : llvm::Error::success();
}

llvm::Error TrainRun::resume() {
  auto file = checkpoints->resume(trainer->getStore(), state);
  if (!file)
    return file.takeError();
  int64_t steps = getStepsPerEpoch(), epochs = options.train.epochs;
  progress.startAt((state.epoch + static_cast<double>(state.batch) / steps) /
                   epochs);
  progress.note(
      "going on from '" + *file + "': " + std::to_string(state.epoch) + " of " +
      std::to_string(epochs) + " epochs, " + std::to_string(state.batch) +
      " of " + std::to_string(steps) + " steps of the next");
  return llvm::Error::success();
}

llvm::Error TrainRun::evaluateEpoch(EpochFigures &epoch) {
  auto result = evaluator->evaluate(*evalData);
  if (!result)
    return result.takeError();
  epoch.evalLoss = result->loss;
  epoch.evalMetric = result->metric;
  if (!std::isfinite(result->loss) && !options.train.allowNonFinite)
    return exitError(kNumericStop,
                     "the evaluation loss is " + formatNumber(result->loss) +
                         " after epoch " + llvm::Twine(state.epoch + 1));
  return llvm::Error::success();
}

/// Called after every step, but for the last one of an epoch after the epoch,
/// so that its evaluation is in the checkpoint.
llvm::Error TrainRun::saveWhenDue() {
  if (!checkpoints)
    return llvm::Error::success();
  bool ended = state.epoch == options.train.epochs;
  int64_t every = options.checkpoint.every;
  bool due = every == 0 ? state.batch == 0 : state.steps % every == 0;
  if (!due && !ended)
    return llvm::Error::success();
  // What cannot be gone on from must not replace what can.
  if (llvm::Error error = checkParameters())
    return error;
  return checkpoints->save(trainer->getStore(), state).takeError();
}

llvm::Error TrainRun::trainEpochs() {
  while (state.epoch < options.train.epochs) {
    auto result = trainer->runEpoch(*data, state, progress,
                                    [this] { return saveWhenDue(); });
    if (!result)
      return result.takeError();
    EpochFigures line;
    line.loss = result->loss;
    line.samplesPerSecond = result->samplesPerSecond;
    ScalingFigures scaling = trainer->getScaling(state);
    line.lossScale = scaling.scale;
    if (evalData)
      if (llvm::Error error = evaluateEpoch(line))
        return error;
    progress.epoch(state.epoch, result->loss, result->samplesPerSecond,
                   line.evalLoss, line.evalMetric, figures.metricName, scaling);
    state.finishEpoch(line);
    if (llvm::Error error = saveWhenDue())
      return error;
  }
  return checkParameters();
}

/// The last update may overflow although its loss was finite.
llvm::Error TrainRun::checkParameters() {
  std::string name = trainer->getStore().findNonFinite();
  if (name.empty() || options.train.allowNonFinite)
    return llvm::Error::success();
  if (state.batch == 0)
    return exitError(kNumericStop, "'" + name + "' is not finite after epoch " +
                                       llvm::Twine(state.epoch));
  return exitError(kNumericStop, "'" + name + "' is not finite in epoch " +
                                     llvm::Twine(state.epoch + 1) +
                                     ", after step " +
                                     llvm::Twine(state.batch));
}

llvm::Error TrainRun::test() {
  if (!testData)
    return llvm::Error::success();
  auto result = evaluator->evaluate(*testData);
  if (!result)
    return result.takeError();
  figures.testMetric = result->metric;
  std::string line = "test loss " + formatNumber(result->loss);
  if (result->metric)
    line += std::string("  test ") + figures.metricName + " " +
            formatMetric(figures.metricName, *result->metric);
  progress.note(line);
  return llvm::Error::success();
}

/// Saves what a stopped run has: under another name where its numbers are
/// suspect. Returns the error with what was done.
llvm::Error TrainRun::stop(llvm::Error error) {
  int code = kSuccess;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &info) {
    if (info.isA<ExitError>())
      code = static_cast<const ExitError &>(info).getCode();
  });
  bool nonFinite = code == kNumericStop;
  if (!nonFinite && code != kInterrupted && code != kTerminated)
    return error;
  std::string message = llvm::toString(std::move(error));
  figures.stopped = message;
  llvm::Error failures = llvm::Error::success();
  if (checkpoints && !nonFinite) {
    auto file = checkpoints->save(trainer->getStore(), state);
    if (file)
      message += "; the checkpoint is '" + *file + "'";
    else
      failures = joinErrors(std::move(failures), file.takeError());
  }
  if (!options.save.empty()) {
    std::string path = options.save + (nonFinite ? ".nonfinite" : "");
    if (llvm::Error failure =
            trainer->getStore().save(path, session->getModel().info))
      failures = joinErrors(std::move(failures), std::move(failure));
    else
      message += "; the parameters are in '" + path + "'";
  }
  failures = joinErrors(std::move(failures), finishFigures());
  return llvm::joinErrors(exitError(static_cast<ExitCode>(code), message),
                          std::move(failures));
}

/// Completes the figures and writes the report, where one is wanted.
llvm::Error TrainRun::finishFigures() {
  figures.epochs = state.epochs;
  figures.steps = state.steps;
  figures.skippedSteps = state.steps - state.applied;
  figures.precision = options.train.step.precision;
  figures.precisionFigures = trainer->getCosts().precision;
  figures.gradientBytes = trainer->getGradientBytes();
  figures.optimizerBytes = trainer->getOptimizerBytes();
  if (options.train.lossScale.isOn())
    figures.initialScale = options.train.lossScale.initial;
  figures.scaleChanges = state.scaleChanges;
  figures.plannedMults = trainer->getCosts().plannedMults;
  figures.naiveMults = trainer->getCosts().naiveMults;
  session->finishFigures(figures, trainer->getStore().getBytes() +
                                      trainer->getBytes() +
                                      evaluator->getBytes());
  if (options.report.empty())
    return llvm::Error::success();
  return writeReport(options.report, figures);
}

llvm::Error TrainRun::run() {
  if (llvm::Error error = prepare())
    return error;
  figures = session->startFigures();
  figures.seed = options.train.seed;
  DeferInterrupt defer;
  if (llvm::Error error = trainEpochs())
    return stop(std::move(error));
  if (!options.save.empty())
    if (llvm::Error error =
            trainer->getStore().save(options.save, session->getModel().info))
      return error;
  if (llvm::Error error = test())
    return stop(std::move(error));
  llvm::Error error = finishFigures();
  if (!options.quiet)
    printTable(llvm::outs(), figures);
  return error;
}
