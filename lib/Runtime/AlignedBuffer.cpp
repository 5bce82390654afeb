//===- AlignedBuffer.cpp - Memory of a compiled function ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file allocates aligned memory and reads the process's memory counter.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/AlignedBuffer.h"

#include "cma/Runtime/Entry.h"
#include <cstring>
#include <sys/resource.h>

using namespace cma;

StatusOr<AlignedBuffer> AlignedBuffer::create(uint64_t bytes) {
  constexpr uint64_t alignment = CMA_BUFFER_ALIGNMENT;
  constexpr uint64_t limit = uint64_t(1) << 47; // a process's address space
  void *pointer = nullptr;
  if (bytes <= limit) {
    uint64_t rounded = (bytes / alignment + 1) * alignment;
    pointer = std::aligned_alloc(alignment, rounded);
  }
  if (!pointer)
    return Status::error("cannot allocate " + std::to_string(bytes) +
                         " bytes of memory");
  std::memset(pointer, 0, bytes);
  AlignedBuffer buffer;
  buffer.memory.reset(pointer);
  buffer.bytes = bytes;
  return StatusOr<AlignedBuffer>(std::move(buffer));
}

uint64_t cma::getPeakResidentBytes() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux: KiB
}
