//===- HostTensor.cpp - Tensors in memory ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file allocates and reads tensors.
//
//===----------------------------------------------------------------------===//

#include "HostTensor.h"

#include "ExitCode.h"
#include "FunctionInfo.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>

using namespace cma;
using namespace cma::run;

llvm::Expected<HostTensor> HostTensor::create(std::string name,
                                              StorageType type,
                                              std::vector<int64_t> shape) {
  std::optional<uint64_t> bytes = countBytes(type, shape);
  if (!bytes)
    return userError("tensor " + quoteForMessage(name) +
                     ": the size of shape " + formatShape(shape) +
                     " is beyond 2^63-1 bytes");
  StatusOr<AlignedBuffer> data = AlignedBuffer::create(*bytes);
  if (data.failed())
    return userError("tensor " + quoteForMessage(name) + ": " + data.message());
  return HostTensor{std::move(name), type, std::move(shape), std::move(*data)};
}

llvm::Expected<HostTensor> HostTensor::read(const SafetensorsFile &file,
                                            const TensorInfo &info) {
  llvm::Expected<HostTensor> tensor = create(info.name, info.type, info.shape);
  if (!tensor)
    return tensor;
  if (Status status = file.read(info, tensor->data.data()); status.failed())
    return toError(status);
  return tensor;
}

uint64_t HostTensor::getRowBytes() const {
  return getNumRows() == 0 ? 0 : data.size() / getNumRows();
}

int64_t HostTensor::getInteger(uint64_t index) const {
  return type == StorageType::I32 ? data.as<int32_t>()[index]
                                  : data.as<int64_t>()[index];
}

/// The format of a floating type that C++ has no type for.
static const llvm::fltSemantics &getSemantics(StorageType type) {
  switch (type) {
  case StorageType::F16:
    return llvm::APFloat::IEEEhalf();
  case StorageType::BF16:
    return llvm::APFloat::BFloat();
  case StorageType::F8_E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case StorageType::F8_E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    llvm_unreachable("expected a narrow float");
  }
}

double cma::run::readFloat(StorageType type, const void *data, uint64_t index) {
  if (type == StorageType::F32)
    return static_cast<const float *>(data)[index];
  if (type == StorageType::F64)
    return static_cast<const double *>(data)[index];
  size_t size = getElementSize(type);
  uint64_t code = 0;
  std::memcpy(&code, static_cast<const char *>(data) + index * size, size);
  llvm::APFloat value(getSemantics(type), llvm::APInt(8 * size, code));
  return value.convertToDouble();
}

void cma::run::writeFloat(StorageType type, void *data, double value) {
  if (type == StorageType::F32) {
    *static_cast<float *>(data) = static_cast<float>(value);
  } else if (type == StorageType::F64) {
    *static_cast<double *>(data) = value;
  } else {
    llvm::APFloat rounded(value);
    bool losesInfo;
    rounded.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                    &losesInfo);
    uint64_t code = rounded.bitcastToAPInt().getZExtValue();
    std::memcpy(data, &code, getElementSize(type));
  }
}

bool cma::run::isFinite(StorageType type, const void *data, uint64_t count) {
  if (!isFloat(type))
    return true;
  for (uint64_t i = 0; i < count; ++i)
    if (!std::isfinite(readFloat(type, data, i)))
      return false;
  return true;
}

std::string cma::run::describe(StorageType type,
                               const std::vector<int64_t> &shape) {
  return std::string(getName(type)) + " tensor of shape " +
         formatDynamicShape(shape);
}
