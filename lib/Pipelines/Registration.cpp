//===- Registration.cpp - Everything CMA adds to MLIR ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file registers CMA's dialect, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "cma/Pipelines/Registration.h"

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Pipelines/Pipelines.h"

using namespace mlir;

llvm::StringRef cma::getVersionString() { return CMA_VERSION_STRING; }

void cma::registerCMADialects(DialectRegistry &registry) {
  registry.insert<CMADialect>();
}

void cma::registerCMAPasses() {
  registerCMATransformsPasses();
  registerCMAConversionPasses();
}

void cma::registerCMAPipelines() {
  PassPipelineRegistration<TrainOptions>(
      "cma-train", "Build the training step of a model, ready for a back end",
      buildTrainPipeline);
  PassPipelineRegistration<ToCPUOptions>(
      "cma-to-cpu",
      "Compile public functions to entries for the CPU, in the LLVM dialect",
      buildToCPUPipeline);
}
