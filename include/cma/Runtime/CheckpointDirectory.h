//===- CheckpointDirectory.h - The files of one training run ----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a directory of checkpoints, one safetensors file each:
//
//   step-00000042.safetensors             after 42 steps
//   step-00000042.safetensors.tmp-a1B2c3  being written
//   .lock                                 locked while a process uses the
//                                         directory; never removed
//
// A checkpoint appears whole or not at all, and is durable before an older one
// is removed. Other names are left alone.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_CHECKPOINTDIRECTORY_H
#define CMA_RUNTIME_CHECKPOINTDIRECTORY_H

#include "cma/Runtime/Safetensors.h"
#include "cma/Runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cma {

class CheckpointDirectory {
public:
  struct Entry {
    uint64_t step;
    std::string path;
  };

  /// Opens the directory, or makes it (but not the one above it), locks it
  /// until the object dies, and removes what dead processes left half written.
  /// A directory that is locked already is an error.
  static StatusOr<CheckpointDirectory> open(const std::string &path);

  CheckpointDirectory(CheckpointDirectory &&other) noexcept;
  CheckpointDirectory &operator=(CheckpointDirectory &&) = delete;
  ~CheckpointDirectory();

  const std::string &getPath() const { return path; }
  /// Path of the checkpoint after that many steps.
  std::string getFile(uint64_t step) const;

  /// All checkpoints, the newest first.
  StatusOr<std::vector<Entry>> list() const;

  /// Writes a checkpoint; one of the same step is replaced. Once it is durable,
  /// older ones are removed so that it and `keep - 1` before it stay. Newer
  /// ones, which a run only passes by when it could not read them, are left
  /// alone. `keep` is at least 1.
  Status write(uint64_t step, std::vector<TensorView> tensors,
               const std::map<std::string, std::string> &metadata,
               uint64_t keep) const;

private:
  CheckpointDirectory(std::string path, int lock)
      : path(std::move(path)), lock(lock) {}
  Status removeTemporaries() const;

  std::string path;
  int lock; ///< Descriptor of the lock file.
};

} // namespace cma

#endif // CMA_RUNTIME_CHECKPOINTDIRECTORY_H
