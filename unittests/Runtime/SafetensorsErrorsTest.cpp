//===- SafetensorsErrorsTest.cpp - Bad safetensors files ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One hand-made file for each way in which a file can be wrong, each with its
// own message.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"
#include "cma/Runtime/Safetensors.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <vector>

using namespace cma;
using namespace cma::test;

namespace {
struct BadHeader {
  const char *header;
  size_t dataSize;
  const char *message; ///< After the file's name.
};
} // namespace

/// A tensor 'a' with these fields.
#define TENSOR(dtype, shape, offsets)                                          \
  "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets  \
  "}}"
#define TENSOR_F32(shape, offsets) TENSOR("\"F32\"", shape, offsets)

static const BadHeader kBadHeaders[] = {
    // The text as a whole.
    {"", 0, "expected the header to start with '{'"},
    {" {}", 0, "expected the header to start with '{'"},
    {"[]", 0, "expected the header to start with '{'"},
    {"{", 0, "header is not valid JSON at byte 2: "},
    {"{}x", 0, "header is not valid JSON at byte 3: "},
    {"{\"a\":}", 0, "header is not valid JSON at byte 6: "},
    {"{\"\xff\":1}", 0, "header is not valid JSON at byte 3: "},
    {"{\"\xc3\":1}", 0, "header is not valid JSON at byte 4: "},
    // Structure.
    {"{\"a\":1}", 0, "tensor 'a': expected an object, got a number"},
    {"{\"a\":null}", 0, "tensor 'a': expected an object, got null"},
    {"{\"a\":[]}", 0, "tensor 'a': expected an object, got an array"},
    {"{\"a\":{}}", 0, "tensor 'a': missing field 'dtype'"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4,
     "tensor 'a': missing field 'shape'"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", 4,
     "tensor 'a': missing field 'data_offsets'"},
    {"{\"a\":{\"dtype\":\"F32\",\"stride\":1}}", 4,
     "tensor 'a': unknown field 'stride'"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 4,
     "tensor 'a': duplicate field 'dtype'"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},"
     "\"a\":{}}",
     0, "duplicate key 'a'"},
    // Metadata.
    {"{\"__metadata__\":{\"k\":1}}", 0,
     "'__metadata__': expected a string as the value of 'k', got a number"},
    {"{\"__metadata__\":\"k\"}", 0,
     "'__metadata__': expected an object, got a string"},
    {"{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}", 0,
     "'__metadata__': duplicate key 'k'"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0,
     "duplicate key '__metadata__'"},
    // Types of fields.
    {TENSOR("\"F31\"", "[]", "[0,4]"), 4, "tensor 'a': unknown dtype 'F31'"},
    {TENSOR("4", "[]", "[0,4]"), 4,
     "tensor 'a': expected a string as 'dtype', got a number"},
    {TENSOR_F32("1", "[0,4]"), 4,
     "tensor 'a': expected an array as 'shape', got a number"},
    {TENSOR_F32("[[1]]", "[0,4]"), 4,
     "tensor 'a': expected a number in 'shape', got an array"},
    {TENSOR_F32("[\"1\"]", "[0,4]"), 4,
     "tensor 'a': expected a number in 'shape', got a string"},
    {TENSOR_F32("[true]", "[0,4]"), 4,
     "tensor 'a': expected a number in 'shape', got a boolean"},
    {TENSOR_F32("[]", "{}"), 4,
     "tensor 'a': expected an array as 'data_offsets', got an object"},
    {TENSOR_F32("[]", "[0]"), 4,
     "tensor 'a': expected 2 numbers in 'data_offsets', got 1"},
    {TENSOR_F32("[]", "[0,4,4]"), 4,
     "tensor 'a': expected 2 numbers in 'data_offsets', got more"},
    // Values.
    {TENSOR_F32("[-1]", "[0,4]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'shape', got -1"},
    {TENSOR_F32("[1.0]", "[0,4]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'shape', got "
     "'1.0'"},
    {TENSOR_F32("[9223372036854775808]", "[0,4]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'shape', got "
     "9223372036854775808"},
    {TENSOR_F32("[99999999999999999999]", "[0,4]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'shape', got "
     "'99999999999999999999'"},
    {TENSOR_F32("[]", "[0,18446744073709551616]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'data_offsets', "
     "got '18446744073709551616'"},
    {TENSOR_F32("[]", "[-4,0]"), 4,
     "tensor 'a': expected whole numbers from 0 to 2^63-1 in 'data_offsets', "
     "got -4"},
    {TENSOR_F32("[4294967296,4294967296]", "[0,4]"), 4,
     "tensor 'a': the size of shape 4294967296x4294967296 of F32 is beyond "
     "2^63-1 bytes"},
    {TENSOR_F32("[4294967296,4294967296,0]", "[0,0]"), 0,
     "tensor 'a': the size of shape 4294967296x4294967296x0 of F32 is beyond "
     "2^63-1 bytes"},
    {TENSOR_F32("[2305843009213693952]", "[0,4]"), 4,
     "tensor 'a': the size of shape 2305843009213693952 of F32 is beyond "
     "2^63-1 bytes"},
    // Offsets.
    {TENSOR_F32("[]", "[4,0]"), 4,
     "tensor 'a': data_offsets begin at 4, after their end at 0"},
    {TENSOR_F32("[2]", "[0,4]"), 4,
     "tensor 'a': data_offsets span 4 bytes, but shape 2 of F32 needs 8"},
    {TENSOR_F32("[]", "[0,4]"), 3,
     "tensor 'a': data ends at byte 4, but the file has 3 bytes of data"},
    {TENSOR_F32("[0]", "[9,9]"), 0,
     "tensor 'a': data ends at byte 9, but the file has 0 bytes of data"},
    {TENSOR_F32("[]", "[4,8]"), 8,
     "tensor 'a': data begins at byte 4 and leaves a hole from byte 0"},
    {TENSOR_F32("[]", "[0,4]"), 5,
     "trailing bytes: the tensors end at byte 4, but the file has 5 bytes of "
     "data"},
    {"{}", 1,
     "trailing bytes: the tensors end at byte 0, but the file has 1 bytes of "
     "data"},
    {"{\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[2,6]},"
     "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}",
     6,
     "tensors 'a' and 'b' overlap: the first ends at byte 4, the second begins "
     "at byte 2"},
    {"{\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},"
     "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[6,10]}}",
     10, "tensor 'a': data begins at byte 6 and leaves a hole from byte 4"},
};

TEST(SafetensorsErrors, EveryBadHeaderHasItsMessage) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  for (const BadHeader &bad : kBadHeaders) {
    writeFile(path, makeFile(bad.header, bad.dataSize));
    StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
    ASSERT_TRUE(file.failed()) << bad.header;
    // Of JSON errors only the part before the library's own words is fixed.
    std::string expected = "'" + path + "': " + bad.message;
    bool partial = expected.back() == ' ';
    EXPECT_EQ(partial ? file.message().substr(0, expected.size())
                      : file.message(),
              expected);
    if (partial) {
      EXPECT_GT(file.message().size(), expected.size());
    }
  }
}

static std::string openError(const std::string &path) {
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  return file.ok() ? "" : file.message();
}

TEST(SafetensorsErrors, FilesThatAreNoFiles) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  EXPECT_EQ(openError(path),
            "cannot open '" + path + "': No such file or directory");
  EXPECT_EQ(openError(""), "expected a file name, got ''");
  EXPECT_EQ(openError(std::string("a\0b", 3)),
            "expected a file name, got 'a\\x00b'");
  EXPECT_EQ(openError(directory.path),
            "'" + directory.path + "': expected a regular file");
  std::string pipe = directory.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(openError(pipe), "'" + pipe + "': expected a regular file");
}

TEST(SafetensorsErrors, HeaderLengths) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  auto errorFor = [&](const std::string &bytes) {
    writeFile(path, bytes);
    return openError(path);
  };
  auto length = [](uint64_t value) {
    return std::string(reinterpret_cast<const char *>(&value), 8);
  };
  std::string prefix = "'" + path + "': ";
  EXPECT_EQ(errorFor(""),
            prefix +
                "expected at least 8 bytes for the header's length, got 0");
  EXPECT_EQ(errorFor("1234567"),
            prefix +
                "expected at least 8 bytes for the header's length, got 7");
  EXPECT_EQ(errorFor(length(3) + "{}"),
            prefix + "header length 3 goes past the end of the file, which has "
                     "2 bytes after it");
  EXPECT_EQ(errorFor(length(100'000'001) + "{}"),
            prefix + "header length 100000001 exceeds the limit of 100000000");
  EXPECT_EQ(errorFor(length(UINT64_MAX) + "{}"),
            prefix + "header length 18446744073709551615 exceeds the limit of "
                     "100000000");
}

TEST(SafetensorsErrors, EveryTruncationIsRefused) {
  TemporaryDirectory directory;
  std::string path = directory.file("a"), cut = directory.file("cut");
  std::vector<float> data(4, 1.0f);
  ASSERT_TRUE(
      writeSafetensors(path, {{"a", StorageType::F32, {4}, data.data()}}).ok());
  std::string bytes = readFile(path);
  for (size_t size = 0; size < bytes.size(); ++size) {
    writeFile(cut, bytes.substr(0, size));
    EXPECT_NE(openError(cut), "") << size << " bytes";
  }
  writeFile(cut, bytes + "x");
  EXPECT_NE(openError(cut), "");
}

TEST(SafetensorsErrors, BooleansAreZeroOrOne) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  uint8_t data[] = {0, 1, 2};
  ASSERT_TRUE(
      writeSafetensors(path, {{"a", StorageType::BOOL, {3}, data}}).ok());
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->read(file->getTensors()[0], data).message(),
            "'" + path + "': tensor 'a': expected 0 or 1, got 2 at position 2");
}

TEST(SafetensorsErrors, ShrinkingFileIsAnError) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  std::vector<float> data(4, 1.0f);
  ASSERT_TRUE(
      writeSafetensors(path, {{"a", StorageType::F32, {4}, data.data()}}).ok());
  StatusOr<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_EQ(file->read(file->getTensors()[0], data.data()).message(),
            "'" + path + "': the file became shorter while it was read");
}
