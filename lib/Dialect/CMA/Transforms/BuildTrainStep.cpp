//===- BuildTrainStep.cpp - Training steps --------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-build-train-step.
//
//===----------------------------------------------------------------------===//

#include "ParameterUpdate.h"

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

#include <cmath>

namespace cma {
#define GEN_PASS_DEF_CMABUILDTRAINSTEPPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

namespace {
using Argument = StepFunction::Argument;

/// Inlines the backward function into a step.
class BackwardBody {
public:
  BackwardBody(const BackwardModel &model, StepFunction &step)
      : model(model), step(step) {}

  void setArgument(unsigned index, Argument *argument) {
    arguments[index] = argument;
  }
  void copyArguments(ArrayRef<unsigned> indices) {
    for (unsigned index : indices)
      arguments[index] = step.copyArgument(model.func, index);
  }

  /// Copies the body, with the scale (none: 1) divided by `parts` as cotangent.
  void inlineBody(const Argument *scale, int64_t parts);

  Value getResult(unsigned index) const {
    func::FuncOp func = model.func; // a handle; its accessors are not const
    return mapping.lookupOrDefault(
        func.getBody().front().getTerminator()->getOperand(index));
  }
  SmallVector<Value> getGradients() const {
    return llvm::map_to_vector(model.parameters, [&](const auto &parameter) {
      return getResult(parameter.gradient);
    });
  }
  SmallVector<ParameterUpdate::StateUpdate> getStateUpdates() const {
    return llvm::map_to_vector(model.updates, [&](const auto &update) {
      func::FuncOp func = model.func;
      return ParameterUpdate::StateUpdate{
          arguments.at(update.argument), getResult(update.result),
          func.getResultAttrDict(update.result)};
    });
  }
  void returnOutputs() const {
    func::FuncOp func = model.func;
    for (unsigned output : model.outputs)
      step.addResult(getResult(output), func.getResultAttrDict(output));
  }

private:
  Value createCotangent(Type type, const Argument *scale, int64_t parts);

