//===- AtomicFile.h - Replace a file in one step ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares AtomicFile: a file appears under its name whole or not at
// all, and whoever reads the name meanwhile sees the old contents.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_ATOMICFILE_H
#define CMA_RUNTIME_ATOMICFILE_H

#include "cma/Runtime/Status.h"

#include <cstddef>
#include <string>

namespace cma {

/// Writes to a temporary name in the target's directory. commit() syncs the
/// data, renames it over the target and syncs the directory; without a
/// successful commit the destructor removes the temporary and the target stays
/// as it was. Failures name the target and the system's reason.
///
/// A target that exists and is not a regular file (/dev/null, a pipe) cannot be
/// replaced and is written to directly.
class AtomicFile {
public:
  static StatusOr<AtomicFile> create(const std::string &path);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

  Status write(const void *data, size_t size);
  Status commit();

private:
  AtomicFile(std::string path, std::string temporary, int fd);
  Status failure(const char *action) const;

  std::string path;
  std::string temporary; ///< Empty for a direct target, and after the rename.
  int fd;
};

/// Writes `contents` to `path` through an AtomicFile.
Status writeFileAtomically(const std::string &path,
                           const std::string &contents);

} // namespace cma

#endif // CMA_RUNTIME_ATOMICFILE_H
