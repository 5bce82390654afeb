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

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace cma {
#define GEN_PASS_DEF_CMABUILDTRAINSTEPPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

static StringRef getResultString(func::FuncOp func, unsigned index,
                                 StringRef name) {
  auto attr = func.getResultAttrOfType<StringAttr>(index, name);
  return attr ? attr.getValue() : StringRef();
}

namespace {
/// Writes the step of one model from its backward function.
class StepBuilder {
public:
  StepBuilder(func::FuncOp backward, StringRef name, double momentum,
              double weightDecay)
      : backward(backward), name(name), momentum(momentum),
        weightDecay(weightDecay), builder(backward.getContext()) {}

  /// Sorts the arguments and results by role and checks them.
  LogicalResult analyze();
  /// The step function, outside of any module.
  func::FuncOp build();

private:
  struct Argument {
    Type type;
    NamedAttrList attrs;
    Value value;
  };
  struct Parameter {
    unsigned argument;
    unsigned gradient;
  };

  LogicalResult analyzeArguments();
  LogicalResult analyzeResults();
  Argument *addArgument(Type type, StringRef role, const Twine &name);
  void copyArgument(unsigned index);
  void declareArguments();
  func::FuncOp createFunction();
  Value getLearningRate(Type element);
  void addResult(Value value, DictionaryAttr attrs);
  void addUpdate(Value value, StringRef argument);
  void updateParameters(const IRMapping &mapping, ValueRange returned);

  func::FuncOp backward;
  StringRef name;
  double momentum, weightDecay;
  OpBuilder builder;

  SmallVector<Parameter> parameters;
  SmallVector<unsigned> states, data;
  unsigned cotangent = 0;
  /// Results of the model that update an argument, and the others by role.
  SmallVector<unsigned> updates, outputs;

  SmallVector<std::unique_ptr<Argument>> arguments;
  DenseMap<unsigned, Argument *> copies;
  SmallVector<Argument *> buffers;
  Argument *lr = nullptr;
  DenseMap<Type, Value> learningRates;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> resultAttrs;
};
} // namespace

LogicalResult StepBuilder::analyze() {
  return success(succeeded(analyzeArguments()) && succeeded(analyzeResults()));
}

LogicalResult StepBuilder::analyzeArguments() {
  std::optional<unsigned> found;
  for (unsigned i = 0, e = backward.getNumArguments(); i < e; ++i) {
    StringRef role = getArgumentRole(backward, i);
    if (role == "parameter") {
      Type type = backward.getArgumentTypes()[i];
      if (!isa<RankedTensorType>(type) || !isDifferentiableType(type))
        return backward.emitOpError()
               << "expected parameter '" << getArgumentName(backward, i)
               << "' to be a floating-point tensor, got " << type;
      parameters.push_back({i, 0});
    } else if (role == "state") {
      states.push_back(i);
    } else if (role == "data") {
      data.push_back(i);
    } else if (role == "cotangent" && !found) {
      found = i;
    } else {
      return backward.emitOpError()
             << "expected argument #" << i
             << " to have the role \"parameter\", \"state\" or \"data\" to "
                "build a training step, got "
             << (role.empty() ? "none" : "\"" + role.str() + "\"");
    }
  }
  if (parameters.empty())
    return backward.emitOpError()
           << "expected at least one argument of role \"parameter\" to train";
  std::optional<unsigned> loss = findLoss(backward);
  if (!loss || !found ||
      backward.getArgumentTypes()[*found] != backward.getResultTypes()[*loss])
    return backward.emitOpError()
           << "expected a result of role \"loss\" and an argument of role "
              "\"cotangent\" for it";
  cotangent = *found;
  return success();
}

/// Loss, then logits, then metrics, then what has no role.
static unsigned getResultRank(StringRef role) {
  return llvm::StringSwitch<unsigned>(role)
      .Case("loss", 0)
      .Case("logits", 1)
      .Case("metric", 2)
      .Default(3);
}

LogicalResult StepBuilder::analyzeResults() {
  llvm::StringMap<unsigned> gradients;
  for (unsigned i = 0, e = backward.getNumResults(); i < e; ++i) {
    if (backward.getResultAttr(i, kGradientAttr))
      gradients[getResultString(backward, i, kGradientAttr)] = i;
    else if (backward.getResultAttr(i, kUpdatesAttr))
      updates.push_back(i);
    else
      outputs.push_back(i);
  }
  auto getUpdated = [&](unsigned result) {
    StringRef argument = getResultString(backward, result, kUpdatesAttr);
    unsigned i = 0;
    while (getArgumentName(backward, i) != argument)
      ++i; // the dialect has verified that there is one
    return i;
  };
  llvm::stable_sort(updates, [&](unsigned a, unsigned b) {
    return getUpdated(a) < getUpdated(b);
  });
  llvm::stable_sort(outputs, [&](unsigned a, unsigned b) {
    return getResultRank(getResultRole(backward, a)) <
           getResultRank(getResultRole(backward, b));
  });
  for (Parameter &parameter : parameters) {
    std::string argument = getArgumentName(backward, parameter.argument);
    auto it = gradients.find(argument);
    if (it == gradients.end())
      return backward.emitOpError()
             << "expected a gradient of parameter '" << argument
             << "'; cma-differentiate makes one unless 'wanted' leaves it out";
    parameter.gradient = it->second;
    for (unsigned update : updates)
      if (getResultString(backward, update, kUpdatesAttr) == argument)
        return backward.emitOpError()
               << "expected the optimizer alone to update parameter '"
               << argument << "', got result #" << update << " for it";
    if (momentum != 0)
      for (unsigned i = 0, e = backward.getNumArguments(); i < e; ++i)
        if (getArgumentName(backward, i) == argument + ".momentum")
          return backward.emitOpError()
                 << "expected the name '" << argument
                 << ".momentum' to be free for a momentum buffer, got "
                    "argument #"
                 << i << " of that name";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Adds an argument; it is named unless the model uses the name already.
StepBuilder::Argument *StepBuilder::addArgument(Type type, StringRef role,
                                                const Twine &name) {
  auto argument = std::make_unique<Argument>();
  argument->type = type;
  argument->attrs.set(kRoleAttr, builder.getStringAttr(role));
  Attribute nameAttr = builder.getStringAttr(name);
  bool taken = false;
  for (unsigned i = 0, e = backward.getNumArguments(); i < e; ++i)
    taken |= backward.getArgAttr(i, kNameAttr) == nameAttr;
  if (!taken)
    argument->attrs.set(kNameAttr, nameAttr);
  arguments.push_back(std::move(argument));
  return arguments.back().get();
}

void StepBuilder::copyArgument(unsigned index) {
  auto argument = std::make_unique<Argument>();
  argument->type = backward.getArgumentTypes()[index];
  argument->attrs = backward.getArgAttrDict(index);
  copies[index] = argument.get();
  arguments.push_back(std::move(argument));
}

void StepBuilder::declareArguments() {
  for (const Parameter &parameter : parameters)
    copyArgument(parameter.argument);
  for (unsigned state : states)
    copyArgument(state);
  if (momentum != 0) {
    auto zeros = InitAttr::get(builder.getContext(), InitKind::Zeros,
                               APFloat(0.0), APFloat(0.0), /*cores=*/0);
    for (const Parameter &parameter : parameters) {
      std::string owner = getArgumentName(backward, parameter.argument);
      Type type = backward.getArgumentTypes()[parameter.argument];
      buffers.push_back(addArgument(type, "state", owner + ".momentum"));
      buffers.back()->attrs.set(kInitAttr, zeros);
    }
  }
  for (unsigned index : data)
    copyArgument(index);
  lr = addArgument(RankedTensorType::get({}, builder.getF32Type()), "lr", "lr");
  addArgument(RankedTensorType::get({}, builder.getI64Type()), "step", "step");
}

/// A function with the arguments and no results yet.
func::FuncOp StepBuilder::createFunction() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attrs;
  for (const auto &argument : arguments) {
    types.push_back(argument->type);
    attrs.push_back(argument->attrs.getDictionary(builder.getContext()));
  }
  auto step = func::FuncOp::create(backward.getLoc(), name,
                                   builder.getFunctionType(types, {}));
  for (NamedAttribute attr : backward->getDiscardableAttrs())
    step->setAttr(attr.getName(), attr.getValue());
  step.setAllArgAttrs(attrs);
  Block *body = step.addEntryBlock();
  for (auto [argument, value] : llvm::zip(arguments, body->getArguments()))
    argument->value = value;
  builder.setInsertionPointToEnd(body);
  return step;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void StepBuilder::addResult(Value value, DictionaryAttr attrs) {
  results.push_back(value);
  resultAttrs.push_back(attrs);
}

void StepBuilder::addUpdate(Value value, StringRef argument) {
  NamedAttribute updates(kUpdatesAttr, builder.getStringAttr(argument));
  addResult(value, builder.getDictionaryAttr(updates));
}

/// The learning rate, at least as wide as the parameter.
Value StepBuilder::getLearningRate(Type element) {
  if (element.getIntOrFloatBitWidth() <= 32)
    return lr->value;
  Value &rate = learningRates[element];
  if (!rate)
    rate = arith::ExtFOp::create(builder, backward.getLoc(),
                                 RankedTensorType::get({}, element), lr->value);
  return rate;
}

/// One cma.sgd a parameter; their results, and the model's own state between
/// the parameters and the buffers.
void StepBuilder::updateParameters(const IRMapping &mapping,
                                   ValueRange returned) {
  SmallVector<Value> newBuffers;
  FloatAttr momentumAttr = builder.getF64FloatAttr(momentum);
  FloatAttr decayAttr = builder.getF64FloatAttr(weightDecay);
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    Value value = copies[parameter.argument]->value;
    auto type = cast<RankedTensorType>(value.getType());
    Value buffer = momentum != 0 ? buffers[i]->value : Value();
    auto sgd = SGDOp::create(
        builder, backward.getLoc(), type, buffer ? Type(type) : Type(), value,
        mapping.lookupOrDefault(returned[parameter.gradient]),
        getLearningRate(type.getElementType()), buffer, momentumAttr,
        decayAttr);
    addUpdate(sgd.getNewParameter(),
              getArgumentName(backward, parameter.argument));
    if (buffer)
      newBuffers.push_back(sgd.getNewBuffer());
  }
  for (unsigned update : updates)
    addResult(mapping.lookupOrDefault(returned[update]),
              backward.getResultAttrDict(update));
  for (auto [parameter, buffer] : llvm::zip(parameters, newBuffers))
    addUpdate(buffer,
              getArgumentName(backward, parameter.argument) + ".momentum");
}

func::FuncOp StepBuilder::build() {
  declareArguments();
  func::FuncOp step = createFunction();

  IRMapping mapping;
  for (auto [index, argument] : copies)
    mapping.map(backward.getArgument(index), argument->value);
  Value seed = backward.getArgument(cotangent);
  mapping.map(seed,
              createFilled(builder, backward.getLoc(), seed.getType(), 1.0));
  Block &body = backward.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);

  ValueRange returned = body.getTerminator()->getOperands();
  updateParameters(mapping, returned);
  for (unsigned output : outputs)
    addResult(mapping.lookupOrDefault(returned[output]),
              backward.getResultAttrDict(output));
  func::ReturnOp::create(builder, backward.getLoc(), results);
  step.setFunctionType(builder.getFunctionType(step.getArgumentTypes(),
                                               ValueRange(results).getTypes()));
  step.setAllResultAttrs(resultAttrs);
  return step;
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
    if (failed(checkOptions()) || failed(run()))
      signalPassFailure();
  }

  LogicalResult checkOptions() {
    if (!(momentum >= 0 && momentum < 1))
      return getOperation().emitError()
             << "expected 'momentum' to be at least 0 and below 1, got "
             << momentum;
    if (!(weightDecay >= 0) || !std::isfinite(weightDecay))
      return getOperation().emitError()
             << "expected 'weight-decay' to be finite and not negative, got "
             << weightDecay;
    return success();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    FailureOr<func::FuncOp> model = selectModel(module, function);
    if (failed(model))
      return failure();
    SymbolTable symbols(module);
    auto backward =
        symbols.lookup<func::FuncOp>((model->getName() + "_backward").str());
    if (!backward)
      return model->emitOpError()
             << "expected a function '@" << model->getName()
             << "_backward'; run cma-differentiate first";
    std::string name = (model->getName() + "_step").str();
    if (symbols.lookup(name))
      return model->emitOpError() << "expected the name '@" << name
                                  << "' to be free for the training step";
    if (failed(checkSingleBlock(backward)))
      return failure();
    StepBuilder builder(backward, name, momentum, weightDecay);
    if (failed(builder.analyze()))
      return failure();
    symbols.insert(builder.build(), model->getOperation()->getIterator());
    for (func::FuncOp func : {*model, backward})
      if (SymbolTable::symbolKnownUseEmpty(func, module))
        symbols.erase(func);
    return success();
  }
};
} // namespace
