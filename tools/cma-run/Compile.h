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

#include "PrecisionFigures.h"
#include "Program.h"
#include "cma/Analysis/U128.h"
#include "cma/ExecutionEngine/CompiledModule.h"
#include "llvm/ADT/ArrayRef.h"
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
  U128 plannedMults;          ///< Of a step: all wanted targets together.
  U128 naiveMults;            ///< Of the results alone, as one nest of loops.
  PrecisionFigures precision; ///< Of a step.
};

/// As the options of cma-train.
struct StepOptions {
  std::string optimizer = "sgd", lossScale = "none", precision = "f32";
  double momentum = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weightDecay = 0, clip = 0;
  int64_t accumulate = 1;
};

/// A usage error unless `precision` is a policy that needs nothing else.
llvm::Error checkPrecision(llvm::StringRef precision);

class Compilation {
public:
  /// Copies the program and makes `function` its only public function, of
  /// static shape: every `?` is `batch`.
  static llvm::Expected<Compilation> create(Program &program,
                                            llvm::StringRef function,
                                            std::optional<int64_t> batch);

  mlir::func::FuncOp getFunction();
  /// With accumulation, the function that updates by the sums; else null.
  mlir::func::FuncOp getApplyFunction();

  /// Layers become contractions with a tree. Needed before differentiate().
  /// `wanted` is as in cma-plan-contractions.
  llvm::Expected<PlanCosts> plan(llvm::StringRef wanted);

  /// Decides in which types planned ops compute, by the policy `precision` of
  /// cma-assign-precision, and casts between them.
  llvm::Error assignPrecision(llvm::StringRef precision);

  /// A call changes no argument: results that update one (cma.updates) are
  /// results like others.
  void dropUpdates();

  /// The function becomes its training step, by the pipeline cma-train; with
  /// accumulation, the function that sums gradients, and one that applies them.
  llvm::Expected<PlanCosts> buildStep(const StepOptions &options);

  /// The function becomes its gradient function: its results, and a gradient
  /// per wanted argument (names or positions; none: the parameters, else every
  /// floating argument).
  llvm::Error differentiate(llvm::ArrayRef<std::string> wanted);

  /// Whether something is computed in a float type below f32.
  bool hasLowPrecision();

  /// Machine code for this computer; the last call.
  llvm::Expected<std::unique_ptr<CompiledModule>> compile();

private:
  Compilation(Program &program, mlir::OwningOpRef<mlir::ModuleOp> module,
              llvm::StringRef function);
  llvm::Error failure() const;
  llvm::Error run(llvm::function_ref<void(mlir::OpPassManager &)> addPasses);
  llvm::Error keepOnly(llvm::ArrayRef<std::string> names);
  mlir::func::FuncOp lookup(const std::string &name);

  Program *program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string function, applyFunction;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_COMPILE_H
