//===- StorageType.h - Element types of stored tensors ----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the element types that a safetensors file can hold, and
// checked size arithmetic on shapes.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_STORAGETYPE_H
#define CMA_RUNTIME_STORAGETYPE_H

#include "cma/Runtime/Entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cma {

/// Named as in a safetensors header. F8_E4M3 is the finite-only form, MLIR's
/// f8E4M3FN. BOOL has one byte an element, 0 or 1.
enum class StorageType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8_E4M3,
  F8_E5M2,
  I64,
  I32,
  I16,
  I8,
  U8,
  BOOL
};

/// The name in a safetensors header, for example "F32".
const char *getName(StorageType type);
std::optional<StorageType> parseStorageType(std::string_view name);

/// Bytes of one element.
size_t getElementSize(StorageType type);

/// The type of a compiled function's buffer; U8 has none.
std::optional<cma_dtype> getDType(StorageType type);
/// The stored form of a buffer's type; none for a value outside the enum.
std::optional<StorageType> getStorageType(int32_t dtype);

/// Number of elements; none if the product of the non-zero extents is beyond
/// 2^63-1 or an extent is negative. The product of no extents is 1.
std::optional<uint64_t> countElements(const std::vector<int64_t> &shape);

/// Bytes of a dense tensor; none where countElements has none or the product is
/// beyond 2^63-1.
std::optional<uint64_t> countBytes(StorageType type,
                                   const std::vector<int64_t> &shape);

/// "2x3x4", or "scalar" for no extents.
std::string formatShape(const std::vector<int64_t> &shape);

} // namespace cma

#endif // CMA_RUNTIME_STORAGETYPE_H
