//===- ToCPU.cpp - The cma-to-cpu pipeline --------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file puts the passes of the CPU back end in order.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cma;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// To linalg on tensors.
static void addLinalg(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCMAExpandLayersPass());
  pm.addPass(createCMAPlanContractionsPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createConvertCMAToLinalgPass());
  addCleanup(pm);
}

/// To linalg on buffers: each function takes what its entry's table lists.
static void addBufferization(OpPassManager &pm, const ToCPUOptions &options) {
  pm.addNestedPass<func::FuncOp>(createHoistChecksPass());
  pm.addPass(createPrepareEntriesPass());
  pm.addNestedPass<func::FuncOp>(createLowerTensorBodiesPass());
  FuseElementwisePassOptions fusion;
  fusion.fuseOps = options.fuse;
  pm.addNestedPass<func::FuncOp>(createFuseElementwisePass(fusion));
  // Behind fusion, which counts the ops of a body.
  LegalizeFloatsPassOptions floats;
  floats.f16Instructions = options.f16Instructions;
  pm.addNestedPass<func::FuncOp>(createLegalizeFloatsPass(floats));
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createAssignDestinationsPass());
  pm.addNestedPass<func::FuncOp>(createCopyLoopDestinationsPass());
  pm.addNestedPass<func::FuncOp>(createSeparateFillsPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.allowReturnAllocsFromLoops = true; // cma-lower-copies ends them
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createLowerCopiesPass());
  addCleanup(pm);
}

/// To loops over memory in the workspace.
static void addLoops(OpPassManager &pm, const ToCPUOptions &options) {
  if (options.fuse)
    pm.addNestedPass<func::FuncOp>(createFuseBatchLoopsPass());
  if (options.vectorize)
    pm.addNestedPass<func::FuncOp>(createLowerKernelsPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerChecksPass());
  pm.addNestedPass<func::FuncOp>(createPlanMemoryPass());
  addCleanup(pm);
}

/// To the LLVM dialect.
static void addLLVM(OpPassManager &pm, const ToCPUOptions &options) {
  LowerMathPassOptions math;
  math.approximate = options.approximateMath;
  pm.addPass(createLowerMathPass(math));
  pm.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  if (options.threads) {
    pm.addNestedPass<func::FuncOp>(createOrderReductionsPass());
    pm.addPass(createConvertSCFToOpenMPPass());
  }
  pm.addNestedPass<func::FuncOp>(createHoistAllocasPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addCleanup(pm);
  ConvertVectorToLLVMPassOptions vector;
  vector.reassociateFPReductions = true;
  pm.addPass(createConvertVectorToLLVMPass(vector));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(function));
  pm.addPass(createConvertControlFlowToLLVMPass());
  if (options.threads)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  HoldFloatsAsIntegersPassOptions floats;
  floats.f16Instructions = options.f16Instructions;
  pm.addPass(createHoldFloatsAsIntegersPass(floats));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createEmitEntriesPass());
}

void cma::buildToCPUPipeline(OpPassManager &pm, const ToCPUOptions &options) {
  addLinalg(pm);
  addBufferization(pm, options);
  addLoops(pm, options);
  addLLVM(pm, options);
}
