//===- Safetensors.h - Strict reading and writing of safetensors *- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A safetensors file is a little-endian 64-bit header length, a JSON object,
// and the tensors' bytes, dense and row-major:
//
//   {"__metadata__": {"key": "text", ...},
//    "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// The reader is strict. A file is refused, before memory for any tensor is
// allocated, unless the header is at most 100,000,000 bytes of valid UTF-8 JSON
// that starts with '{' (blanks may follow the object), no key is there twice,
// every field is known, has the right type and fits in 63 bits, every tensor's
// offsets span exactly its shape's bytes within the file, and the non-empty
// tensors cover the data without overlap, hole or rest. A zero-size tensor may
// have any offset within the data; a shape may be [].
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_SAFETENSORS_H
#define CMA_RUNTIME_SAFETENSORS_H

#include "cma/Runtime/Status.h"
#include "cma/Runtime/StorageType.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cma {

/// Longest header that is read, in bytes; the limit of the reference
/// implementation.
constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

/// What a header says about one tensor.
struct TensorInfo {
  std::string name;
  StorageType type = StorageType::F32;
  std::vector<int64_t> shape;
  /// Bytes [begin, end) of the data that follows the header.
  uint64_t begin = 0, end = 0;

  uint64_t byteCount() const { return end - begin; }
};

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors; ///< In the order of the header.
  std::map<std::string, std::string> metadata;
};

/// Parses and checks a header's JSON text. `dataSize` is the number of bytes
/// behind it, `file` is named in the message.
StatusOr<SafetensorsHeader> parseSafetensorsHeader(std::string_view text,
                                                   uint64_t dataSize,
                                                   const std::string &file);

/// An open file whose header has been checked.
class SafetensorsFile {
public:
  static StatusOr<SafetensorsFile> open(const std::string &path);

  SafetensorsFile(SafetensorsFile &&other) noexcept;
  SafetensorsFile &operator=(SafetensorsFile &&) = delete;
  ~SafetensorsFile();

  const std::string &getPath() const { return path; }
  const std::vector<TensorInfo> &getTensors() const { return header.tensors; }
  const std::map<std::string, std::string> &getMetadata() const {
    return header.metadata;
  }
  /// The tensor of that name, or null.
  const TensorInfo *find(std::string_view name) const;

  /// Reads a whole tensor into byteCount() bytes at `to`. Also refuses a BOOL
  /// that is neither 0 nor 1.
  Status read(const TensorInfo &tensor, void *to) const;

private:
  SafetensorsFile(std::string path, int fd) : path(std::move(path)), fd(fd) {}
  Status readHeader();

  std::string path;
  int fd;
  uint64_t dataStart = 0;
  SafetensorsHeader header;
};

/// A tensor to write; `data` has countBytes(type, shape) bytes.
struct TensorView {
  std::string name;
  StorageType type = StorageType::F32;
  std::vector<int64_t> shape;
  const void *data = nullptr;
};

/// Writes a file atomically (AtomicFile.h). Equal contents give equal bytes:
/// tensors are ordered by element size, largest first, then by name, so that
/// each starts at a multiple of its element size; the header is padded with
/// blanks so that the data starts at a multiple of 8. Refuses a name that is
/// there twice, is `__metadata__` or is not UTF-8.
Status
writeSafetensors(const std::string &path, std::vector<TensorView> tensors,
                 const std::map<std::string, std::string> &metadata = {});

/// `text` in single quotes for a message; control characters are escaped and
/// long texts shortened.
std::string quoteForMessage(std::string_view text);

} // namespace cma

#endif // CMA_RUNTIME_SAFETENSORS_H
