//===- Differentiated.h - A function and its gradient, compiled -*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the gradient tests call: the function @f of a module
// and the @f_backward that cma-differentiate makes of it.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_GRADIENTS_DIFFERENTIATED_H
#define CMA_UNITTESTS_GRADIENTS_DIFFERENTIATED_H

#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/Runtime/AlignedBuffer.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace cma::test {

/// The buffers of one entry and the call on them.
class Invocation {
public:
  explicit Invocation(const cma_entry *entry);

  const cma_buffer_info &info(int buffer) const {
    return entry->buffers[buffer];
  }
  int getNumArguments() const { return entry->num_arguments; }
  int getNumBuffers() const { return entry->num_buffers; }
  /// The buffer of a result.
  int resultBuffer(int result) const { return entry->result_buffers[result]; }

  int64_t elements(int buffer) const;
  template <typename T>
  T *data(int buffer) {
    return buffers[buffer].as<T>();
  }
  /// Adds a test failure where the entry reports one.
  void call();

private:
  const cma_entry *entry;
  std::vector<AlignedBuffer> buffers;
  AlignedBuffer workspace;
};

class Differentiated {
public:
  /// Plans, differentiates and compiles `text`, a module whose public function
  /// is @f. Adds a test failure where that fails.
  explicit Differentiated(llvm::StringRef text);

  explicit operator bool() const { return forward && backward; }
  Invocation makeForward() const { return Invocation(forward); }
  Invocation makeBackward() const { return Invocation(backward); }

private:
  std::unique_ptr<CompiledModule> module;
  const cma_entry *forward = nullptr;
  const cma_entry *backward = nullptr;
};

} // namespace cma::test

#endif // CMA_UNITTESTS_GRADIENTS_DIFFERENTIATED_H
