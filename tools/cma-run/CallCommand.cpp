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
#include "ExitCode.h"
#include "FunctionCall.h"
#include "ModelSession.h"

using namespace cma;
using namespace cma::run;

namespace {
struct Options {
  std::string file, function, inputs, outputs;
  int64_t threads = 0;
};
} // namespace

static llvm::Error call(const Options &options) {
  if (llvm::Error error = checkWritable(options.outputs))
    return error;
  auto threads = setThreads(options.threads);
  if (!threads)
    return threads.takeError();
  auto program = Program::load(options.file);
  if (!program)
    return program.takeError();
  auto function = (*program)->findFunction(options.function);
  if (!function)
    return function.takeError();
  auto info = FunctionInfo::get(*function);
  if (!info)
    return info.takeError();
  auto inputs = CallInputs::open(options.inputs);
  if (!inputs)
    return inputs.takeError();
  auto batch = inputs->match(*info);
  if (!batch)
    return batch.takeError();

  auto compilation = Compilation::create(**program, info->name, *batch);
  if (!compilation)
    return compilation.takeError();
  if (auto costs = compilation->plan("result"); !costs)
    return costs.takeError();
  auto code = compilation->compile();
  if (!code)
    return code.takeError();
  SharedWorkspace workspace;
  auto kernel = Kernel::create(std::move(*code), info->name, workspace);
  if (!kernel)
    return kernel.takeError();
  if (llvm::Error error = runOnInputs(*kernel, *inputs, *info))
    return error;
  std::vector<std::string> names;
  for (int i = 0; i < kernel->getNumResults(); ++i)
    names.push_back(std::to_string(i));
  return writeResults(options.outputs, *kernel, names);
}

llvm::Error cma::run::runCall(Arguments arguments) {
  Options options;
  CommandLine line("call",
                   "Calls a function of FILE.mlir, at any stage down to linalg "
                   "on tensors.\nInputs go to arguments by cma.name, else by "
                   "position (\"0\", \"1\", ...); results\nare named by "
                   "position.",
                   "FILE.mlir");
  line.required("inputs", "FILE", "the arguments (safetensors)", options.inputs)
      .required("outputs", "FILE", "where the results go", options.outputs)
      .text("function", "NAME",
            "which function (the only public one, or the one with a loss)",
            options.function)
      .integer("threads", "threads to compute with (all)", options.threads, 1,
               1024);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  options.file = line.getFile();
  return call(options);
}
