//===- Safetensors.cpp - Strict reading and writing of safetensors --------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads and writes the bytes of safetensors files.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Safetensors.h"

#include "cma/Runtime/AtomicFile.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace cma;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "tensors are stored in little-endian order");

static constexpr uint64_t kLengthSize = 8;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

SafetensorsFile::SafetensorsFile(SafetensorsFile &&other) noexcept
    : path(std::move(other.path)), fd(other.fd), dataStart(other.dataStart),
      header(std::move(other.header)) {
  other.fd = -1;
}

SafetensorsFile::~SafetensorsFile() {
  if (fd >= 0)
    close(fd);
}

/// Reads exactly `size` bytes at `offset`.
static Status readExactly(int fd, const std::string &path, void *to,
                          uint64_t size, uint64_t offset) {
  char *next = static_cast<char *>(to);
  while (size != 0) {
    size_t chunk = std::min<uint64_t>(size, uint64_t(1) << 30);
    ssize_t got = pread(fd, next, chunk, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return Status::error("cannot read " + quoteForMessage(path) + ": " +
                           strerror(errno));
    if (got == 0)
      return Status::error(quoteForMessage(path) +
                           ": the file became shorter while it was read");
    next += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<uint64_t>(got);
  }
  return Status::success();
}

StatusOr<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return Status::error("expected a file name, got " + quoteForMessage(path));
  // Non-blocking, so that a pipe is refused instead of waited for.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return Status::error("cannot open " + quoteForMessage(path) + ": " +
                         strerror(errno));
  SafetensorsFile file(path, fd);
  if (Status status = file.readHeader(); status.failed())
    return status;
  return StatusOr<SafetensorsFile>(std::move(file));
}

Status SafetensorsFile::readHeader() {
  auto refuse = [this](const std::string &reason) {
    return Status::error(quoteForMessage(path) + ": " + reason);
  };
  struct stat info;
  if (fstat(fd, &info) != 0)
    return refuse(strerror(errno));
  if (!S_ISREG(info.st_mode))
    return refuse("expected a regular file");
  uint64_t size = static_cast<uint64_t>(info.st_size);
  if (size < kLengthSize)
    return refuse("expected at least 8 bytes for the header's length, got " +
                  std::to_string(size));
  uint64_t length;
  if (Status status = readExactly(fd, path, &length, kLengthSize, 0);
      status.failed())
    return status;
  if (length > kMaxSafetensorsHeader)
    return refuse("header length " + std::to_string(length) +
                  " exceeds the limit of " +
                  std::to_string(kMaxSafetensorsHeader));
  if (length > size - kLengthSize)
    return refuse("header length " + std::to_string(length) +
                  " goes past the end of the file, which has " +
                  std::to_string(size - kLengthSize) + " bytes after it");
  dataStart = kLengthSize + length;
  std::string text;
  try {
    text.resize(length);
  } catch (const std::exception &error) {
    return refuse(std::string("cannot read the header: ") + error.what());
  }
  if (Status status = readExactly(fd, path, text.data(), length, kLengthSize);
      status.failed())
    return status;
  StatusOr<SafetensorsHeader> parsed =
      parseSafetensorsHeader(text, size - dataStart, path);
  if (parsed.failed())
    return parsed.getStatus();
  header = std::move(*parsed);
  return Status::success();
}

const TensorInfo *SafetensorsFile::find(std::string_view name) const {
  for (const TensorInfo &tensor : header.tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

Status SafetensorsFile::read(const TensorInfo &tensor, void *to) const {
  Status status =
      readExactly(fd, path, to, tensor.byteCount(), dataStart + tensor.begin);
  if (status.failed() || tensor.type != StorageType::BOOL)
    return status;
  const auto *bytes = static_cast<const unsigned char *>(to);
  for (uint64_t i = 0; i < tensor.byteCount(); ++i)
    if (bytes[i] > 1)
      return Status::error(
          quoteForMessage(path) + ": tensor " + quoteForMessage(tensor.name) +
          ": expected 0 or 1, got " + std::to_string(bytes[i]) +
          " at position " + std::to_string(i));
  return status;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The header's text, padded; the tensors are in their final order.
static std::string
formatHeader(const std::vector<TensorView> &tensors,
             const std::map<std::string, std::string> &metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const TensorView &tensor : tensors) {
    uint64_t end = offset + *countBytes(tensor.type, tensor.shape);
    header[tensor.name] = {{"dtype", getName(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

/// What makes the list unwritable, or nothing.
static std::string checkTensors(const std::vector<TensorView> &tensors) {
  std::vector<std::string_view> names;
  uint64_t total = 0;
  for (const TensorView &tensor : tensors) {
    names.push_back(tensor.name);
    if (tensor.name == "__metadata__")
      return "a tensor cannot be named '__metadata__'";
    std::optional<uint64_t> bytes = countBytes(tensor.type, tensor.shape);
    if (!bytes || __builtin_add_overflow(total, *bytes, &total))
      return "tensor " + quoteForMessage(tensor.name) + ": the size of shape " +
             formatShape(tensor.shape) + " is beyond 2^63-1 bytes";
  }
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return "two tensors are named " + quoteForMessage(*twice);
  return "";
}

Status
cma::writeSafetensors(const std::string &path, std::vector<TensorView> tensors,
                      const std::map<std::string, std::string> &metadata) {
  auto refuse = [&path](const std::string &reason) {
    return Status::error("cannot write " + quoteForMessage(path) + ": " +
                         reason);
  };
  if (std::string reason = checkTensors(tensors); !reason.empty())
    return refuse(reason);
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorView &a, const TensorView &b) {
              size_t sizeA = getElementSize(a.type),
                     sizeB = getElementSize(b.type);
              return sizeA != sizeB ? sizeA > sizeB : a.name < b.name;
            });
  std::string text;
  try {
    text = formatHeader(tensors, metadata);
  } catch (const std::exception &error) { // Text that is not UTF-8.
    return refuse(error.what());
  }
  if (text.size() > kMaxSafetensorsHeader)
    return refuse("the header has " + std::to_string(text.size()) +
                  " bytes, more than the limit of " +
                  std::to_string(kMaxSafetensorsHeader));

  StatusOr<AtomicFile> file = AtomicFile::create(path);
  if (file.failed())
    return file.getStatus();
  uint64_t length = text.size();
  Status status = file->write(&length, kLengthSize);
  if (status.ok())
    status = file->write(text.data(), text.size());
  for (const TensorView &tensor : tensors)
    if (status.ok())
      status = file->write(tensor.data, *countBytes(tensor.type, tensor.shape));
  return status.ok() ? file->commit() : status;
}
