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

using namespace cma;
using namespace cma::run;

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
  if (llvm::Error error = checkOptions(options))
    return error;
  return TrainRun(std::move(options)).run();
}
