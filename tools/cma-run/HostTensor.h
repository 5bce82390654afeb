//===- HostTensor.h - Tensors in memory -------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a tensor that a command owns, and its way from and to
// safetensors files.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_HOSTTENSOR_H
#define CMA_TOOLS_CMA_RUN_HOSTTENSOR_H

#include "cma/Runtime/AlignedBuffer.h"
#include "cma/Runtime/Safetensors.h"
#include "cma/Runtime/StorageType.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cma::run {

struct HostTensor {
  std::string name;
  StorageType type;
  std::vector<int64_t> shape;
  AlignedBuffer data;

  /// Zeroed memory for a tensor.
  static llvm::Expected<HostTensor> create(std::string name, StorageType type,
                                           std::vector<int64_t> shape);
  /// Reads tensor `info` of `file`.
  static llvm::Expected<HostTensor> read(const SafetensorsFile &file,
                                         const TensorInfo &info);

  int64_t getNumRows() const { return shape.front(); }
  uint64_t getRowBytes() const;
  TensorView view() const { return {name, type, shape, data.data()}; }

  /// Element `index` of an I32 or I64 tensor.
  int64_t getInteger(uint64_t index) const;
};

/// Element `index` of floating data.
double readFloat(StorageType type, const void *data, uint64_t index = 0);
/// Stores `value`, rounded to nearest even.
void writeFloat(StorageType type, void *data, double value);

/// True where all elements are finite; integers always are.
bool isFinite(StorageType type, const void *data, uint64_t count);

/// "F32 tensor of shape 2x3".
std::string describe(StorageType type, const std::vector<int64_t> &shape);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_HOSTTENSOR_H
