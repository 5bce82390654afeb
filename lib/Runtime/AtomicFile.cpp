//===- AtomicFile.cpp - Replace a file in one step ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements AtomicFile on POSIX calls.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/AtomicFile.h"

#include "Files.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cma;

/// The mode a plain open(O_CREAT, 0666) would have given.
static mode_t defaultMode() {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Renaming over a symbolic link would replace the link; follow it instead.
static std::string resolveLink(const std::string &path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode))
    return path;
  char *real = realpath(path.c_str(), nullptr);
  if (!real)
    return path;
  std::string result(real);
  free(real);
  return result;
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int fd)
    : path(std::move(path)), temporary(std::move(temporary)), fd(fd) {}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      fd(other.fd) {
  other.fd = -1;
  other.temporary.clear();
}

AtomicFile::~AtomicFile() {
  if (fd >= 0)
    close(fd);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

Status AtomicFile::failure(const char *action) const {
  return systemError(action, path);
}

StatusOr<AtomicFile> AtomicFile::create(const std::string &name) {
  if (name.empty() || name.find('\0') != std::string::npos)
    return Status::error("expected a file name, got '" + name + "'");
  std::string path = resolveLink(name);
  struct stat info;
  bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return systemError("write", path);
  }
  if (exists && !S_ISREG(info.st_mode)) {
    int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0)
      return systemError("write", path);
    return AtomicFile(path, "", fd);
  }
  // A rename would replace even a file that its owner protected.
  if (exists && access(path.c_str(), W_OK) != 0)
    return systemError("write", path);
  std::string temporary;
  int fd = retryInterrupted([&] {
    temporary = path + ".tmp-XXXXXX";
    return mkstemp(temporary.data());
  });
  if (fd < 0)
    return systemError("write", path);
  AtomicFile file(path, temporary, fd);
  // mkstemp makes the file private; an existing file keeps its own mode.
  if (fchmod(fd, exists ? info.st_mode & 07777 : defaultMode()) != 0)
    return systemError("write", path);
  return StatusOr<AtomicFile>(std::move(file));
}

Status AtomicFile::write(const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size != 0) {
    // Linux writes at most 2 GiB at a time.
    ssize_t written = retryInterrupted(
        [&] { return ::write(fd, next, std::min(size, size_t(1) << 30)); });
    if (written == 0)
      errno = EIO; // No progress and no reason given.
    if (written <= 0)
      return failure("write");
    next += written;
    size -= static_cast<size_t>(written);
  }
  return Status::success();
}

Status AtomicFile::commit() {
  bool direct = temporary.empty();
  if (!direct && retryInterrupted([&] { return fsync(fd); }) != 0)
    return failure("sync");
  int result = close(fd);
  fd = -1;
  // A signal does not keep Linux from closing the file.
  if (result != 0 && errno != EINTR)
    return failure("close");
  if (direct)
    return Status::success();
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return failure("replace");
  temporary.clear();
  // The rename itself has to survive a crash.
  if (!syncDirectory(directoryOf(path)))
    return failure("sync the directory of");
  return Status::success();
}

Status cma::writeFileAtomically(const std::string &path,
                                const std::string &contents) {
  StatusOr<AtomicFile> file = AtomicFile::create(path);
  if (file.failed())
    return file.getStatus();
  if (Status status = file->write(contents.data(), contents.size());
      status.failed())
    return status;
  return file->commit();
}
