//===- Files.cpp - Helpers on POSIX files ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements what the library's own file classes share.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace cma;

Status cma::systemError(const char *action, const std::string &path) {
  return Status::error("cannot " + std::string(action) + " '" + path +
                       "': " + strerror(errno));
}

std::string cma::directoryOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool cma::syncDirectory(const std::string &path) {
  int fd = retryInterrupted(
      [&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (fd < 0)
    return false;
  int result = retryInterrupted([&] { return fsync(fd); });
  int reason = errno;
  close(fd);
  errno = reason;
  return result == 0 || reason == EINVAL;
}
