//===- Faults.cpp - File operations that fail on demand -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the C library's file functions anew. The names are given to
// the assembler, since the headers' declarations differ in noexcept and
// attributes between libraries.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

// No constructors: the functions are called before those would run.
struct {
  bool armed;
  char under[4096];
  int at, error, count;
  const char *failed, *log;
  /// Descriptors of files below `under`, and those of new files among them.
  bool files[4096], created[4096];
  DIR *directory; ///< The one that is being listed.
} gState;

template <typename Function>
Function *real(Function *, const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}
#define REAL(function, name) real(&function, name)

bool isBelow(const char *path) {
  size_t size = strlen(gState.under);
  return gState.armed && strncmp(path, gState.under, size) == 0 &&
         (path[size] == '/' || path[size] == '\0');
}

bool isOurs(int fd) {
  return gState.armed && fd >= 0 && fd < 4096 && gState.files[fd];
}

int keep(int fd, bool ours, bool created = false) {
  if (fd >= 0 && fd < 4096) {
    gState.files[fd] = ours;
    gState.created[fd] = ours && created;
  }
  return fd;
}

void writeLog();

/// Counts an operation; true where it is the one to fail, errno is then set.
bool fails(const char *operation, bool interruptible) {
  if ((gState.error == EINTR && !interruptible) || gState.failed)
    return false;
  if (gState.error == 0 && strcmp(operation, "write") != 0)
    return false;
  if (++gState.count != gState.at)
    return false;
  gState.failed = operation;
  writeLog();
  errno = gState.error;
  return true;
}

} // namespace

extern "C" {
int faultOpen(const char *, int, ...) __asm__("open");
int faultOpen64(const char *, int, ...) __asm__("open64");
int faultMkstemp(char *) __asm__("mkstemp");
int faultMkstemp64(char *) __asm__("mkstemp64");
int faultFchmod(int, mode_t) __asm__("fchmod");
ssize_t faultWrite(int, const void *, size_t) __asm__("write");
int faultFsync(int) __asm__("fsync");
int faultClose(int) __asm__("close");
int faultRename(const char *, const char *) __asm__("rename");
int faultUnlink(const char *) __asm__("unlink");
int faultMkdir(const char *, mode_t) __asm__("mkdir");
int faultFlock(int, int) __asm__("flock");
DIR *faultOpendir(const char *) __asm__("opendir");
struct dirent *faultReaddir(DIR *) __asm__("readdir");
}

static int openAs(const char *name, const char *path, int flags, mode_t mode) {
  bool ours = isBelow(path);
  if (ours && fails("open", true))
    return -1;
  return keep(REAL(faultOpen, name)(path, flags, mode), ours);
}

#define OPEN_MODE(flags, mode)                                                 \
  mode_t mode = 0;                                                             \
  if (flags & O_CREAT) {                                                       \
    va_list rest;                                                              \
    va_start(rest, flags);                                                     \
    mode = va_arg(rest, mode_t);                                               \
    va_end(rest);                                                              \
  }

int faultOpen(const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  return openAs("open", path, flags, mode);
}

int faultOpen64(const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  return openAs("open64", path, flags, mode);
}

static int mkstempAs(const char *name, char *path) {
  bool ours = isBelow(path);
  if (ours && fails("mkstemp", true))
    return -1;
  return keep(REAL(faultMkstemp, name)(path), ours, /*created=*/true);
}

int faultMkstemp(char *path) { return mkstempAs("mkstemp", path); }
int faultMkstemp64(char *path) { return mkstempAs("mkstemp64", path); }

int faultFchmod(int fd, mode_t mode) {
  if (isOurs(fd) && fails("fchmod", false))
    return -1;
  return REAL(faultFchmod, "fchmod")(fd, mode);
}

ssize_t faultWrite(int fd, const void *data, size_t size) {
  if (isOurs(fd) && fails("write", true)) {
    if (gState.error != 0)
      return -1;
    size = (size + 1) / 2;
  }
  return REAL(faultWrite, "write")(fd, data, size);
}

int faultFsync(int fd) {
  if (isOurs(fd) && fails("fsync", true))
    return -1;
  return REAL(faultFsync, "fsync")(fd);
}

int faultClose(int fd) {
  // What was not written to has nothing to lose.
  bool failed = isOurs(fd) &&
                fails(gState.created[fd] ? "close" : "close unwritten", true);
  int reason = errno;
  // The file is closed in either case, as Linux does it.
  keep(fd, false);
  int result = REAL(faultClose, "close")(fd);
  if (failed)
    errno = reason;
  return failed ? -1 : result;
}

int faultRename(const char *from, const char *to) {
  if (isBelow(to) && fails("rename", false))
    return -1;
  return REAL(faultRename, "rename")(from, to);
}

int faultUnlink(const char *path) {
  if (isBelow(path) && fails("unlink", false))
    return -1;
  return REAL(faultUnlink, "unlink")(path);
}

int faultMkdir(const char *path, mode_t mode) {
  if (isBelow(path) && fails("mkdir", false))
    return -1;
  return REAL(faultMkdir, "mkdir")(path, mode);
}

int faultFlock(int fd, int operation) {
  if (isOurs(fd) && fails("flock", true))
    return -1;
  return REAL(faultFlock, "flock")(fd, operation);
}

DIR *faultOpendir(const char *path) {
  bool ours = isBelow(path);
  if (ours && fails("opendir", false))
    return nullptr;
  DIR *stream = REAL(faultOpendir, "opendir")(path);
  gState.directory = ours ? stream : nullptr;
  return stream;
}

struct dirent *faultReaddir(DIR *stream) {
  // Once a listing: its other calls are handled alike.
  if (gState.armed && stream == gState.directory) {
    gState.directory = nullptr;
    if (fails("readdir", false))
      return nullptr;
  }
  return REAL(faultReaddir, "readdir")(stream);
}

namespace {

void writeLog() {
  if (!gState.log)
    return;
  int fd =
      REAL(faultOpen, "open")(gState.log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0 ||
      REAL(faultWrite, "write")(fd, gState.failed, strlen(gState.failed)) < 0)
    abort();
  REAL(faultClose, "close")(fd);
}

/// As a preloaded library.
__attribute__((constructor)) void armFromEnvironment() {
  const char *under = getenv("CMA_FAULT_UNDER"), *at = getenv("CMA_FAULT_AT"),
             *error = getenv("CMA_FAULT_ERROR");
  if (!under || !at || !error)
    return;
  gState.log = getenv("CMA_FAULT_LOG");
  cma::test::armFaults(under, atoi(at), atoi(error));
}

} // namespace

void cma::test::armFaults(const std::string &under, int at, int error) {
  snprintf(gState.under, sizeof(gState.under), "%s", under.c_str());
  gState.at = at;
  gState.error = error;
  gState.count = 0;
  gState.failed = nullptr;
  gState.armed = true;
}

std::string cma::test::disarmFaults() {
  gState.armed = false;
  memset(gState.files, 0, sizeof(gState.files));
  return gState.failed ? gState.failed : "";
}
