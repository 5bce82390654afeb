//===- Evaluator.h - Loss and metric of a data set --------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares evaluation. No sample is dropped: the last partial batch
// gets a specialisation of its own.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_EVALUATOR_H
#define CMA_TOOLS_CMA_RUN_EVALUATOR_H

#include "Compile.h"
#include "Dataset.h"
#include "Kernel.h"
#include "ModelSummary.h"
#include "ParameterStore.h"
#include <map>

namespace cma::run {

/// A model as its file describes it.
struct Model {
  FunctionInfo info; ///< As written, with `?`.
  ModelSummary summary;
};

struct EvalResult {
  /// Mean over samples, or over the rows that a cross entropy counts.
  double loss = 0;
  /// The result of role "metric", as a mean over samples; else top-1 accuracy
  /// over counted rows where there are logits and labels.
  std::optional<double> metric;
  double samplesPerSecond = 0;
};

class Evaluator {
public:
  Evaluator(Program &program, const Model &model, ParameterStore &store,
            SharedWorkspace &workspace, int64_t batch)
      : program(program), model(model), store(store), workspace(workspace),
        batch(batch) {}

  /// Parameters and state stay as they are. Stops with the exit code of Ctrl-C
  /// where that was pressed.
  llvm::Expected<EvalResult> evaluate(const Dataset &data);

  /// Costs of the forward plan for a whole batch, after evaluate().
  const PlanCosts &getCosts() const { return costs; }
  /// Bytes of the buffers of all specialisations.
  uint64_t getBytes() const;

private:
  struct Sums;
  llvm::Expected<Kernel *> getKernel(int64_t size);
  llvm::Error evaluateBatch(const Dataset &data, llvm::ArrayRef<int64_t> rows,
                            Sums &sums);

  Program &program;
  const Model &model;
  ParameterStore &store;
  SharedWorkspace &workspace;
  int64_t batch;
  std::map<int64_t, Kernel> kernels; ///< By batch size.
  PlanCosts costs;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_EVALUATOR_H
