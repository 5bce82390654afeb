//===- TrainCommand.cpp - cma-run train -----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file trains the model of a file on a data set, from the command line to
// the saved parameters.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "Evaluator.h"
#include "ExitCode.h"
#include "Interrupt.h"
#include "ModelSession.h"
#include "Progress.h"
#include "Report.h"
#include "Trainer.h"

#include <cmath>

using namespace cma;
using namespace cma::run;

namespace {

struct Options {
  std::string model, data, evalData, testData, load, save, report;
  TrainSettings train;
  int64_t threads = 0;
  bool quiet = false;
};

/// One run of the command. Members are in the order in which they are made.
class TrainRun {
public:
  TrainRun(Options options)
      : options(std::move(options)), progress(llvm::outs(), this->options.quiet,
                                              this->options.train.epochs) {}

  llvm::Error run();

private:
  llvm::Error prepare();
  llvm::Expected<std::optional<Dataset>> loadData(const std::string &path);
  llvm::Error trainEpochs();
  llvm::Error evaluateEpoch(EpochFigures &figures, int64_t epoch);
  llvm::Error test();
  llvm::Error stop(llvm::Error error);
  llvm::Error checkParameters();
  llvm::Error finish();

  Options options;
  Progress progress;
  std::unique_ptr<ModelSession> session;
  std::optional<Dataset> data, evalData, testData;
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Evaluator> evaluator;
  RunFigures figures;
};

} // namespace

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
  for (auto [path, set] : {std::pair(&options.data, &data),
                           std::pair(&options.evalData, &evalData),
                           std::pair(&options.testData, &testData)}) {
    auto loaded = loadData(*path);
    if (!loaded)
      return loaded.takeError();
    *set = std::move(*loaded);
  }
  int64_t samples = data->getNumSamples(), batch = options.train.batch;
  if (batch > samples)
    return userError("'" + options.data + "': expected at least one batch of " +
                     llvm::Twine(batch) + " samples, got " +
                     llvm::Twine(samples));
  if (samples % batch != 0)
    progress.note("note: the last " + std::to_string(samples % batch) + " of " +
                  std::to_string(samples) +
                  " samples of an epoch's order make no whole batch of " +
                  std::to_string(batch) + " and are dropped");

  progress.phase("compiling @" + session->getModel().info.name + " of " +
                 options.model);
  auto created = Trainer::create(session->getProgram(), session->getModel(),
                                 options.train, session->getWorkspace());
  if (!created)
    return created.takeError();
  trainer = std::move(*created);
  ParameterStore &store = trainer->getStore();
  const FunctionInfo &model = session->getModel().info;
  if (llvm::Error error =
          store.initialise(trainer->getStepInfo(), options.train.seed,
                           options.load.empty() ? nullptr : &model))
    return error;
  if (!options.load.empty())
    if (llvm::Error error = store.load(options.load, model))
      return error;
  evaluator =
      std::make_unique<Evaluator>(session->getProgram(), session->getModel(),
                                  store, session->getWorkspace(), batch);
  return llvm::Error::success();
}

llvm::Error TrainRun::evaluateEpoch(EpochFigures &epoch, int64_t number) {
  auto result = evaluator->evaluate(*evalData);
  if (!result)
    return result.takeError();
  epoch.evalLoss = result->loss;
  epoch.evalMetric = result->metric;
  if (!std::isfinite(result->loss) && !options.train.allowNonFinite)
    return exitError(kNumericStop,
                     "the evaluation loss is " + formatNumber(result->loss) +
                         " after epoch " + llvm::Twine(number + 1));
  return llvm::Error::success();
}

llvm::Error TrainRun::trainEpochs() {
  for (int64_t epoch = 0; epoch < options.train.epochs; ++epoch) {
    auto result = trainer->runEpoch(*data, epoch, progress);
    if (!result)
      return result.takeError();
    EpochFigures line;
    line.loss = result->loss;
    line.samplesPerSecond = result->samplesPerSecond;
    if (evalData)
      if (llvm::Error error = evaluateEpoch(line, epoch))
        return error;
    figures.epochs.push_back(line);
    progress.epoch(epoch, result->loss, result->samplesPerSecond, line.evalLoss,
                   line.evalMetric, figures.metricName);
  }
  return checkParameters();
}

/// The last update may overflow although its loss was finite.
llvm::Error TrainRun::checkParameters() {
  std::string name = trainer->getStore().findNonFinite();
  if (name.empty() || options.train.allowNonFinite)
    return llvm::Error::success();
  return exitError(kNumericStop, "'" + name + "' is not finite after epoch " +
                                     llvm::Twine(options.train.epochs));
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
  if (!nonFinite && code != kInterrupted)
    return error;
  std::string message = llvm::toString(std::move(error));
  if (!options.save.empty()) {
    std::string path = options.save + (nonFinite ? ".nonfinite" : "");
    if (llvm::Error failure =
            trainer->getStore().save(path, session->getModel().info))
      return llvm::joinErrors(exitError(static_cast<ExitCode>(code), message),
                              std::move(failure));
    message += "; the parameters are in '" + path + "'";
  }
  return exitError(static_cast<ExitCode>(code), message);
}

llvm::Error TrainRun::finish() {
  figures.plannedMults = trainer->getCosts().plannedMults;
  figures.naiveMults = trainer->getCosts().naiveMults;
  session->finishFigures(figures, trainer->getStore().getBytes() +
                                      trainer->getBytes() +
                                      evaluator->getBytes());
  if (!options.quiet)
    printTable(llvm::outs(), figures);
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
    return error;
  return finish();
}

llvm::Error cma::run::runTrain(Arguments arguments) {
  Options options;
  TrainSettings &train = options.train;
  CommandLine line("train",
                   "Trains the function of MODEL.mlir that has a loss with "
                   "stochastic gradient descent.",
                   "MODEL.mlir");
  line.required("data", "FILE", "samples to train on (safetensors)",
                options.data)
      .text("eval-data", "FILE", "samples to evaluate on after every epoch",
            options.evalData)
      .text("test-data", "FILE", "samples to evaluate on once, at the end",
            options.testData)
      .integer("epochs", "passes over the data (10)", train.epochs, 1)
      .integer("batch", "samples a step (32)", train.batch, 1)
      .real("lr", "learning rate (0.01)", train.learningRate,
            {0, HUGE_VAL, /*openLow=*/true})
      .real("momentum", "momentum of the updates (0)", train.step.momentum,
            {0, 1, false, /*openHigh=*/true})
      .real("weight-decay", "decoupled weight decay (0)",
            train.step.weightDecay, {0, HUGE_VAL})
      .integer("seed", "of initial values and of the samples' order (0)",
               train.seed, 0)
      .integer("threads", "threads to compute with (all)", options.threads, 1,
               1024)
      .text("load", "FILE", "start from these parameters", options.load)
      .text("save", "FILE", "write the trained parameters", options.save)
      .text("report", "FILE", "write the figures of the run as JSON",
            options.report)
      .flag("allow-nan", "go on where the loss is not finite",
            train.allowNonFinite)
      .flag("quiet", "print nothing but errors", options.quiet);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  if (!options.save.empty() && options.save == options.report)
    return exitError(kUsage, "--save and --report: expected two files, got '" +
                                 options.save + "' for both");
  options.model = line.getFile();
  return TrainRun(std::move(options)).run();
}
