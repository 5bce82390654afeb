//===- Optimizer.cpp - LLVM's middle end, tuned for kernels ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs LLVM's optimisation pipeline on a compiled module.
//
//===----------------------------------------------------------------------===//

#include "Optimizer.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// The largest function, in instructions, with which a module is unrolled.
static constexpr unsigned kUnrollLimit = 3000;

/// Unrolling gains some per cent (a backward pass of CoMERA's 768 x 3072 layer:
/// 8) but in a function with many loops takes most of the compile time, since
/// it makes LLVM analyse all of them again for each.
static bool isWorthUnrolling(const Module &module) {
  return llvm::all_of(module, [](const Function &function) {
    return function.getInstructionCount() <= kUnrollLimit;
  });
}

static OptimizationLevel getLevel(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

void cma::optimizeModule(Module &module, TargetMachine &machine,
                         unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = isWorthUnrolling(module);
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  OptimizationLevel optimization = getLevel(level);
  ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(optimization)
                 : builder.buildPerModuleDefaultPipeline(optimization);
  passes.run(module, modules);
}
