//===- Dataset.h - Samples of a data file -----------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a data set: the tensors of a safetensors file that match
// the data arguments of a model by name, with the samples along their first
// axis.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_DATASET_H
#define CMA_TOOLS_CMA_RUN_DATASET_H

#include "FunctionInfo.h"
#include "HostTensor.h"
#include "llvm/ADT/ArrayRef.h"

namespace cma::run {

class Dataset {
public:
  /// Reads what the data arguments of `function` (the model as written) need.
  /// Refuses a missing tensor, another type or sample shape, numbers of samples
  /// that differ, and an empty set.
  static llvm::Expected<Dataset> load(const std::string &path,
                                      const FunctionInfo &function);

  const std::string &getPath() const { return path; }
  int64_t getNumSamples() const { return samples; }

  /// The tensor of data argument `name`, null where there is none (or no name).
  const HostTensor *find(const char *name) const;
  /// The same for a name that load() has seen.
  const HostTensor &get(llvm::StringRef name) const;

  /// Sixteen hexadecimal digits that depend on all names, types, shapes and
  /// bytes.
  std::string getFingerprint() const;

  /// Copies the given samples of tensor `name`, in order, to `to`.
  void gather(llvm::StringRef name, llvm::ArrayRef<int64_t> rows,
              void *to) const;

private:
  std::string path;
  int64_t samples = 0;
  std::vector<HostTensor> tensors;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_DATASET_H
