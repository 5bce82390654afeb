//===- BufferTest.cpp - Tests of element types and aligned memory ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that overflow are refused, and memory has the alignment of the ABI.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/AlignedBuffer.h"
#include "cma/Runtime/Entry.h"
#include "cma/Runtime/StorageType.h"
#include "gtest/gtest.h"

using namespace cma;

TEST(StorageType, NamesAndTypesRoundTrip) {
  int buffers = 0;
  for (int i = 0; i <= static_cast<int>(StorageType::BOOL); ++i) {
    auto type = static_cast<StorageType>(i);
    EXPECT_EQ(parseStorageType(getName(type)), type);
    std::optional<cma_dtype> dtype = getDType(type);
    EXPECT_EQ(dtype.has_value(), type != StorageType::U8);
    if (!dtype)
      continue;
    ++buffers;
    EXPECT_EQ(getStorageType(*dtype), type);
  }
  EXPECT_EQ(buffers, CMA_DTYPE_I1 + 1);
  EXPECT_EQ(parseStorageType("f32"), std::nullopt);
  EXPECT_EQ(parseStorageType(""), std::nullopt);
  EXPECT_EQ(getStorageType(-1), std::nullopt);
  EXPECT_EQ(getStorageType(11), std::nullopt);
}

TEST(StorageType, CountsWithoutOverflow) {
  EXPECT_EQ(countElements({}), 1u);
  EXPECT_EQ(countElements({2, 0, 3}), 0u);
  EXPECT_EQ(countElements({int64_t(1) << 31, int64_t(1) << 31}), uint64_t(1)
                                                                     << 62);
  EXPECT_EQ(countElements({int64_t(1) << 32, int64_t(1) << 31}), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 32, int64_t(1) << 31, 0}),
            std::nullopt);
  EXPECT_EQ(countElements({-1}), std::nullopt);
  EXPECT_EQ(countBytes(StorageType::F32, {int64_t(1) << 60}), uint64_t(1)
                                                                  << 62);
  EXPECT_EQ(countBytes(StorageType::F64, {int64_t(1) << 60}), std::nullopt);
  EXPECT_EQ(countBytes(StorageType::F32, {3, 5}), 60u);
}

TEST(StorageType, FormatsShapes) {
  EXPECT_EQ(formatShape({}), "scalar");
  EXPECT_EQ(formatShape({7}), "7");
  EXPECT_EQ(formatShape({2, 0, 3}), "2x0x3");
}

TEST(AlignedBuffer, IsAlignedAndZero) {
  for (uint64_t size : {0, 1, 63, 64, 65, 4096}) {
    StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(size);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(buffer->size(), size);
    ASSERT_NE(buffer->data(), nullptr);
    EXPECT_EQ(
        reinterpret_cast<uintptr_t>(buffer->data()) % CMA_BUFFER_ALIGNMENT, 0u);
    for (uint64_t i = 0; i < size; ++i)
      EXPECT_EQ(buffer->as<char>()[i], 0);
  }
}

TEST(AlignedBuffer, TooLargeIsAnError) {
  for (uint64_t size : {UINT64_MAX, uint64_t(INT64_MAX), uint64_t(1) << 62}) {
    StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(size);
    ASSERT_TRUE(buffer.failed());
    EXPECT_EQ(buffer.message(),
              "cannot allocate " + std::to_string(size) + " bytes of memory");
  }
}

TEST(Process, PeakMemoryGrows) {
  uint64_t before = getPeakResidentBytes();
  EXPECT_GT(before, 0u);
  StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(64 << 20);
  ASSERT_TRUE(buffer.ok());
  EXPECT_GT(getPeakResidentBytes(), before + (32 << 20));
}
