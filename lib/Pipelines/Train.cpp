//===- Train.cpp - The cma-train pipeline ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file puts the passes from a model to its training step in order.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cma;

/// Decide precisions on the whole step, and make them real. f32 honours what
/// the user annotated, and changes nothing else.
static void addPrecision(OpPassManager &pm, const TrainOptions &options) {
  CMAAssignPrecisionPassOptions assign;
  assign.policy = options.precision;
  assign.solver = options.precisionSolver;
  assign.report = options.precisionReport;
  pm.addPass(createCMAAssignPrecisionPass(assign));
  CMAInsertCastsPassOptions casts;
  casts.report = options.castReport;
  pm.addPass(createCMAInsertCastsPass(casts));
  pm.addPass(createCMAVerifyPrecisionPass());
}

void cma::buildTrainPipeline(OpPassManager &pm, const TrainOptions &options) {
  CMASpecializePassOptions specialize;
  specialize.batch = options.batch;
  specialize.function = options.function;
  pm.addPass(createCMASpecializePass(specialize));
  pm.addPass(createCMACreateMastersPass());
  pm.addPass(createCMAExpandLayersPass());
  CMAPlanContractionsPassOptions plan;
  plan.objective = options.objective;
  plan.target = options.target;
  plan.report = options.report;
  // The planner's times are those of the type that contractions will read.
  if (llvm::is_contained({"tf32", "f16", "bf16"}, options.precision.getValue()))
    plan.computeType = options.precision;
  pm.addPass(createCMAPlanContractionsPass(plan));
  CMADifferentiatePassOptions differentiate;
  differentiate.function = options.function;
  pm.addPass(createCMADifferentiatePass(differentiate));
  CMABuildTrainStepPassOptions step;
  step.function = options.function;
  step.optimizer = options.optimizer;
  step.momentum = options.momentum;
  step.beta1 = options.beta1;
  step.beta2 = options.beta2;
  step.epsilon = options.epsilon;
  step.weightDecay = options.weightDecay;
  step.lossScale = options.lossScale;
  step.clip = options.clip;
  step.accumulate = options.accumulate;
  pm.addPass(createCMABuildTrainStepPass(step));
  pm.addNestedPass<func::FuncOp>(createCMAVerifyScalesPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addPrecision(pm, options);
}
