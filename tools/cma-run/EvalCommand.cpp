//===- EvalCommand.cpp - cma-run eval -------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file evaluates trained parameters on a data set.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "ExitCode.h"
#include "Interrupt.h"
#include "ModelSession.h"
#include "Progress.h"

#include <cmath>

using namespace cma;
using namespace cma::run;

namespace {
struct Options {
  std::string model, data, load, report;
  int64_t batch = 128, threads = 0;
  bool allowNonFinite = false;
};
} // namespace

static llvm::Error evaluate(const Options &options) {
  if (llvm::Error error = checkDistinct({{"--report", options.report}},
                                        {{"MODEL.mlir", options.model},
                                         {"--data", options.data},
                                         {"--load", options.load}}))
    return error;
  if (llvm::Error error = checkWritable(options.report))
    return error;
  auto session =
      ModelSession::open(options.model, options.batch, options.threads);
  if (!session)
    return session.takeError();
  const Model &model = (*session)->getModel();
  auto data = Dataset::load(options.data, model.info);
  if (!data)
    return data.takeError();
  auto store = ParameterStore::create(model.info);
  if (!store)
    return store.takeError();
  auto parameters = ParameterStore::open(options.load, model.info);
  if (!parameters)
    return parameters.takeError();
  if (llvm::Error error = store->load(*parameters, model.info))
    return error;

  Evaluator evaluator((*session)->getProgram(), model, *store,
                      (*session)->getWorkspace(), options.batch);
  auto result = evaluator.evaluate(*data);
  if (!result)
    return result.takeError();

  RunFigures figures = (*session)->startFigures();
  EpochFigures &epoch = figures.epochs.emplace_back();
  epoch.evalLoss = result->loss;
  epoch.evalMetric = result->metric;
  epoch.samplesPerSecond = result->samplesPerSecond;
  figures.plannedMults = evaluator.getCosts().plannedMults;
  figures.naiveMults = evaluator.getCosts().naiveMults;
  (*session)->finishFigures(figures, store->getBytes() + evaluator.getBytes());

  llvm::outs() << "samples " << data->getNumSamples() << "  loss "
               << formatNumber(result->loss);
  if (result->metric)
    llvm::outs() << "  " << figures.metricName << ' '
                 << formatMetric(figures.metricName, *result->metric);
  llvm::outs() << "  "
               << formatCount(static_cast<uint64_t>(result->samplesPerSecond))
               << " samples/s\n";
  printTable(llvm::outs(), figures);
  if (!options.report.empty())
    if (llvm::Error error = writeReport(options.report, figures))
      return error;
  if (std::isfinite(result->loss) || options.allowNonFinite)
    return llvm::Error::success();
  return exitError(kNumericStop, "the loss is " + formatNumber(result->loss));
}

llvm::Error cma::run::runEval(Arguments arguments) {
  Options options;
  CommandLine line("eval",
                   "Evaluates the function of MODEL.mlir that has a loss on "
                   "all samples of a "
                   "file.\nIt computes in the types that MODEL.mlir is written "
                   "in, as a rule "
                   "f32, whatever\ntype the parameters were trained in.",
                   "MODEL.mlir");
  line.required("data", "FILE", "samples (safetensors)", options.data)
      .required("load", "FILE", "trained parameters", options.load)
      .integer("batch", "samples a call (128)", options.batch, 1)
      .integer("threads", "threads to compute with (all)", options.threads, 1,
               1024)
      .text("report", "FILE",
            "write the figures as JSON; loss and metric as those of an epoch",
            options.report)
      .flag("allow-nan", "succeed where the loss is not finite",
            options.allowNonFinite);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  options.model = line.getFile();
  return evaluate(options);
}
