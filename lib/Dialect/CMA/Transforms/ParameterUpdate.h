//===- ParameterUpdate.h - From gradients to new parameters -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the second half of a training step: unscale, check, clip,
// update what the check allows, and adapt the scale.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PARAMETERUPDATE_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PARAMETERUPDATE_H

#include "BackwardModel.h"
#include "StepFunction.h"

#include "cma/Dialect/CMA/Transforms/LossScale.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace cma {

struct StepSettings {
  enum class Optimizer { SGD, AdamW };
  Optimizer optimizer = Optimizer::SGD;
  double momentum = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weightDecay = 0;
  LossScaleSettings lossScale;
  std::optional<double> maxNorm;
  int64_t accumulate = 1;
};

/// The update's part of a step function. Calls are in the order of the members.
class ParameterUpdate {
public:
  using Argument = StepFunction::Argument;
  /// State of the model that the backward function updates itself.
  struct StateUpdate {
    Argument *argument;
    mlir::Value value;
    mlir::DictionaryAttr attrs; ///< Of the result.
  };

  ParameterUpdate(const BackwardModel &model, const StepSettings &settings,
                  StepFunction &step)
      : model(model), settings(settings), step(step) {}

  /// Fails after an error where the model uses a name that is needed.
  static llvm::LogicalResult checkNames(const BackwardModel &model,
                                        const StepSettings &settings);
  /// The loss scale alone, for a function that does not adapt it; null without
  /// loss scaling.
  static Argument *declareReadOnlyScale(const StepSettings &settings,
                                        StepFunction &step);

  void declareParameters();
  /// The optimizer's buffers, by kind, then by parameter.
  void declareBuffers();
  /// The loss scale and its counters.
  void declareScale();
  /// The learning rate and the number of steps.
  void declareClock();

  Argument *getParameter(size_t i) const { return parameters[i]; }
  /// Null without loss scaling.
  Argument *getScale() const { return scale; }

  /// Builds the update from the gradients as the backward function gives them.
  /// `others` are updated and skipped together with the parameters.
  void build(mlir::ValueRange gradients, llvm::ArrayRef<StateUpdate> others);

  /// Adds results; the state's with what `build` was given.
  void returnParametersAndState();
  void returnScale();
  void returnFoundInf();

private:
  mlir::Value getLearningRate(mlir::Type element);
  void appendUpdate(size_t i, mlir::Value gradient);
  void buildScaleUpdate();

  const BackwardModel &model;
  const StepSettings &settings;
  StepFunction &step;
  llvm::SmallVector<Argument *> parameters;
  llvm::SmallVector<llvm::SmallVector<Argument *>> buffers;
  Argument *scale = nullptr, *goodSteps = nullptr, *tracker = nullptr;
  Argument *lr = nullptr, *count = nullptr;
  llvm::DenseMap<mlir::Type, mlir::Value> learningRates;
  mlir::Value foundInf;
  /// What is updated, and by what: parameters, others, buffers.
  llvm::SmallVector<Argument *> updated;
  llvm::SmallVector<mlir::DictionaryAttr> updateAttrs; ///< Null: the default.
  llvm::SmallVector<mlir::Value> newValues, newScale;
  /// While the updates are built: by kind, as `buffers`.
  llvm::SmallVector<mlir::Value> newParameters;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> newBuffers;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PARAMETERUPDATE_H
