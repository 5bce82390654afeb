//===- SafetensorsMutationTest.cpp - Random damage to safetensors ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever happens to the bytes, the reader refuses the file or reads it
// within its bounds. Under the sanitizers a bad access fails the test.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"
#include "cma/Runtime/Safetensors.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace cma;
using namespace cma::test;

/// A header with every construct of the format.
static std::string originalHeader() {
  return R"({"__metadata__":{"cma.model":"digits","k":"\u00e9"},)"
         R"("layer.core0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]},)"
         R"("flag":{"dtype":"BOOL","shape":[3],"data_offsets":[24,27]},)"
         R"("none":{"dtype":"F64","shape":[0,5],"data_offsets":[27,27]},)"
         R"("step":{"dtype":"I64","shape":[],"data_offsets":[27,35]}}     )";
}
static constexpr size_t kDataSize = 35;

/// Damages 1 to 4 places: a changed bit, a random byte, a character that means
/// something in the format, a removed, doubled or exchanged stretch.
static void mutate(std::string &text, std::mt19937_64 &random) {
  static constexpr char kTokens[] = "{}[]\",:0123456789-.e \\u\0\xff";
  auto below = [&random](size_t n) { return random() % n; };
  for (size_t n = 1 + below(4); n != 0 && !text.empty(); --n) {
    size_t at = below(text.size());
    size_t length = 1 + below(std::min<size_t>(12, text.size() - at));
    switch (below(6)) {
    case 0:
      text[at] ^= static_cast<char>(1 << below(8));
      break;
    case 1:
      text[at] = static_cast<char>(below(256));
      break;
    case 2:
      text[at] = kTokens[below(sizeof(kTokens) - 1)];
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:
      text.insert(at, text.substr(at, length));
      break;
    case 5:
      std::swap(text[at], text[below(text.size())]);
      break;
    }
  }
}

/// What every accepted file must satisfy; reads all its tensors.
static void checkAccepted(const SafetensorsFile &file) {
  uint64_t total = 0;
  for (const TensorInfo &tensor : file.getTensors()) {
    ASSERT_EQ(countBytes(tensor.type, tensor.shape), tensor.byteCount());
    total += tensor.byteCount();
    std::vector<char> data(tensor.byteCount());
    (void)file.read(tensor, data.data()); // May refuse a BOOL.
  }
  ASSERT_LE(total, std::filesystem::file_size(file.getPath()));
}

TEST(SafetensorsMutation, DamagedHeadersNeverCrash) {
  constexpr uint64_t seed = 20261130;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string header = originalHeader();
    mutate(header, random);
    StatusOr<SafetensorsHeader> parsed =
        parseSafetensorsHeader(header, kDataSize, "f");
    accepted += parsed.ok();
    ASSERT_TRUE(parsed.ok() || parsed.message().substr(0, 5) == "'f': ");
  }
  // Damage to names and metadata is harmless; most damage is not.
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 2000);
}

TEST(SafetensorsMutation, DamagedFilesNeverCrash) {
  constexpr uint64_t seed = 7;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = makeFile(originalHeader(), kDataSize);
    mutate(bytes, random);
    if (random() % 8 == 0)
      bytes.resize(random() % (bytes.size() + 1));
    writeFile(path, bytes);
    StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
    if (file.ok())
      checkAccepted(*file);
  }
}

TEST(SafetensorsMutation, DeepNestingIsRefusedAtOnce) {
  std::string header = "{\"a\":" + std::string(1 << 20, '[');
  StatusOr<SafetensorsHeader> parsed = parseSafetensorsHeader(header, 0, "f");
  ASSERT_TRUE(parsed.failed());
  EXPECT_EQ(parsed.message(),
            "'f': tensor 'a': expected an object, got an array");
}
