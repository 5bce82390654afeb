//===- Kernel.h - A compiled function and its buffers -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a function that is ready to run: its code, its entry and
// memory for all buffers of a call.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_KERNEL_H
#define CMA_TOOLS_CMA_RUN_KERNEL_H

#include "HostTensor.h"
#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/Runtime/Entry.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <vector>

namespace cma::run {

class ParameterStore;

/// Workspace of functions that never run at the same time.
class SharedWorkspace {
public:
  llvm::Error reserve(int64_t bytes);
  void *data() { return memory.data(); }
  uint64_t size() const { return memory.size(); }

private:
  AlignedBuffer memory;
};

class Kernel {
public:
  /// Takes the code of `function` and allocates its buffers. Parameters and
  /// state are those of `store`, where there is one.
  static llvm::Expected<Kernel> create(std::shared_ptr<CompiledModule> code,
                                       llvm::StringRef function,
                                       SharedWorkspace &workspace,
                                       ParameterStore *store = nullptr);

  const cma_entry &getEntry() const { return *entry; }
  int getNumArguments() const { return entry->num_arguments; }
  int getNumResults() const { return entry->num_results; }

  /// Buffer of an argument, or of a result.
  const cma_buffer_info &getArgument(int i) const { return entry->buffers[i]; }
  const cma_buffer_info &getResult(int i) const;
  void *getArgumentData(int i) { return buffers[i]; }
  const void *getResultData(int i) const;
  StorageType getResultType(int i) const;
  std::vector<int64_t> getResultShape(int i) const;

  /// Position of the first argument, or result, of that role.
  std::optional<int> findArgument(llvm::StringRef role) const;
  std::optional<int> findResult(llvm::StringRef role) const;

  /// Runs the function; the status says what was wrong with its data.
  cma_status run();

  /// Bytes of the buffers that this function alone uses.
  uint64_t getOwnBytes() const;

private:
  Kernel() = default;
  llvm::Error allocate(ParameterStore *store);

  std::shared_ptr<CompiledModule> code; ///< Other functions may be in it, too.
  const cma_entry *entry = nullptr;
  SharedWorkspace *workspace = nullptr;
  std::vector<HostTensor> owned;
  std::vector<void *> buffers;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_KERNEL_H