  const BackwardModel &model;
  StepFunction &step;
  DenseMap<unsigned, Argument *> arguments;
  IRMapping mapping;
};
} // namespace

Value BackwardBody::createCotangent(Type type, const Argument *scale,
                                    int64_t parts) {
  OpBuilder &builder = step.getBuilder();
  Location loc = step.getLoc();
  double count = static_cast<double>(parts);
  if (!scale)
    return createFilled(builder, loc, type, 1.0 / count);
  // In the wider of both types, so that a low type need not hold the scale.
  Value value = scale->value;
  bool isLow = isLowFloat(getElementTypeOrSelf(type));
  if (!isLow && value.getType() != type)
    value = arith::ExtFOp::create(builder, loc, type, value);
  if (parts != 1)
    value = arith::DivFOp::create(
        builder, loc, value,
        createFilled(builder, loc, value.getType(), count));
  if (isLow)
    value = arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

void BackwardBody::inlineBody(const Argument *scale, int64_t parts) {
  func::FuncOp func = model.func;
  for (auto [index, argument] : arguments)
    mapping.map(func.getArgument(index), argument->value);
  Value cotangent = func.getArgument(model.cotangent);
  mapping.map(cotangent, createCotangent(cotangent.getType(), scale, parts));
  for (Operation &op : func.getBody().front().without_terminator())
    step.getBuilder().clone(op, mapping);
}

/// Everything in one function.
static func::FuncOp buildStep(const BackwardModel &model,
                              const StepSettings &settings, StringRef name) {
  StepFunction step(model.func);
  ParameterUpdate update(model, settings, step);
  BackwardBody body(model, step);
  update.declareParameters();
  for (auto [i, parameter] : llvm::enumerate(model.parameters))
    body.setArgument(parameter.argument, update.getParameter(i));
  body.copyArguments(model.states);
  update.declareBuffers();
  update.declareScale();
  body.copyArguments(model.data);
  update.declareClock();
  step.begin(name);
  body.inlineBody(update.getScale(), /*parts=*/1);
  update.build(body.getGradients(), body.getStateUpdates());
  update.returnParametersAndState();
  update.returnScale();
  body.returnOutputs();
  update.returnFoundInf();
  return step.finish();
}

/// The sums of gradients over a window, arguments of `step`.
static SmallVector<Argument *> declareSums(const BackwardModel &model,
                                           StepFunction &step) {
  MLIRContext *context = model.func->getContext();
  auto zeros = InitAttr::get(context, InitKind::Zeros, APFloat(0.0),
                             APFloat(0.0), /*cores=*/0);
  SmallVector<Argument *> sums;
  for (const BackwardModel::Parameter &parameter : model.parameters) {
    sums.push_back(step.addArgument(parameter.type, "state",
                                    parameter.name + ".gradient"));
    sums.back()->attrs.set(kInitAttr, zeros);
  }
  return sums;
}

static void setScale(ArrayRef<Argument *> sums, const Argument *scale) {
  if (scale)
    for (Argument *sum : sums)
      sum->attrs.set(kScaledByAttr, scale->attrs.get(kNameAttr));
}

/// Adds the gradients of one part of the batch to their sums.
static func::FuncOp buildAccumulate(const BackwardModel &model,
                                    const StepSettings &settings,
                                    StringRef name) {
  StepFunction step(model.func);
  BackwardBody body(model, step);
  body.copyArguments(
      llvm::map_to_vector(model.parameters, [](const auto &parameter) {
        return parameter.argument;
      }));
  body.copyArguments(model.states);
  SmallVector<Argument *> sums = declareSums(model, step);
  Argument *scale = ParameterUpdate::declareReadOnlyScale(settings, step);
  setScale(sums, scale);
  body.copyArguments(model.data);
  step.begin(name);
  body.inlineBody(scale, settings.accumulate);
  SmallVector<Value> newSums;
  for (auto [sum, gradient] : llvm::zip(sums, body.getGradients()))
    newSums.push_back(arith::AddFOp::create(step.getBuilder(), step.getLoc(),
                                            sum->value, gradient));
  for (const ParameterUpdate::StateUpdate &state : body.getStateUpdates())
    step.addResult(state.value, state.attrs);
  for (auto [sum, value] : llvm::zip(sums, newSums))
    step.addUpdate(value, sum);
  body.returnOutputs();
  return step.finish();
}

/// Updates by the sums, and sets them to zero.
static func::FuncOp buildApply(const BackwardModel &model,
                               const StepSettings &settings, StringRef name) {
  StepFunction step(model.func);
  ParameterUpdate update(model, settings, step);
  update.declareParameters();
  update.declareBuffers();
  SmallVector<Argument *> sums = declareSums(model, step);
  update.declareScale();
  setScale(sums, update.getScale());
  update.declareClock();
  step.begin(name);
  update.build(
      llvm::map_to_vector(sums, [](const Argument *sum) { return sum->value; }),
      /*others=*/{});
  update.returnParametersAndState();
  for (Argument *sum : sums)
    step.addUpdate(
        createFilled(step.getBuilder(), step.getLoc(), sum->type, 0.0), sum);
  update.returnScale();
  update.returnFoundInf();
  return step.finish();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The model called `name`, else the only one that has a backward function.
static FailureOr<func::FuncOp> selectModel(ModuleOp module, StringRef name) {
  if (!name.empty())
    return selectFunction(module, name);
  SmallVector<func::FuncOp> models;
  for (auto func : module.getOps<func::FuncOp>())
    if (module.lookupSymbol<func::FuncOp>((func.getName() + "_backward").str()))
      models.push_back(func);
  if (models.size() == 1)
    return models.front();
  InFlightDiagnostic diag =
      module.emitError()
      << "expected one function with a backward function, got "
      << models.size();
  for (func::FuncOp model : models)
    diag.attachNote(model.getLoc()) << "@" << model.getName() << " has one";
  return diag;
}

namespace {
struct BuildTrainStepPass
    : cma::impl::CMABuildTrainStepPassBase<BuildTrainStepPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(readOptions()) || failed(run()))
      signalPassFailure();
  }

  InFlightDiagnostic error() { return getOperation().emitError(); }

  /// Fills `settings`; an error names the option.
  LogicalResult readOptions();
  LogicalResult readLossScale();

  LogicalResult run();
  LogicalResult checkModel(const BackwardModel &model);
  LogicalResult checkCotangent(const BackwardModel &model);

  StepSettings settings;
};
} // namespace

LogicalResult BuildTrainStepPass::readLossScale() {
  std::string message;
  if (!parseLossScale(lossScale, settings.lossScale, message))
    return error() << "invalid option 'loss-scale': " << message;
  StringRef rounding = settings.lossScale.findRounding();
  if (!rounding.empty())
    remark::analysis(
        getOperation().getLoc(),
        remark::RemarkOpts::name("LossScale").category("cma-build-train-step"))
        << "no power of two: scaling and unscaling round"
        << remark::metric("setting", rounding.str());
  return success();
}

