//===- GradCommand.cpp - cma-run grad -------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file differentiates one function at the tensors of a file.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "Compile.h"
#include "ExitCode.h"
#include "FunctionCall.h"
#include "llvm/ADT/StringExtras.h"

using namespace cma;
using namespace cma::run;
using llvm::StringRef;

static constexpr StringRef kCotangent = "cotangent";

/// Position of the argument that `text` names, or counts.
static std::optional<size_t> findWanted(const FunctionInfo &function,
                                        StringRef text) {
  for (auto [i, argument] : llvm::enumerate(function.arguments))
    if (argument.name == text)
      return i;
  size_t position;
  if (text.getAsInteger(10, position) || position >= function.arguments.size())
    return std::nullopt;
  return position;
}

/// The positions in --wanted, as text; none for the default.
static llvm::Expected<std::vector<std::string>>
parseWanted(const FunctionInfo &function, StringRef text) {
  std::vector<std::string> positions;
  if (text.empty())
    return positions;
  llvm::SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    std::optional<size_t> position = findWanted(function, name);
    if (!position) {
      auto known = llvm::map_range(
          function.arguments, [](const ArgumentInfo &a) { return a.name; });
      return userError("--wanted: @" + function.name + " has no argument '" +
                       name + "'; it has: " + llvm::join(known, ", "));
    }
    const ArgumentInfo &argument = function.arguments[*position];
    if (!isFloat(argument.type))
      return userError("--wanted: expected a floating argument, got '" + name +
                       "', a " + describe(argument.type, argument.shape));
    std::string number = std::to_string(*position);
    if (llvm::is_contained(positions, number))
      return userError("--wanted: '" + name + "' is there twice");
    positions.push_back(number);
  }
  return positions;
}

/// Sets the cotangent of the differentiated result, which is the argument that
/// cma-differentiate appends: 1 for a scalar, else the input of that name.
static llvm::Error setCotangent(Kernel &kernel, const CallInputs &inputs,
                                const FunctionInfo &backward) {
  int position = kernel.getNumArguments() - 1;
  void *data = kernel.getArgumentData(position);
  const ArgumentInfo &argument = backward.arguments[position];
  if (!argument.shape.empty()) {
    if (const TensorInfo *tensor = inputs.find(argument, position))
      return inputs.read(*tensor, kernel.getArgument(position), data);
    return userError(quoteForMessage(inputs.getPath()) +
                     ": expected a tensor " + quoteForMessage(argument.name) +
                     ", since the differentiated result is no scalar: " +
                     describe(argument.type, argument.shape));
  }
  writeFloat(argument.type, data, 1);
  return llvm::Error::success();
}

/// Results keep their position as a name; gradients are grad.<argument>.
static std::vector<std::string> nameResults(const FunctionInfo &backward) {
  std::vector<std::string> names;
  for (auto [i, result] : llvm::enumerate(backward.results))
    names.push_back(result.gradient.empty() ? std::to_string(i)
                                            : "grad." + result.gradient);
  return names;
}

static llvm::Error differentiate(const CallOptions &options,
                                 StringRef wantedNames) {
  auto target = CallTarget::open(options);
  if (!target)
    return target.takeError();
  const FunctionInfo &info = target->info;
  const CallInputs &inputs = target->inputs;
  auto wanted = parseWanted(info, wantedNames);
  if (!wanted)
    return wanted.takeError();
  auto batch = inputs.match(info, kCotangent);
  if (!batch)
    return batch.takeError();

  auto compilation = Compilation::create(*target->program, info.name, *batch);
  if (!compilation)
    return compilation.takeError();
  bool byParameters = wanted->empty() &&
                      llvm::any_of(info.arguments, [](const ArgumentInfo &a) {
                        return a.isTrained();
                      });
  if (auto costs = compilation->plan(byParameters ? "auto" : "all"); !costs)
    return costs.takeError();
  if (llvm::Error error = compilation->differentiate(*wanted))
    return error;
  auto backward = FunctionInfo::get(compilation->getFunction());
  if (!backward)
    return backward.takeError();
  auto code = compilation->compile();
  if (!code)
    return code.takeError();
  SharedWorkspace workspace;
  auto kernel = Kernel::create(std::move(*code), backward->name, workspace);
  if (!kernel)
    return kernel.takeError();
  if (llvm::Error error = setCotangent(*kernel, inputs, *backward))
    return error;
  if (llvm::Error error = runOnInputs(*kernel, inputs, info))
    return error;
  return writeResults(options.outputs, *kernel, nameResults(*backward));
}

llvm::Error cma::run::runGrad(Arguments arguments) {
  CallOptions options;
  std::string wanted;
  CommandLine line(
      "grad",
      "Differentiates a function of FILE.mlir: its loss, else its "
      "only floating result.\nInputs are as for call, and a tensor "
      "'cotangent' where that result is no scalar.\nGradients are "
      "named grad.<argument>.",
      "FILE.mlir");
  options.addFiles(line, "where results and gradients go");
  options.addFunction(line);
  line.text("wanted", "NAMES",
            "arguments to differentiate by, with commas (the parameters, "
            "else all floating ones)",
            wanted);
  options.addThreads(line);
  auto go = parseArguments(line, arguments);
  if (!go || !*go)
    return go.takeError();
  options.file = line.getFile();
  return differentiate(options, wanted);
}
