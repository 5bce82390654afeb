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

#include "Dialects.h"
#include "ExitCode.h"
#include "PlanReport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace cma;
using namespace cma::run;

/// A pass option's value in quotes, since names may hold any character.
static llvm::Expected<std::string> quoteOption(StringRef value) {
  for (char quote : {'"', '\''})
    if (!value.contains(quote))
      return (Twine(quote) + value + Twine(quote)).str();
  return userError("name '" + value + "' has both kinds of quotes");
}

Compilation::Compilation(Program &program, OwningOpRef<ModuleOp> module,
                         StringRef function)
    : program(&program), module(std::move(module)), function(function.str()) {}

llvm::Error Compilation::run(const std::string &pipeline) {
  registerPasses();
  auto manager = PassManager::on<ModuleOp>(module->getContext());
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (failed(parsePassPipeline(pipeline, manager, os)))
    return userError("pipeline '" + pipeline + "': " + problem);
  if (failed(manager.run(*module)))
    return userError("cannot compile @" + function + " of '" +
                     program->getPath() + "'");
  return llvm::Error::success();
}

/// Makes `name` the only public function and drops what it does not use.
llvm::Error Compilation::keepOnly(const std::string &name) {
  for (auto candidate : module->getOps<func::FuncOp>())
    if (candidate.getName() != name)
      candidate.setPrivate();
  function = name;
  return run("symbol-dce");
}

func::FuncOp Compilation::getFunction() {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *module, StringAttr::get(module->getContext(), function));
}

llvm::Expected<Compilation> Compilation::create(Program &program,
                                                StringRef function,
                                                std::optional<int64_t> batch) {
  Compilation compilation(program, program.getModule().clone(), function);
  if (llvm::Error error = compilation.keepOnly(function.str()))
    return error;
  std::string options =
      batch ? llvm::formatv("{{batch={0}}", *batch).str() : std::string();
  if (llvm::Error error = compilation.run("cma-specialize" + options))
    return error;
  return compilation;
}

llvm::Expected<PlanCosts> Compilation::plan(StringRef wanted) {
  llvm::Expected<TemporaryReport> report = TemporaryReport::create();
  if (!report)
    return report.takeError();
  llvm::Expected<std::string> path = quoteOption(report->getPath());
  if (!path)
    return path.takeError();
  if (llvm::Error error = run(
          llvm::formatv("cma-expand-layers,cma-plan-contractions{{wanted={0} "
                        "report={1}}",
                        wanted, *path)
              .str()))
    return error;
  return report->readCosts();
}

llvm::Error Compilation::buildStep(const StepOptions &options) {
  if (llvm::Error error =
          run(llvm::formatv("cma-differentiate{{function={0}},"
                            "cma-build-train-step{{function={0} momentum={1} "
                            "weight-decay={2}}",
                            function, options.momentum, options.weightDecay)
                  .str()))
    return error;
  return keepOnly(function + "_step");
}

llvm::Error Compilation::differentiate(ArrayRef<std::string> wanted) {
  llvm::Expected<std::string> names = quoteOption(llvm::join(wanted, ","));
  if (!names)
    return names.takeError();
  std::string option = wanted.empty() ? "" : " wanted=" + *names;
  if (llvm::Error error = run(
          llvm::formatv("cma-differentiate{{function={0}{1}}", function, option)
              .str()))
    return error;
  return keepOnly(function + "_backward");
}

llvm::Expected<std::unique_ptr<CompiledModule>> Compilation::compile() {
  if (llvm::Error error = run("cma-to-cpu"))
    return error;
  return CompiledModule::create(*module);
}
