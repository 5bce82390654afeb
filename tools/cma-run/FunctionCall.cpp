//===- FunctionCall.cpp - A function on tensors from a file ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file feeds functions from files.
//
//===----------------------------------------------------------------------===//

#include "FunctionCall.h"

#include "CommandLine.h"
#include "ExitCode.h"
#include "ModelSession.h"
#include "Scoring.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

void CallOptions::addFiles(CommandLine &line, std::string outputsHelp) {
  line.required("inputs", "FILE", "the arguments (safetensors)", inputs)
      .required("outputs", "FILE", std::move(outputsHelp), outputs);
}

void CallOptions::addFunction(CommandLine &line) {
  line.text("function", "NAME",
            "which function (the only public one, or the one with a loss)",
            function);
}

void CallOptions::addThreads(CommandLine &line) {
  line.integer("threads", "threads to compute with (all)", threads, 1, 1024);
}

llvm::Expected<CallTarget> CallTarget::open(const CallOptions &options) {
  if (llvm::Error error = checkDistinct(
          {{"--outputs", options.outputs}},
          {{"FILE.mlir", options.file}, {"--inputs", options.inputs}}))
    return error;
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
  return CallTarget{std::move(*program), std::move(*info), std::move(*inputs)};
}

llvm::Expected<CallInputs> CallInputs::open(const std::string &path) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  if (file.failed())
    return toError(file.getStatus());
  return CallInputs(std::move(*file));
}

const TensorInfo *CallInputs::find(const ArgumentInfo &argument,
                                   size_t position) const {
  if (const TensorInfo *tensor = file.find(argument.name))
    return tensor;
  return file.find(std::to_string(position));
}

/// Whether type, rank and all known extents agree.
static bool agrees(const TensorInfo &tensor, const ArgumentInfo &argument) {
  if (tensor.type != argument.type ||
      tensor.shape.size() != argument.shape.size())
    return false;
  for (auto [actual, expected] : llvm::zip_equal(tensor.shape, argument.shape))
    if (expected != kDynamic && actual != expected)
      return false;
  return true;
}

void CallInputs::warnAboutUnused(const FunctionInfo &function,
                                 StringRef alsoKnown) const {
  for (const TensorInfo &tensor : file.getTensors()) {
    bool used = tensor.name == alsoKnown;
    for (auto [i, argument] : llvm::enumerate(function.arguments))
      used |= find(argument, i) == &tensor;
    if (!used)
      llvm::errs() << "cma-run: warning: " << quoteForMessage(getPath())
                   << ": no argument of @" << function.name << " takes tensor "
                   << quoteForMessage(tensor.name) << '\n';
  }
}

llvm::Expected<std::optional<int64_t>>
CallInputs::match(const FunctionInfo &function, StringRef alsoKnown) const {
  std::optional<int64_t> batch;
  std::string batchName;
  std::string place = quoteForMessage(getPath()) + ": ";
  for (auto [i, argument] : llvm::enumerate(function.arguments)) {
    const TensorInfo *tensor = find(argument, i);
    if (!tensor)
      return userError(place + "no tensor " + quoteForMessage(argument.name) +
                       " for argument " + llvm::Twine(i) + " of @" +
                       function.name);
    if (!agrees(*tensor, argument))
      return userError(place + "tensor " + quoteForMessage(tensor->name) +
                       ": expected " + describe(argument.type, argument.shape) +
                       ", got " + describe(tensor->type, tensor->shape));
    if (argument.shape.empty() || argument.shape.front() != kDynamic)
      continue;
    int64_t extent = tensor->shape.front();
    if (batch && *batch != extent)
      return userError(place + "tensors " + quoteForMessage(batchName) +
                       " and " + quoteForMessage(tensor->name) +
                       ": expected one extent for the '?' of @" +
                       function.name + ", got " + llvm::Twine(*batch) +
                       " and " + llvm::Twine(extent));
    batch = extent;
    batchName = tensor->name;
  }
  warnAboutUnused(function, alsoKnown);
  return batch;
}

llvm::Error CallInputs::read(const TensorInfo &tensor,
                             const cma_buffer_info &buffer, void *to) const {
  std::vector<int64_t> shape(buffer.shape, buffer.shape + buffer.rank);
  StorageType type = *getStorageType(buffer.dtype);
  if (tensor.type != type || tensor.shape != shape)
    return userError(quoteForMessage(getPath()) + ": tensor " +
                     quoteForMessage(tensor.name) + ": expected " +
                     describe(type, shape) + ", got " +
                     describe(tensor.type, tensor.shape));
  return toError(file.read(tensor, to));
}

/// The tensor that a failed call complains about, for its message.
static llvm::Expected<std::optional<HostTensor>>
findOffender(const cma_status &status, const CallInputs &inputs,
             const FunctionInfo &function) {
  std::optional<HostTensor> offender;
  for (auto [i, argument] : llvm::enumerate(function.arguments)) {
    if (!status.argument || argument.name != status.argument)
      continue;
    const TensorInfo *info = inputs.find(argument, i);
    auto tensor = HostTensor::create(info->name, info->type, info->shape);
    if (!tensor)
      return tensor.takeError();
    offender = std::move(*tensor);
    break;
  }
  return offender;
}

llvm::Error cma::run::runOnInputs(Kernel &kernel, const CallInputs &inputs,
                                  const FunctionInfo &function) {
  for (auto [i, argument] : llvm::enumerate(function.arguments))
    if (llvm::Error error =
            inputs.read(*inputs.find(argument, i), kernel.getArgument(i),
                        kernel.getArgumentData(i)))
      return error;
  cma_status status = kernel.run();
  if (status.code == CMA_STATUS_OK)
    return llvm::Error::success();
  auto offender = findOffender(status, inputs, function);
  if (!offender)
    return offender.takeError();
  return describeFailure(status, inputs.getPath(),
                         *offender ? &**offender : nullptr, {});
}

llvm::Error cma::run::writeResults(const std::string &path,
                                   const Kernel &kernel,
                                   const std::vector<std::string> &names) {
  std::vector<TensorView> views;
  for (auto [i, name] : llvm::enumerate(names))
    views.push_back({name, kernel.getResultType(i), kernel.getResultShape(i),
                     kernel.getResultData(i)});
  return toError(writeSafetensors(path, std::move(views)));
}
