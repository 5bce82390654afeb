//===- FunctionCall.h - A function on tensors from a file -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what call and grad share: inputs that are matched to the
// arguments of a function, and the way from a call to an output file.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_FUNCTIONCALL_H
#define CMA_TOOLS_CMA_RUN_FUNCTIONCALL_H

#include "FunctionInfo.h"
#include "HostTensor.h"
#include "Kernel.h"
#include "Program.h"
#include "cma/Runtime/Safetensors.h"
#include <optional>

namespace cma::run {

class CommandLine;

/// What both commands take.
struct CallOptions {
  std::string file, function, inputs, outputs;
  std::string precision; ///< A policy; empty: the types as they are written.
  int64_t threads = 0;

  /// The options' places in the help text: files first, the rest at the end.
  void addFiles(CommandLine &line, std::string outputsHelp);
  void addFunction(CommandLine &line);
  void addThreads(CommandLine &line);
};

/// The tensors of an input file.
class CallInputs {
public:
  static llvm::Expected<CallInputs> open(const std::string &path);

  /// The tensor for an argument, by its name, else by its position, or null.
  const TensorInfo *find(const ArgumentInfo &argument, size_t position) const;

  /// Checks that every argument has a tensor of its type and known extents. The
  /// result is the common first extent of the inputs of arguments whose first
  /// extent is `?`, none where there are no such. Tensors that no argument
  /// takes are a warning, but for one named `alsoKnown`.
  llvm::Expected<std::optional<int64_t>>
  match(const FunctionInfo &function, llvm::StringRef alsoKnown = "") const;

  /// Reads the tensor of an argument into a kernel's buffer.
  llvm::Error read(const TensorInfo &tensor, const cma_buffer_info &buffer,
                   void *to) const;

  const std::string &getPath() const { return file.getPath(); }

private:
  CallInputs(SafetensorsFile file) : file(std::move(file)) {}
  void warnAboutUnused(const FunctionInfo &function,
                       llvm::StringRef alsoKnown) const;

  SafetensorsFile file;
};

/// The function to call and what it is called on.
struct CallTarget {
  std::unique_ptr<Program> program;
  FunctionInfo info; ///< As written, with `?`.
  CallInputs inputs; ///< Not matched yet.

  /// Finds what is wrong with files and names before anything is compiled.
  static llvm::Expected<CallTarget> open(const CallOptions &options);
};

/// Reads the inputs of the first `function.arguments.size()` arguments and runs
/// the kernel.
llvm::Error runOnInputs(Kernel &kernel, const CallInputs &inputs,
                        const FunctionInfo &function);

/// Writes the results of a call under the given names.
llvm::Error writeResults(const std::string &path, const Kernel &kernel,
                         const std::vector<std::string> &names);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_FUNCTIONCALL_H
