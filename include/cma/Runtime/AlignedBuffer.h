//===- AlignedBuffer.h - Memory of a compiled function ----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares owned memory with the alignment that a compiled function's
// buffers and workspace need.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_ALIGNEDBUFFER_H
#define CMA_RUNTIME_ALIGNEDBUFFER_H

#include "cma/Runtime/Status.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace cma {

class AlignedBuffer {
public:
  /// An empty buffer without memory.
  AlignedBuffer() = default;

  /// `bytes` zeroed bytes at a multiple of CMA_BUFFER_ALIGNMENT. A size of 0
  /// still gives a valid address. Fails, naming the size, where there is not
  /// enough memory.
  static StatusOr<AlignedBuffer> create(uint64_t bytes);

  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }
  uint64_t size() const { return bytes; }

  template <typename T>
  T *as() {
    return static_cast<T *>(memory.get());
  }
  template <typename T>
  const T *as() const {
    return static_cast<const T *>(memory.get());
  }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> memory;
  uint64_t bytes = 0;
};

/// The largest resident memory that this process has had, in bytes; 0 if the
/// system does not say.
uint64_t getPeakResidentBytes();

} // namespace cma

#endif // CMA_RUNTIME_ALIGNEDBUFFER_H
