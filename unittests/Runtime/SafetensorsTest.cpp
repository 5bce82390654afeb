//===- SafetensorsTest.cpp - Tests of reading and writing safetensors -----===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, the legal corner cases of the format, and its exact bytes.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Safetensors.h"
#include "TestFiles.h"
#include "gtest/gtest.h"
#include <vector>

using namespace cma;
using namespace cma::test;

TEST(Safetensors, RoundTrip) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.safetensors");
  std::vector<float> w = {1, 2, 3, 4, 5, 6};
  std::vector<int64_t> n = {-1};
  std::vector<uint8_t> b = {1, 0, 1};
  Status status = writeSafetensors(path,
                                   {{"b", StorageType::BOOL, {3}, b.data()},
                                    {"w", StorageType::F32, {2, 3}, w.data()},
                                    {"e", StorageType::F64, {0, 4}, nullptr},
                                    {"n", StorageType::I64, {}, n.data()}},
                                   {{"cma.model", "digits \"x\""}});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(directory.countEntries(), 1u);

  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(file->getTensors().size(), 4u);
  EXPECT_EQ(file->getMetadata().at("cma.model"), "digits \"x\"");
  const TensorInfo *info = file->find("w");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->type, StorageType::F32);
  EXPECT_EQ(info->shape, (std::vector<int64_t>{2, 3}));
  std::vector<float> w2(6);
  ASSERT_TRUE(file->read(*info, w2.data()).ok());
  EXPECT_EQ(w, w2);
  int64_t n2 = 0;
  ASSERT_TRUE(file->read(*file->find("n"), &n2).ok());
  EXPECT_EQ(n2, -1);
  std::vector<uint8_t> b2(3);
  ASSERT_TRUE(file->read(*file->find("b"), b2.data()).ok());
  EXPECT_EQ(b, b2);
  EXPECT_EQ(file->find("e")->byteCount(), 0u);
  EXPECT_EQ(file->find("x"), nullptr);
}

TEST(Safetensors, ExactBytes) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  int8_t one = 1;
  int32_t two = 2;
  ASSERT_TRUE(writeSafetensors(path, {{"a", StorageType::I8, {1}, &one},
                                      {"b", StorageType::I32, {}, &two}})
                  .ok());
  std::string header =
      R"({"b":{"dtype":"I32","shape":[],"data_offsets":[0,4]},)"
      R"("a":{"dtype":"I8","shape":[1],"data_offsets":[4,5]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string expected = makeFile(header, 0) + std::string("\2\0\0\0\1", 5);
  EXPECT_EQ(readFile(path), expected);
}

TEST(Safetensors, OrderOfTheListDoesNotShow) {
  TemporaryDirectory directory;
  float x = 1, y = 2;
  TensorView a{"a", StorageType::F32, {1}, &x},
      b{"b", StorageType::F32, {1}, &y};
  ASSERT_TRUE(writeSafetensors(directory.file("1"), {a, b}).ok());
  ASSERT_TRUE(writeSafetensors(directory.file("2"), {b, a}).ok());
  EXPECT_EQ(readFile(directory.file("1")), readFile(directory.file("2")));
}

TEST(Safetensors, EmptyFile) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  ASSERT_TRUE(writeSafetensors(path, {}).ok());
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_TRUE(file->getTensors().empty());
}

static StatusOr<SafetensorsHeader> parse(const std::string &text,
                                         uint64_t dataSize) {
  return parseSafetensorsHeader(text, dataSize, "f");
}

TEST(Safetensors, LegalCornerCases) {
  // Zero-size tensors at any shared offset, in any order.
  auto header =
      parse(R"({"z0":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
            R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
            R"("z1":{"dtype":"F32","shape":[2,0],"data_offsets":[4,4]},)"
            R"("z2":{"dtype":"F64","shape":[0],"data_offsets":[2,2]},)"
            R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
            R"("z3":{"dtype":"I8","shape":[0],"data_offsets":[8,8]}})",
            8);
  EXPECT_TRUE(header.ok()) << header.message();
  // Blanks in and after the object, fields in any order, escapes, UTF-8.
  header = parse("{ \"\\u00e9\\n\" :\n{\"data_offsets\":[0 ,2],\"shape\":[1],"
                 "\"dtype\":\"BF16\"} , \"\xc3\xa8\":{\"dtype\":\"U8\","
                 "\"shape\":[0],\"data_offsets\":[0,0]} }      ",
                 2);
  ASSERT_TRUE(header.ok()) << header.message();
  EXPECT_EQ(header->tensors[0].name, "\xc3\xa9\n");
  EXPECT_EQ(header->tensors[1].name, "\xc3\xa8");
  header = parse(R"({"__metadata__":{},"":{"dtype":"F8_E4M3","shape":[3],)"
                 R"("data_offsets":[0,3]}})",
                 3);
  EXPECT_TRUE(header.ok()) << header.message();
}

TEST(Safetensors, RefusesToWriteWhatCannotBeRead) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  float x = 1;
  auto write = [&](std::vector<TensorView> tensors) {
    return writeSafetensors(path, std::move(tensors)).message();
  };
  std::string prefix = "cannot write '" + path + "': ";
  EXPECT_EQ(
      write({{"a", StorageType::F32, {}, &x}, {"a", StorageType::F32, {}, &x}}),
      prefix + "two tensors are named 'a'");
  EXPECT_EQ(write({{"__metadata__", StorageType::F32, {}, &x}}),
            prefix + "a tensor cannot be named '__metadata__'");
  EXPECT_EQ(write({{"a", StorageType::F32, {-1}, &x}}),
            prefix + "tensor 'a': the size of shape -1 is beyond 2^63-1 bytes");
  EXPECT_NE(write({{"\xff", StorageType::F32, {}, &x}}).find("UTF-8"),
            std::string::npos);
  EXPECT_EQ(directory.countEntries(), 0u);
}
