//===- CallCommand.cpp - cma-run call -------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file calls one function on the tensors of a file.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "Compile.h"
#include "FunctionCall.h"

using namespace cma;
using namespace cma::run;

static llvm::Error call(const CallOptions &options) {
  auto target = CallTarget::open(options);
  if (!target)
    return target.takeError();
  const FunctionInfo &info = target->info;
  auto batch = target->inputs.match(info);
  if (!batch)
    return batch.takeError();

  auto compilation = Compilation::create(*target->program, info.name, *batch);
  if (!compilation)
    return compilation.takeError();
  if (auto costs = compilation->plan("result"); !costs)
    return costs.takeError();
  // Unless asked for, the types are as they are written.
  if (!options.precision.empty())
    if (llvm::Error error = compilation->assignPrecision(options.precision))
      return error;
  auto code = compilation->compile();
  if (!code)
    return code.takeError();
  SharedWorkspace workspace;
  auto kernel = Kernel::create(std::move(*code), info.name, workspace);
  if (!kernel)
    return kernel.takeError();
  if (llvm::Error error = runOnInputs(*kernel, target->inputs, info))
    return error;
  std::vector<std::string> names;
  for (int i = 0; i < kernel->getNumResults(); ++i)
    names.push_back(std::to_string(i));
  return writeResults(options.outputs, *kernel, names);
}

llvm::Error cma::run::runCall(Arguments arguments) {
  CallOptions options;
  CommandLine line("call",
                   "Calls a function of FILE.mlir, at any stage down to linalg "
                   "on tensors.\nInputs go to arguments by cma.name, else by "
                   "position (\"0\", \"1\", ...); results\nare named by "
                   "position.",
                   "FILE.mlir");
  options.addFiles(line, "where the results go");
  options.addFunction(line);
  line.text("precision", "TYPE",
            "what contractions read: f32, tf32, f16 or bf16 (as written)",
            options.precision);
  options.addThreads(line);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  if (!options.precision.empty())
    if (llvm::Error error = checkPrecision(options.precision))
      return error;
  options.file = line.getFile();
  return call(options);
}
