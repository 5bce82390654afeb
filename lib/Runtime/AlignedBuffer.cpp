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
#include <sys/mman.h>
#include <sys/resource.h>

using namespace cma;

// The page size that the system can give for large buffers, and the smallest
// buffer that is rounded up to it: the waste is at most a quarter.
static constexpr uint64_t kHugePage = uint64_t(1) << 21;
static constexpr uint64_t kSmallestHugeBuffer = 4 * kHugePage;

StatusOr<AlignedBuffer> AlignedBuffer::create(uint64_t bytes) {
  constexpr uint64_t limit = uint64_t(1) << 47; // a process's address space
  bool isHuge = bytes >= kSmallestHugeBuffer;
  uint64_t alignment = isHuge ? kHugePage : CMA_BUFFER_ALIGNMENT;
  void *pointer = nullptr;
  if (bytes <= limit) {
    uint64_t rounded = (bytes / alignment + 1) * alignment;
    pointer = std::aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
    // A sweep over a large buffer otherwise waits for the translation of every
    // 4 KiB of it. Advice only: where it is refused, nothing is lost.
    if (pointer && isHuge)
      madvise(pointer, rounded, MADV_HUGEPAGE);
#endif
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
