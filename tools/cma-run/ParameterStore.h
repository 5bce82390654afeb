//===- ParameterStore.h - What a model keeps --------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the parameters and state of a model (and of its
// optimizer), shared by all functions compiled from it.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_PARAMETERSTORE_H
#define CMA_TOOLS_CMA_RUN_PARAMETERSTORE_H

#include "FunctionInfo.h"
#include "HostTensor.h"

namespace cma::run {

class ParameterStore {
public:
  /// Allocates every parameter and state of `function`, a training step or a
  /// model; values are zero.
  static llvm::Expected<ParameterStore> create(const FunctionInfo &function);

  /// Gives every tensor the value of its rule; one without a rule is an error,
  /// unless `model`, whose arguments a file will provide, has it.
  llvm::Error initialise(const FunctionInfo &function, uint64_t seed,
                         const FunctionInfo *model = nullptr);

  /// Opens a file that has exactly the parameters and state of `model`; a
  /// checkpoint may have others. Missing, extra or different tensors are errors
  /// that name them all.
  static llvm::Expected<SafetensorsFile> open(const std::string &path,
                                              const FunctionInfo &model);

  /// Takes the parameters and state of `model` from such a file.
  llvm::Error load(const SafetensorsFile &file, const FunctionInfo &model);

  /// Writes the parameters and state of `model`, but not the optimizer's.
  llvm::Error save(const std::string &path, const FunctionInfo &model) const;

  HostTensor *find(llvm::StringRef name);
  const HostTensor *find(llvm::StringRef name) const;

  /// Name of the first tensor with an element that is not finite, or "".
  std::string findNonFinite() const;

  /// All tensors, the optimizer's included.
  std::vector<TensorView> views() const;

  uint64_t getBytes() const;

  /// Makes copies of parameters in other types anew. They are never saved.
  void rebuildViews();

private:
  struct WeightView {
    std::string parameter;
    HostTensor tensor;
  };

  std::vector<HostTensor> tensors;
  std::vector<WeightView> weightViews;
};

/// Metadata that marks a checkpoint.
inline constexpr const char *kCheckpointKey = "cma.checkpoint";

/// The parameters and state of `model`, without data.
std::vector<TensorView> listKept(const FunctionInfo &model);

/// What keeps `file` from providing the tensors `wanted`, all of it, or "".
/// Their data is not looked at. Other tensors are a reason too, unless allowed.
std::string findMismatches(const SafetensorsFile &file,
                           llvm::ArrayRef<TensorView> wanted,
                           bool allowOthers = false);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_PARAMETERSTORE_H
