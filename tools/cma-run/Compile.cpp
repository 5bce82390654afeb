//===- Compile.cpp - From a program to kernels ----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs the pass pipelines.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "ExitCode.h"
#include "PlanReport.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Pipelines/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cma;
using namespace cma::run;

llvm::Error cma::run::checkPrecision(StringRef precision) {
  if (llvm::is_contained({"f32", "tf32", "f16", "bf16"}, precision))
    return llvm::Error::success();
  return exitError(kUsage,
                   "--precision: expected f32, tf32, f16 or bf16, got '" +
                       precision + "'");
}

Compilation::Compilation(Program &program, OwningOpRef<ModuleOp> module,
                         StringRef function)
    : program(&program), module(std::move(module)), function(function.str()) {}

/// What follows the diagnostics.
llvm::Error Compilation::failure() const {
  return userError("cannot compile @" + function + " of '" +
                   program->getPath() + "'");
}

llvm::Error
Compilation::run(llvm::function_ref<void(OpPassManager &)> addPasses) {
  auto manager = PassManager::on<ModuleOp>(module->getContext());
  addPasses(manager);
  return failed(manager.run(*module)) ? failure() : llvm::Error::success();
}

/// Makes `names` the only public functions and drops what they do not use.
llvm::Error Compilation::keepOnly(ArrayRef<std::string> names) {
  for (auto candidate : module->getOps<func::FuncOp>())
    if (!llvm::is_contained(names, candidate.getName()))
      candidate.setPrivate();
  function = names.front();
  return run([](OpPassManager &pm) { pm.addPass(createSymbolDCEPass()); });
}

func::FuncOp Compilation::lookup(const std::string &name) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *module, StringAttr::get(module->getContext(), name));
}

func::FuncOp Compilation::getFunction() { return lookup(function); }

func::FuncOp Compilation::getApplyFunction() {
  return applyFunction.empty() ? func::FuncOp() : lookup(applyFunction);
}

bool Compilation::hasLowPrecision() {
  return module
      ->walk([](Operation *op) {
        for (Type type : op->getResultTypes())
          if (isLowFloat(getElementTypeOrSelf(type)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<Compilation> Compilation::create(Program &program,
                                                StringRef function,
                                                std::optional<int64_t> batch) {
  Compilation compilation(program, program.getModule().clone(), function);
  if (llvm::Error error = compilation.keepOnly(function.str()))
    return error;
  MLIRContext *context = compilation.module->getContext();
  context->loadDialect<arith::ArithDialect, tensor::TensorDialect>();
  // Unlike the pass's option, the batch of a call may be empty.
  if (failed(specializeFunctions(*compilation.module, compilation.getFunction(),
                                 batch.value_or(1))))
    return compilation.failure();
  return compilation;
}

llvm::Expected<PlanCosts> Compilation::plan(StringRef wanted) {
  llvm::Expected<TemporaryReport> report = TemporaryReport::create();
  if (!report)
    return report.takeError();
  CMAPlanContractionsPassOptions options;
  options.wanted = wanted.str();
  options.report = report->getPath().str();
  if (llvm::Error error = run([&](OpPassManager &pm) {
        pm.addPass(createCMAExpandLayersPass());
        pm.addPass(createCMAPlanContractionsPass(options));
      }))
    return error;
  return report->readCosts();
}

llvm::Error Compilation::assignPrecision(StringRef precision) {
  CMAAssignPrecisionPassOptions options;
  options.policy = precision.str();
  return run([&](OpPassManager &pm) {
    pm.addPass(createCMAAssignPrecisionPass(options));
    pm.addPass(createCMAInsertCastsPass());
    pm.addPass(createCMAVerifyPrecisionPass());
  });
}

void Compilation::dropUpdates() {
  func::FuncOp model = getFunction();
  for (unsigned i = 0; i < model.getNumResults(); ++i)
    model.removeResultAttr(i,
                           StringAttr::get(module->getContext(), kUpdatesAttr));
}

llvm::Expected<PlanCosts> Compilation::buildStep(const StepOptions &options) {
  llvm::Expected<TemporaryReport> report = TemporaryReport::create();
  if (!report)
    return report.takeError();
  llvm::Expected<TemporaryReport> casts = TemporaryReport::create();
  if (!casts)
    return casts.takeError();
  cma::TrainOptions pipeline;
  pipeline.function = function;
  pipeline.optimizer = options.optimizer;
  pipeline.momentum = options.momentum;
  pipeline.beta1 = options.beta1;
  pipeline.beta2 = options.beta2;
  pipeline.epsilon = options.epsilon;
  pipeline.weightDecay = options.weightDecay;
  pipeline.lossScale = options.lossScale;
  pipeline.clip = options.clip;
  pipeline.accumulate = options.accumulate;
  pipeline.report = report->getPath().str();
  pipeline.precision = options.precision;
  pipeline.castReport = casts->getPath().str();
  if (llvm::Error error =
          run([&](OpPassManager &pm) { buildTrainPipeline(pm, pipeline); }))
    return error;
  std::vector<std::string> names = {function + "_step"};
  if (options.accumulate > 1) {
    applyFunction = function + "_apply";
    names = {function + "_accumulate", applyFunction};
  }
  if (llvm::Error error = keepOnly(names))
    return error;
  llvm::Expected<PlanCosts> costs = report->readCosts();
  if (!costs)
    return costs.takeError();
  // Both count what one batch takes.
  costs->plannedMults *= static_cast<uint64_t>(options.accumulate);
  costs->naiveMults *= static_cast<uint64_t>(options.accumulate);
  llvm::Expected<PrecisionFigures> precision =
      casts->readPrecision(names, static_cast<uint64_t>(options.accumulate));
  if (!precision)
    return precision.takeError();
  costs->precision = *precision;
  return costs;
}

llvm::Error Compilation::differentiate(ArrayRef<std::string> wanted) {
  CMADifferentiatePassOptions options;
  options.function = function;
  options.wanted.assign(wanted.begin(), wanted.end());
  if (llvm::Error error = run([&](OpPassManager &pm) {
        pm.addPass(createCMADifferentiatePass(options));
      }))
    return error;
  return keepOnly(function + "_backward");
}

llvm::Expected<std::unique_ptr<CompiledModule>> Compilation::compile() {
  llvm::Expected<bool> f16 = convertsF16();
  if (!f16)
    return f16.takeError();
  ToCPUOptions options;
  options.f16Instructions = *f16;
  if (llvm::Error error =
          run([&](OpPassManager &pm) { buildToCPUPipeline(pm, options); }))
    return error;
  return CompiledModule::create(*module);
}
