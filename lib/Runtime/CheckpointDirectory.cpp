//===- CheckpointDirectory.cpp - The files of one training run ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements CheckpointDirectory on POSIX calls.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/CheckpointDirectory.h"

#include "Files.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cma;

static constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors",
                                  kTemporary = ".tmp-";
static constexpr size_t kDigits = 8, kTemporaryDigits = 6;

static std::string nameOf(uint64_t step) {
  std::string digits = std::to_string(step);
  if (digits.size() < kDigits)
    digits.insert(0, kDigits - digits.size(), '0');
  return std::string(kPrefix) + digits + std::string(kSuffix);
}

/// The step of a checkpoint's name; only what nameOf() makes is one.
static std::optional<uint64_t> stepOf(std::string_view name) {
  uint64_t step = 0;
  for (char c : name.substr(std::min(kPrefix.size(), name.size()))) {
    unsigned digit = static_cast<unsigned char>(c) - '0';
    if (digit > 9)
      break;
    if (__builtin_mul_overflow(step, 10, &step) ||
        __builtin_add_overflow(step, digit, &step))
      return std::nullopt;
  }
  if (name != nameOf(step))
    return std::nullopt;
  return step;
}

/// Whether AtomicFile gave the name to a checkpoint that it was writing.
static bool isTemporary(std::string_view name) {
  size_t tail = kTemporary.size() + kTemporaryDigits;
  return name.size() > tail &&
         name.substr(name.size() - tail, kTemporary.size()) == kTemporary &&
         stepOf(name.substr(0, name.size() - tail));
}

/// The names in a directory, sorted.
static StatusOr<std::vector<std::string>>
readNames(const std::string &directory) {
  DIR *stream = opendir(directory.c_str());
  if (!stream)
    return systemError("read", directory);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent *entry = readdir(stream)) {
    names.push_back(entry->d_name);
    errno = 0;
  }
  int reason = errno;
  closedir(stream);
  errno = reason;
  if (reason != 0)
    return systemError("read", directory);
  std::sort(names.begin(), names.end());
  return names;
}

/// Makes the directory where there is nothing of that name.
static Status makeDirectory(const std::string &path) {
  if (mkdir(path.c_str(), 0777) == 0) {
    if (!syncDirectory(directoryOf(path)))
      return systemError("sync the directory of", path);
    return Status::success();
  }
  struct stat info;
  if (errno != EEXIST || stat(path.c_str(), &info) != 0)
    return systemError("make directory", path);
  if (!S_ISDIR(info.st_mode))
    return Status::error(quoteForMessage(path) + ": expected a directory");
  return Status::success();
}

CheckpointDirectory::CheckpointDirectory(CheckpointDirectory &&other) noexcept
    : path(std::move(other.path)), lock(other.lock) {
  other.lock = -1;
}

CheckpointDirectory::~CheckpointDirectory() {
  if (lock >= 0)
    close(lock);
}

StatusOr<CheckpointDirectory>
CheckpointDirectory::open(const std::string &name) {
  std::string path = name;
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  if (path.empty() || path.find('\0') != std::string::npos)
    return Status::error("expected the name of a directory, got " +
                         quoteForMessage(path));
  if (Status status = makeDirectory(path); status.failed())
    return status;
  std::string lockPath = path + "/.lock";
  int fd = retryInterrupted([&] {
    return ::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                  0666);
  });
  if (fd < 0)
    return systemError("open", lockPath);
  CheckpointDirectory directory(path, fd);
  // The kernel drops the lock when the process ends, however it ends.
  if (retryInterrupted([&] { return flock(fd, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno == EWOULDBLOCK)
      return Status::error(quoteForMessage(path) +
                           ": another process is using the directory");
    return systemError("lock", lockPath);
  }
  if (Status status = directory.removeTemporaries(); status.failed())
    return status;
  return StatusOr<CheckpointDirectory>(std::move(directory));
}

/// Whoever holds the lock is the only one that writes.
Status CheckpointDirectory::removeTemporaries() const {
  StatusOr<std::vector<std::string>> names = readNames(path);
  if (names.failed())
    return names.getStatus();
  for (const std::string &name : *names) {
    std::string file = path + "/" + name;
    if (isTemporary(name) && unlink(file.c_str()) != 0 && errno != ENOENT)
      return systemError("remove", file);
  }
  return Status::success();
}

std::string CheckpointDirectory::getFile(uint64_t step) const {
  return path + "/" + nameOf(step);
}

StatusOr<std::vector<CheckpointDirectory::Entry>>
CheckpointDirectory::list() const {
  StatusOr<std::vector<std::string>> names = readNames(path);
  if (names.failed())
    return names.getStatus();
  std::vector<Entry> entries;
  for (const std::string &name : *names)
    if (std::optional<uint64_t> step = stepOf(name))
      entries.push_back({*step, getFile(*step)});
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.step > b.step; });
  return entries;
}

Status
CheckpointDirectory::write(uint64_t step, std::vector<TensorView> tensors,
                           const std::map<std::string, std::string> &metadata,
                           uint64_t keep) const {
  std::string file = getFile(step);
  // Writing into a pipe would wait for a reader.
  struct stat info;
  if (stat(file.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return Status::error("cannot write " + quoteForMessage(file) +
                         ": expected a regular file in its place");
  if (Status status = writeSafetensors(file, std::move(tensors), metadata);
      status.failed())
    return status;
  StatusOr<std::vector<Entry>> entries = list();
  if (entries.failed())
    return entries.getStatus();
  uint64_t kept = 0;
  for (const Entry &entry : *entries) {
    if (entry.step > step || kept++ < keep)
      continue;
    if (unlink(entry.path.c_str()) != 0 && errno != ENOENT)
      return systemError("remove", entry.path);
  }
  return Status::success();
}
