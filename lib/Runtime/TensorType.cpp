//===- TensorType.cpp - Element types of stored tensors -------------------===//
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

#include "cma/Runtime/TensorType.h"

using namespace cma;

namespace {
struct TypeRow {
  TensorType type;
  const char *name;
  size_t size;
  int dtype; ///< A cma_dtype, or -1.
};
} // namespace

/// In the order of TensorType, which is its index.
static constexpr TypeRow kTypes[] = {
    {TensorType::F64, "F64", 8, CMA_DTYPE_F64},
    {TensorType::F32, "F32", 4, CMA_DTYPE_F32},
    {TensorType::F16, "F16", 2, CMA_DTYPE_F16},
    {TensorType::BF16, "BF16", 2, CMA_DTYPE_BF16},
    {TensorType::F8_E4M3, "F8_E4M3", 1, CMA_DTYPE_F8E4M3FN},
    {TensorType::F8_E5M2, "F8_E5M2", 1, CMA_DTYPE_F8E5M2},
    {TensorType::I64, "I64", 8, CMA_DTYPE_I64},
    {TensorType::I32, "I32", 4, CMA_DTYPE_I32},
    {TensorType::I16, "I16", 2, CMA_DTYPE_I16},
    {TensorType::I8, "I8", 1, CMA_DTYPE_I8},
    {TensorType::U8, "U8", 1, -1},
    {TensorType::BOOL, "BOOL", 1, CMA_DTYPE_I1},
};

static const TypeRow &rowOf(TensorType type) {
  return kTypes[static_cast<size_t>(type)];
}

const char *cma::getName(TensorType type) { return rowOf(type).name; }

size_t cma::getElementSize(TensorType type) { return rowOf(type).size; }

std::optional<TensorType> cma::parseTensorType(std::string_view name) {
  for (const TypeRow &row : kTypes)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

std::optional<cma_dtype> cma::getDType(TensorType type) {
  if (rowOf(type).dtype < 0)
    return std::nullopt;
  return static_cast<cma_dtype>(rowOf(type).dtype);
}

std::optional<TensorType> cma::getTensorType(int32_t dtype) {
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

std::optional<uint64_t> cma::countBytes(TensorType type,
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
