//===- Files.h - Helpers on POSIX files -------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the library's own file classes share.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_LIB_RUNTIME_FILES_H
#define CMA_LIB_RUNTIME_FILES_H

#include "cma/Runtime/Status.h"

#include <cerrno>
#include <string>

namespace cma {

/// "cannot <action> '<path>': <reason>", by errno.
Status systemError(const char *action, const std::string &path);

/// The directory that holds `path`.
std::string directoryOf(const std::string &path);

/// Makes the entries of a directory durable. File systems that cannot do so
/// keep them in order anyway. On failure errno has the reason.
bool syncDirectory(const std::string &path);

/// Calls a function that returns -1 on failure until no signal interrupts it.
template <typename Call>
auto retryInterrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR)
    result = call();
  return result;
}

} // namespace cma

#endif // CMA_LIB_RUNTIME_FILES_H
