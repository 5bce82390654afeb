//===- ModelSummary.h - Layers, sizes and labels of a model -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what cma-run finds out about a model from its operations:
// which parameters are weights, which layers are compressed and by how much,
// and where the labels of its cross entropy come from.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_MODELSUMMARY_H
#define CMA_TOOLS_CMA_RUN_MODELSUMMARY_H

#include "FunctionInfo.h"
#include <optional>
#include <string>
#include <vector>

namespace cma::run {

struct LayerSummary {
  std::string name;
  std::string kind;       ///< "tt_linear", ...
  int64_t count = 0;      ///< Elements of cores, factors and gates.
  int64_t denseCount = 0; ///< Elements of the matrix that they stand for.

  double getRatio() const {
    return count == 0 ? 0 : static_cast<double>(denseCount) / count;
  }
};

struct ParameterSummary {
  std::string name;
  std::vector<int64_t> shape;
  int64_t count = 0;
  /// Every use is the bias of a layer; such parameters are in no total.
  bool isBias = false;
};

struct LabelSource {
  std::string argument;
  std::optional<int64_t> ignoreIndex;
};

struct ModelSummary {
  std::vector<ParameterSummary> parameters;
  std::vector<LayerSummary> layers;
  /// Weights and gates, biases not.
  int64_t parameterCount = 0;
  /// The same with the matrix of every compressed layer in its place. Weights
  /// that several layers share count once.
  int64_t denseParameterCount = 0;
  /// Labels of the first cross entropy that takes them from an argument.
  std::optional<LabelSource> labels;

  double getRatio() const {
    return parameterCount == 0
               ? 1
               : static_cast<double>(denseParameterCount) / parameterCount;
  }

  /// `function` has its layers still, and all calls inlined.
  static llvm::Expected<ModelSummary> get(mlir::func::FuncOp function);
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_MODELSUMMARY_H
