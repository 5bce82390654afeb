//===- TestFiles.h - Temporary directories and hand-made files --*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of the runtime's tests.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_UNITTESTS_RUNTIME_TESTFILES_H
#define CMA_UNITTESTS_RUNTIME_TESTFILES_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace cma::test {

/// A directory of its own, removed at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cma-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }

  std::string file(const std::string &name) const { return path + "/" + name; }

  /// Names of all entries, to see that no temporary was left.
  size_t countEntries() const {
    return std::distance(std::filesystem::directory_iterator(path),
                         std::filesystem::directory_iterator());
  }

  std::string path;
};

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The bytes of a file with this header and `dataSize` zero bytes.
inline std::string makeFile(const std::string &header, size_t dataSize) {
  uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(dataSize, '\0');
}

} // namespace cma::test

#endif // CMA_UNITTESTS_RUNTIME_TESTFILES_H
