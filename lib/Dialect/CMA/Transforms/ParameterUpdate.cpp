//===- ParameterUpdate.cpp - From gradients to new parameters -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file builds the second half of training steps.
//
//===----------------------------------------------------------------------===//

#include "ParameterUpdate.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

static constexpr StringLiteral kScaleName = "loss_scale";
static constexpr StringLiteral kGoodStepsName = "loss_scale.good_steps";
static constexpr StringLiteral kTrackerName = "loss_scale.hysteresis";

/// What a parameter's buffers are called behind the parameter's name.
static SmallVector<StringRef> getBufferSuffixes(const StepSettings &settings) {
  if (settings.optimizer == StepSettings::Optimizer::AdamW)
    return {".first_moment", ".second_moment"};
  if (settings.momentum != 0)
    return {".momentum"};
  return {};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LogicalResult ParameterUpdate::checkNames(const BackwardModel &model,
                                          const StepSettings &settings) {
  bool isAdam = settings.optimizer == StepSettings::Optimizer::AdamW;
  for (const BackwardModel::Parameter &parameter : model.parameters)
    for (StringRef suffix : getBufferSuffixes(settings))
      if (failed(model.checkFree((parameter.name + suffix).str(),
                                 isAdam ? "for a moment"
                                        : "for a momentum buffer")))
        return failure();
  if (!settings.lossScale.isOn())
    return success();
  for (StringRef name : {kScaleName, kGoodStepsName, kTrackerName})
    if (failed(model.checkFree(name, "for the loss scale")))
      return failure();
  return success();
}

void ParameterUpdate::declareParameters() {
  for (const BackwardModel::Parameter &parameter : model.parameters)
    parameters.push_back(step.copyArgument(model.func, parameter.argument));
}

/// `#cma.init` of a constant; zeros for 0.
static InitAttr getInit(MLIRContext *context, double value) {
  return InitAttr::get(context,
                       value == 0 ? InitKind::Zeros : InitKind::Constant,
                       APFloat(value), APFloat(0.0), /*cores=*/0);
}

void ParameterUpdate::declareBuffers() {
  InitAttr zeros = getInit(model.func->getContext(), 0);
  for (StringRef suffix : getBufferSuffixes(settings)) {
    buffers.emplace_back();
    for (const BackwardModel::Parameter &parameter : model.parameters) {
      buffers.back().push_back(
          step.addArgument(parameter.type, "state", parameter.name + suffix));
      buffers.back().back()->attrs.set(kInitAttr, zeros);
    }
  }
}

/// A scalar of state that starts at `init`.
static StepFunction::Argument *declareScalar(StepFunction &step, Type element,
                                             StringRef name, double init) {
  StepFunction::Argument *argument =
      step.addArgument(RankedTensorType::get({}, element), "state", name);
  argument->attrs.set(kInitAttr, getInit(element.getContext(), init));
  return argument;
}

StepFunction::Argument *
ParameterUpdate::declareReadOnlyScale(const StepSettings &settings,
                                      StepFunction &step) {
  const LossScaleSettings &scaling = settings.lossScale;
  if (!scaling.isOn())
    return nullptr;
  return declareScalar(step, step.getBuilder().getF32Type(), kScaleName,
                       scaling.initial);
}

void ParameterUpdate::declareScale() {
  const LossScaleSettings &scaling = settings.lossScale;
  scale = declareReadOnlyScale(settings, step);
  Type counter = step.getBuilder().getI32Type();
  if (scaling.isDynamic())
    goodSteps = declareScalar(step, counter, kGoodStepsName,
                              -static_cast<double>(scaling.delay));
  if (scaling.hasTracker())
    tracker = declareScalar(step, counter, kTrackerName,
                            static_cast<double>(scaling.hysteresis));
}

void ParameterUpdate::declareClock() {
  OpBuilder &builder = step.getBuilder();
  auto declare = [&](Type element, StringRef role) {
    return step.addArgument(RankedTensorType::get({}, element), role,
                            model.hasName(role) ? StringRef() : role);
  };
  lr = declare(builder.getF32Type(), "lr");
  count = declare(builder.getI64Type(), "step");
}

//===----------------------------------------------------------------------===//
// The update
//===----------------------------------------------------------------------===//

/// The learning rate, at least as wide as the parameter.
Value ParameterUpdate::getLearningRate(Type element) {
  if (element.getIntOrFloatBitWidth() <= 32)
    return lr->value;
  Value &rate = learningRates[element];
  if (!rate)
    rate = arith::ExtFOp::create(step.getBuilder(), step.getLoc(),
                                 RankedTensorType::get({}, element), lr->value);
  return rate;
}

/// The optimizer's op for one parameter.
void ParameterUpdate::appendUpdate(size_t i, Value gradient) {
  OpBuilder &builder = step.getBuilder();
  auto getAttr = [&](double value) { return builder.getF64FloatAttr(value); };
  Value value = parameters[i]->value;
  auto type = cast<RankedTensorType>(value.getType());
  Value rate = getLearningRate(type.getElementType());
  newBuffers.resize(buffers.size());
  if (settings.optimizer == StepSettings::Optimizer::AdamW) {
    auto adam = AdamWOp::create(
        builder, step.getLoc(), TypeRange{type, type, type}, value, gradient,
        rate, count->value, buffers[0][i]->value, buffers[1][i]->value,
        getAttr(settings.beta1), getAttr(settings.beta2),
        getAttr(settings.epsilon), getAttr(settings.weightDecay));
    newParameters.push_back(adam.getNewParameter());
    newBuffers[0].push_back(adam.getNewFirst());
    newBuffers[1].push_back(adam.getNewSecond());
    return;
  }
  Value buffer = buffers.empty() ? Value() : buffers[0][i]->value;
  auto sgd =
      SGDOp::create(builder, step.getLoc(), type, buffer ? Type(type) : Type(),
                    value, gradient, rate, buffer, getAttr(settings.momentum),
                    getAttr(settings.weightDecay));
  newParameters.push_back(sgd.getNewParameter());
  if (buffer)
    newBuffers[0].push_back(sgd.getNewBuffer());
}

void ParameterUpdate::buildScaleUpdate() {
  const LossScaleSettings &scaling = settings.lossScale;
  if (!scaling.isDynamic())
    return;
  OpBuilder &builder = step.getBuilder();
  auto getAttr = [&](double value) { return builder.getF64FloatAttr(value); };
  auto getCount = [&](int64_t value) {
    return builder.getI64IntegerAttr(value);
  };
  Value old = tracker ? tracker->value : Value();
  auto update = UpdateLossScaleOp::create(
      builder, step.getLoc(), scale->type, goodSteps->type,
      tracker ? tracker->type : Type(), scale->value, goodSteps->value,
      foundInf, old, getAttr(scaling.growth), getAttr(scaling.backoff),
      getCount(scaling.interval), getAttr(scaling.minimum),
      getAttr(scaling.maximum), getCount(scaling.hysteresis),
      HysteresisRefillAttr::get(builder.getContext(),
                                scaling.refillAtGoodSteps
                                    ? HysteresisRefill::Good
                                    : HysteresisRefill::Growth),
      getCount(scaling.delay));
  llvm::append_range(newScale, update.getResults());
}

void ParameterUpdate::build(ValueRange gradients,
                            ArrayRef<StateUpdate> others) {
  OpBuilder &builder = step.getBuilder();
  Location loc = step.getLoc();
  SmallVector<Value> ready(gradients);
  if (scale) {
    auto unscale = UnscaleOp::create(builder, loc, scale->value, gradients);
    ready.assign(unscale.getUnscaled().begin(), unscale.getUnscaled().end());
    foundInf = unscale.getFoundInf();
  }
  if (settings.maxNorm) {
    auto clip = ClipByGlobalNormOp::create(
        builder, loc, ready, builder.getF64FloatAttr(*settings.maxNorm));
    ready.assign(clip.getClipped().begin(), clip.getClipped().end());
  }

  updated = parameters;
  updateAttrs.resize(parameters.size());
  for (const StateUpdate &other : others) {
    updated.push_back(other.argument);
    updateAttrs.push_back(other.attrs);
  }
  for (ArrayRef<Argument *> kind : buffers)
    llvm::append_range(updated, kind);
  updateAttrs.resize(updated.size());
  auto buildUpdates = [&] {
    for (auto [i, gradient] : llvm::enumerate(ready))
      appendUpdate(i, gradient);
    newValues = newParameters;
    for (const StateUpdate &other : others)
      newValues.push_back(other.value);
    for (ArrayRef<Value> kind : newBuffers)
      llvm::append_range(newValues, kind);
  };
  if (!scale)
    return buildUpdates();
  // Outside of the guard, so that the scalars are not chosen.
  for (Argument *parameter : parameters)
    getLearningRate(getElementTypeOrSelf(parameter->type));
  SmallVector<Value> old;
  for (Argument *argument : updated)
    old.push_back(argument->value);
  auto guard = GuardOp::create(builder, loc, foundInf, old);
  {
    OpBuilder::InsertionGuard restore(builder);
    builder.createBlock(&guard.getBody());
    buildUpdates();
    YieldOp::create(builder, loc, newValues);
  }
  newValues.assign(guard.getNewValues().begin(), guard.getNewValues().end());
  buildScaleUpdate();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void ParameterUpdate::returnParametersAndState() {
  for (auto [argument, attrs, value] :
       llvm::zip(updated, updateAttrs, newValues))
    if (attrs)
      step.addResult(value, attrs);
    else
      step.addUpdate(value, argument);
}

void ParameterUpdate::returnScale() {
  SmallVector<Argument *> state = {scale, goodSteps, tracker};
  for (auto [argument, value] : llvm::zip(state, newScale))
    step.addUpdate(value, argument);
}

void ParameterUpdate::returnFoundInf() {
  if (foundInf)
    step.addRole(foundInf, "found_inf");
}
