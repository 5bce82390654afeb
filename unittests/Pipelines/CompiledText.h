//===- CompiledText.h - Compile and call .mlir text in a test ---*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the tests of cma-to-cpu share: from text to a call on
// buffers.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_PIPELINES_COMPILEDTEXT_H
#define CMA_UNITTESTS_PIPELINES_COMPILEDTEXT_H

#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/Pipelines/Pipelines.h"
#include "cma/Runtime/AlignedBuffer.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <vector>

namespace cma::test {

/// A module given as text, compiled by cma-to-cpu.
class CompiledText {
public:
  /// Adds a test failure if the text does not compile. With `train`, options of
  /// cma-train, the text is a model, and its step is compiled.
  explicit CompiledText(llvm::StringRef text, const char *options = "",
                        const char *train = nullptr);

  explicit operator bool() const { return module != nullptr; }
  const cma_entry *lookup(llvm::StringRef function);

private:
  std::unique_ptr<CompiledModule> module;
};

/// The diagnostics of compiling `text`; empty if it compiled.
std::string compileErrors(llvm::StringRef text);

/// One call: all buffers and the workspace, filled with 0xA5 at first, so that
/// a read of memory nobody wrote shows.
class Call {
public:
  explicit Call(const cma_entry *entry);

  template <typename T>
  void set(unsigned buffer, const std::vector<T> &values) {
    expectBytes(buffer, values.size() * sizeof(T));
    std::copy(values.begin(), values.end(), buffers[buffer].as<T>());
  }
  template <typename T>
  std::vector<T> get(unsigned buffer) const {
    const T *data = buffers[buffer].as<T>();
    return {data, data + buffers[buffer].size() / sizeof(T)};
  }
  /// Runs the entry; gives the code it returned.
  int32_t run();
  const cma_status &getStatus() const { return status; }
  /// Whether nobody has written to the buffer.
  bool isUntouched(unsigned buffer) const;

private:
  void expectBytes(unsigned buffer, size_t bytes) const;

  const cma_entry *entry;
  std::vector<AlignedBuffer> buffers;
  AlignedBuffer workspace;
  cma_status status;
};

} // namespace cma::test

#endif // CMA_UNITTESTS_PIPELINES_COMPILEDTEXT_H