LogicalResult BuildTrainStepPass::readOptions() {
  if (optimizer != "sgd" && optimizer != "adamw")
    return error() << "expected 'optimizer' to be sgd or adamw, got '"
                   << optimizer << "'";
  if (optimizer == "adamw")
    settings.optimizer = StepSettings::Optimizer::AdamW;
  for (auto [name, value] : {std::pair("momentum", momentum.getValue()),
                             std::pair("beta1", beta1.getValue()),
                             std::pair("beta2", beta2.getValue())})
    if (!(value >= 0 && value < 1))
      return error() << "expected '" << name
                     << "' to be at least 0 and below 1, got " << value;
  for (auto [name, value] : {std::pair("weight-decay", weightDecay.getValue()),
                             std::pair("epsilon", epsilon.getValue())})
    if (!(value >= 0) || !std::isfinite(value))
      return error() << "expected '" << name
                     << "' to be finite and not negative, got " << value;
  if (optimizer == "adamw" && momentum != 0)
    return error() << "expected no 'momentum' for adamw, which has 'beta1', "
                      "got "
                   << momentum;
  if (!(clip >= 0) || !std::isfinite(clip))
    return error() << "expected 'clip' to be finite and above 0, or 0 for no "
                      "clipping, got "
                   << clip;
  if (clip != 0)
    settings.maxNorm = clip;
  if (accumulate < 1)
    return error() << "expected 'accumulate' to be at least 1, got "
                   << accumulate.getValue();
  settings.momentum = momentum;
  settings.beta1 = beta1;
  settings.beta2 = beta2;
  settings.epsilon = epsilon;
  settings.weightDecay = weightDecay;
  settings.accumulate = accumulate;
  return readLossScale();
}

/// What the settings need of the model.
LogicalResult BuildTrainStepPass::checkModel(const BackwardModel &model) {
  for (const BackwardModel::Parameter &parameter : model.parameters) {
    Type element = parameter.type.getElementType();
    if (!element.isF32() && !element.isF64())
      return model.func->emitOpError()
             << "expected parameter '" << parameter.name
             << "' to be of f32 or f64, in which optimizers compute, got "
             << element;
    if (settings.accumulate > 1 &&
        failed(model.checkFree(parameter.name + ".gradient",
                               "for a sum of gradients")))
      return failure();
  }
  if (failed(checkCotangent(model)))
    return failure();
  return ParameterUpdate::checkNames(model, settings);
}

/// A loss below f32 has a cotangent below f32: it must hold each scale that may
/// come, since gradients lose the scale itself and not what it was rounded to.
LogicalResult BuildTrainStepPass::checkCotangent(const BackwardModel &model) {
  func::FuncOp func = model.func;
  auto type = cast<FloatType>(
      getElementTypeOrSelf(func.getArgumentTypes()[model.cotangent]));
  if (!isLowFloat(type))
    return success();
  std::string inexact = settings.lossScale.findInexact(type.getFloatSemantics(),
                                                       settings.accumulate);
  if (inexact.empty())
    return success();
  InFlightDiagnostic error = func.emitOpError() << "expected each loss scale";
  if (settings.accumulate > 1)
    error << ", divided by the " << settings.accumulate
          << " parts of 'accumulate',";
  return error << " to be a number of " << type
               << ", the type of the loss, got " << inexact
               << "; a loss of f32 takes any scale";
}

LogicalResult BuildTrainStepPass::run() {
  ModuleOp module = getOperation();
  FailureOr<func::FuncOp> model = selectModel(module, function);
  if (failed(model))
    return failure();
  SymbolTable symbols(module);
  std::string stem = model->getName().str();
  auto backward = symbols.lookup<func::FuncOp>(stem + "_backward");
  if (!backward)
    return model->emitOpError() << "expected a function '@" << stem
                                << "_backward'; run cma-differentiate first";
  using Build =
      func::FuncOp (*)(const BackwardModel &, const StepSettings &, StringRef);
  SmallVector<std::pair<std::string, Build>> functions;
  if (accumulate == 1)
    functions = {{stem + "_step", buildStep}};
  else
    functions = {{stem + "_accumulate", buildAccumulate},
                 {stem + "_apply", buildApply}};
  for (auto &[name, build] : functions)
    if (symbols.lookup(name))
      return model->emitOpError() << "expected the name '@" << name
                                  << "' to be free for the training step";
  if (failed(checkSingleBlock(backward)))
    return failure();
  FailureOr<BackwardModel> roles = BackwardModel::get(backward);
  if (failed(roles) || failed(checkModel(*roles)))
    return failure();
  for (auto &[name, build] : functions)
    symbols.insert(build(*roles, settings, name),
                   model->getOperation()->getIterator());
  for (func::FuncOp func : {*model, backward})
    if (SymbolTable::symbolKnownUseEmpty(func, module))
      symbols.erase(func);
  return success();
}
