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
#include <cmath>

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

double cma::run::readFloat(StorageType type, const void *data, uint64_t index) {
  return type == StorageType::F32 ? static_cast<const float *>(data)[index]
                                  : static_cast<const double *>(data)[index];
}

bool cma::run::isFinite(StorageType type, const void *data, uint64_t count) {
  if (type != StorageType::F32 && type != StorageType::F64)
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
