//===- StorageType.cpp - Element types of stored tensors ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file holds the table of element types and the size arithmetic.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/StorageType.h"

using namespace cma;

namespace {
struct TypeRow {
  StorageType type;
  const char *name;
  size_t size;
  int dtype; ///< A cma_dtype, or -1.
};
} // namespace

/// In the order of StorageType, which is its index.
static constexpr TypeRow kTypes[] = {
    {StorageType::F64, "F64", 8, CMA_DTYPE_F64},
    {StorageType::F32, "F32", 4, CMA_DTYPE_F32},
    {StorageType::F16, "F16", 2, CMA_DTYPE_F16},
    {StorageType::BF16, "BF16", 2, CMA_DTYPE_BF16},
    {StorageType::F8_E4M3, "F8_E4M3", 1, CMA_DTYPE_F8E4M3FN},
    {StorageType::F8_E5M2, "F8_E5M2", 1, CMA_DTYPE_F8E5M2},
    {StorageType::I64, "I64", 8, CMA_DTYPE_I64},
    {StorageType::I32, "I32", 4, CMA_DTYPE_I32},
    {StorageType::I16, "I16", 2, CMA_DTYPE_I16},
    {StorageType::I8, "I8", 1, CMA_DTYPE_I8},
    {StorageType::U8, "U8", 1, -1},
    {StorageType::BOOL, "BOOL", 1, CMA_DTYPE_I1},
};

static const TypeRow &rowOf(StorageType type) {
  return kTypes[static_cast<size_t>(type)];
}

const char *cma::getName(StorageType type) { return rowOf(type).name; }

size_t cma::getElementSize(StorageType type) { return rowOf(type).size; }

std::optional<StorageType> cma::parseStorageType(std::string_view name) {
  for (const TypeRow &row : kTypes)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

std::optional<cma_dtype> cma::getDType(StorageType type) {
  if (rowOf(type).dtype < 0)
    return std::nullopt;
  return static_cast<cma_dtype>(rowOf(type).dtype);
}

std::optional<StorageType> cma::getStorageType(int32_t dtype) {
  for (const TypeRow &row : kTypes)
    if (row.dtype >= 0 && row.dtype == dtype)
      return row.type;
  return std::nullopt;
}

std::optional<uint64_t> cma::countElements(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    if (extent == 0)
      empty = true;
    else if (__builtin_mul_overflow(product, extent, &product))
      return std::nullopt;
  }
  return empty ? 0 : static_cast<uint64_t>(product);
}

std::optional<uint64_t> cma::countBytes(StorageType type,
                                        const std::vector<int64_t> &shape) {
  std::optional<uint64_t> count = countElements(shape);
  int64_t bytes;
  if (!count || __builtin_mul_overflow(*count, getElementSize(type), &bytes))
    return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

std::string cma::formatShape(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}
