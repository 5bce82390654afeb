//===- Compile.h - From a program to kernels --------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the pass pipelines that the commands run. Each works on a
// copy of the program in which one function is public.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_COMPILE_H
#define CMA_TOOLS_CMA_RUN_COMPILE_H

#include "Program.h"
#include "cma/Analysis/U128.h"
#include "cma/ExecutionEngine/CompiledModule.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace cma::run {

/// Sums over the networks of a plan.
struct PlanCosts {
  U128 plannedMults; ///< Of the step: all wanted targets together.
  U128 naiveMults;   ///< Of the results alone, as one nest of loops.
};

struct StepOptions {
  double momentum = 0, weightDecay = 0;
};

class Compilation {
public:
  /// Copies the program and makes `function` its only public function, of
  /// static shape: every `?` is `batch`.
  static llvm::Expected<Compilation> create(Program &program,
                                            llvm::StringRef function,
                                            std::optional<int64_t> batch);

  mlir::func::FuncOp getFunction();

  /// Layers become contractions with a tree. Needed before differentiate().
  /// `wanted` is as in cma-plan-contractions.
  llvm::Expected<PlanCosts> plan(llvm::StringRef wanted);

  /// A call changes no argument: results that update one (cma.updates) are
  /// results like others.
  void dropUpdates();

  /// The function becomes its training step, by the pipeline cma-train.
  llvm::Expected<PlanCosts> buildStep(const StepOptions &options);

  /// The function becomes its gradient function: its results, and a gradient
  /// per wanted argument (names or positions; none: the parameters, else every
  /// floating argument).
  llvm::Error differentiate(llvm::ArrayRef<std::string> wanted);

  /// Machine code for this computer; the last call.
  llvm::Expected<std::unique_ptr<CompiledModule>> compile();

private:
  Compilation(Program &program, mlir::OwningOpRef<mlir::ModuleOp> module,
              llvm::StringRef function);
  llvm::Error failure() const;
  llvm::Error run(llvm::function_ref<void(mlir::OpPassManager &)> addPasses);
  llvm::Error keepOnly(const std::string &name);

  Program *program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string function;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_COMPILE_H
