//===- TrainCommand.cpp - cma-run train -----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the command line of a training run.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "ExitCode.h"
#include "ModelSession.h"
#include "TrainRun.h"

#include <cmath>
#include <limits>

using namespace cma;
using namespace cma::run;

/// Settings of one optimizer say nothing to the other.
static llvm::Error checkOptimizer(const CommandLine &line,
                                  const std::string &optimizer) {
  if (optimizer != "sgd" && optimizer != "adamw")
    return exitError(kUsage, "--optimizer: expected sgd or adamw, got '" +
                                 llvm::Twine(optimizer) + "'");
  if (optimizer == "adamw" && line.isGiven("momentum"))
    return exitError(kUsage, "--momentum goes with --optimizer sgd; adamw has "
                             "--beta1 (see --help)");
  for (const char *name : {"beta1", "beta2", "epsilon"})
    if (optimizer == "sgd" && line.isGiven(name))
      return exitError(kUsage, "--" + llvm::Twine(name) +
                                   " goes with --optimizer adamw, got sgd "
                                   "(see --help)");
  return llvm::Error::success();
}

/// Optimizer, schedule and loss scale by name, and what goes with what.
static llvm::Error readSettings(const CommandLine &line,
                                const std::string &schedule,
                                TrainSettings &train) {
  auto kind = parseSchedule(schedule);
  if (!kind)
    return kind.takeError();
  train.schedule.kind = *kind;
  if (llvm::Error error = checkOptimizer(line, train.step.optimizer))
    return error;
  if (llvm::Error error = checkPrecision(train.step.precision))
    return error;
  std::string message;
  if (!parseLossScale(train.step.lossScale, train.lossScale, message))
    return exitError(kUsage, "--loss-scale: " + llvm::Twine(message));
  if (train.step.accumulate > std::numeric_limits<int64_t>::max() / train.batch)
    return exitError(kUsage, "--batch and --accumulate: expected at most 2^63 "
                             "- 1 samples a step");
  return llvm::Error::success();
}

/// What no single option can see.
static llvm::Error checkOptions(const TrainOptions &options) {
  const CheckpointSettings &checkpoint = options.checkpoint;
  for (auto [name, given] : {std::pair("--every", checkpoint.every != 0),
                             std::pair("--keep", checkpoint.keep != 0),
                             std::pair("--resume", checkpoint.resume)})
    if (given && checkpoint.directory.empty())
      return exitError(kUsage, llvm::Twine(name) +
                                   " goes with --checkpoint, which is not "
                                   "given (see --help)");
  if (llvm::Error error = checkDistinct(
          {{"--save", options.save}, {"--report", options.report}},
          {{"MODEL.mlir", options.model},
           {"--data", options.data},
           {"--eval-data", options.evalData},
           {"--test-data", options.testData}}))
    return error;
  // Training may go on in place: --save may be the file of --load.
  return checkDistinct({{"--report", options.report}},
                       {{"--load", options.load}});
}

llvm::Error cma::run::runTrain(Arguments arguments) {
  TrainOptions options;
  TrainSettings &train = options.train;
  CheckpointSettings &checkpoint = options.checkpoint;
  StepOptions &step = train.step;
  std::string schedule = "constant";
  CommandLine line("train",
                   "Trains the function of MODEL.mlir that has a loss.",
                   "MODEL.mlir");
  line.required("data", "FILE", "samples to train on (safetensors)",
                options.data)
      .text("eval-data", "FILE", "samples to evaluate on after every epoch",
            options.evalData)
      .text("test-data", "FILE", "samples to evaluate on once, at the end",
            options.testData)
      .integer("epochs", "passes over the data (10)", train.epochs, 1)
      .integer("batch", "samples computed at a time (32)", train.batch, 1)
      .integer("accumulate", "batches whose gradients make a step (1)",
               step.accumulate, 1)
      .real("lr", "learning rate (0.01)", train.learningRate,
            {0, HUGE_VAL, /*openLow=*/true})
      .text("schedule", "NAME",
            "of the rate: constant, cosine or linear (constant)", schedule)
      .integer("warmup", "steps in which the rate rises (0)",
               train.schedule.warmup, 0)
      .text("optimizer", "NAME", "sgd or adamw (sgd)", step.optimizer)
      .real("momentum", "momentum of sgd (0)", step.momentum,
            {0, 1, false, /*openHigh=*/true})
      .real("beta1", "decay of adamw's first moment (0.9)", step.beta1,
            {0, 1, false, /*openHigh=*/true})
      .real("beta2", "decay of adamw's second moment (0.999)", step.beta2,
            {0, 1, false, /*openHigh=*/true})
      .real("epsilon", "of adamw (1e-8)", step.epsilon,
            {0, HUGE_VAL, /*openLow=*/true})
      .real("weight-decay", "decoupled weight decay (0)", step.weightDecay,
            {0, HUGE_VAL})
      .real("clip", "largest norm of all gradients together (any)", step.clip,
            {0, HUGE_VAL, /*openLow=*/true})
      .text("precision", "TYPE",
            "what contractions of a step read: f32, tf32, f16 or bf16\n"
            "(f32); evaluation computes in f32",
            step.precision)
      .text("loss-scale", "SCALE",
            "none, static:X, dynamic, pytorch, keras, megatron or\n"
            "deepspeed (none); from dynamic on with settings, as in\n"
            "dynamic:init=1024,interval=200: init, growth, backoff,\n"
            "interval, min, max, hysteresis, refill and delay",
            step.lossScale)
      .integer("seed", "of initial values and of the samples' order (0)",
               train.seed, 0)
      .integer("threads", "threads to compute with (all)", options.threads, 1,
               1024)
      .text("load", "FILE", "start from these parameters", options.load)
      .text("save", "FILE", "write the trained parameters", options.save)
      .text("report", "FILE", "write the figures of the run as JSON",
            options.report)
      .text("checkpoint", "DIR", "keep checkpoints in this directory",
            checkpoint.directory)
      .integer("every", "steps between checkpoints (those of an epoch)",
               checkpoint.every, 1)
      .integer("keep", "checkpoints to keep (2)", checkpoint.keep, 1)
      .flag("resume", "go on from the newest checkpoint in DIR, if any",
            checkpoint.resume)
      .flag("allow-nan", "go on where the loss is not finite",
            train.allowNonFinite)
      .flag("quiet", "print nothing but errors", options.quiet);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  options.model = line.getFile();
  if (llvm::Error error = readSettings(line, schedule, train))
    return error;
  if (llvm::Error error = checkOptions(options))
    return error;
  return TrainRun(std::move(options)).run();
}
