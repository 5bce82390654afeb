//===- Initializer.cpp - Initial values of parameters ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file fills tensors by rule.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Initializer.h"

#include <cmath>
#include <limits>

using namespace cma;

template <typename T, typename Draw>
static void fillWith(void *to, uint64_t count, Draw draw) {
  T *next = static_cast<T *>(to);
  for (uint64_t i = 0; i < count; ++i)
    next[i] = static_cast<T>(draw(i));
}

template <typename T>
static void fillFloat(const Initializer &rule, const RandomStream &stream,
                      const std::vector<int64_t> &shape, uint64_t count,
                      void *to) {
  switch (rule.kind) {
  case Initializer::Kind::Constant:
    return fillWith<T>(to, count, [&](uint64_t) { return rule.first; });
  case Initializer::Kind::Uniform:
    return fillWith<T>(to, count, [&](uint64_t i) {
      return stream.uniform(i, rule.first, rule.second);
    });
  case Initializer::Kind::Normal:
    return fillWith<T>(
        to, count, [&](uint64_t i) { return stream.normal(i, rule.first); });
  case Initializer::Kind::TTCore:
    double last = shape.empty() ? 1.0 : static_cast<double>(shape.back());
    double deviation =
        std::pow(rule.first, 1.0 / static_cast<double>(rule.cores)) /
        std::sqrt(last);
    return fillWith<T>(to, count,
                       [&](uint64_t i) { return stream.normal(i, deviation); });
  }
}

template <typename T>
static Status fillInteger(const Initializer &rule, StorageType type,
                          uint64_t count, void *to, double low, double high) {
  if (rule.kind != Initializer::Kind::Constant)
    return Status::error(std::string("expected zeros or a constant for type ") +
                         getName(type));
  double value = rule.first;
  if (value < low || value > high || value != std::floor(value))
    return Status::error("type " + std::string(getName(type)) +
                         " cannot hold the constant " + std::to_string(value));
  fillWith<T>(to, count, [&](uint64_t) { return value; });
  return Status::success();
}

Status cma::fill(const Initializer &rule, const RandomStream &stream,
                 StorageType type, const std::vector<int64_t> &shape,
                 void *to) {
  std::optional<uint64_t> count = countElements(shape);
  if (!count)
    return Status::error("the size of shape " + formatShape(shape) +
                         " is beyond 2^63-1");
  switch (type) {
  case StorageType::F64:
    fillFloat<double>(rule, stream, shape, *count, to);
    return Status::success();
  case StorageType::F32:
    fillFloat<float>(rule, stream, shape, *count, to);
    return Status::success();
  case StorageType::I64: // Beyond 2^53 a double cannot name every integer.
    return fillInteger<int64_t>(rule, type, *count, to, -0x1p53, 0x1p53);
  case StorageType::I32:
    return fillInteger<int32_t>(rule, type, *count, to, INT32_MIN, INT32_MAX);
  case StorageType::I16:
    return fillInteger<int16_t>(rule, type, *count, to, INT16_MIN, INT16_MAX);
  case StorageType::I8:
    return fillInteger<int8_t>(rule, type, *count, to, INT8_MIN, INT8_MAX);
  case StorageType::U8:
    return fillInteger<uint8_t>(rule, type, *count, to, 0, UINT8_MAX);
  case StorageType::BOOL:
    return fillInteger<uint8_t>(rule, type, *count, to, 0, 1);
  default:
    return Status::error(std::string("cannot initialise type ") +
                         getName(type));
  }
}
