//===- BackwardModel.cpp - A backward function by roles -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file sorts arguments and results of backward functions by role.
//
//===----------------------------------------------------------------------===//

#include "BackwardModel.h"

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cma;

static StringRef getResultString(func::FuncOp func, unsigned index,
                                 StringRef name) {
  auto attr = func.getResultAttrOfType<StringAttr>(index, name);
  return attr ? attr.getValue() : StringRef();
}

static LogicalResult addParameter(BackwardModel &model, unsigned index) {
  Type type = model.func.getArgumentTypes()[index];
  std::string name = getArgumentName(model.func, index);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isDifferentiableType(type))
    return model.func.emitOpError()
           << "expected parameter '" << name
           << "' to be a floating-point tensor, got " << type;
  model.parameters.push_back({index, 0, name, tensor});
  return success();
}

static LogicalResult sortArguments(BackwardModel &model) {
  func::FuncOp func = model.func;
  std::optional<unsigned> cotangent;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    StringRef role = getArgumentRole(func, i);
    if (role == "parameter") {
      if (failed(addParameter(model, i)))
        return failure();
    } else if (role == "state") {
      model.states.push_back(i);
    } else if (role == "data") {
      model.data.push_back(i);
    } else if (role == "cotangent" && !cotangent) {
      cotangent = i;
    } else {
      return func.emitOpError()
             << "expected argument #" << i
             << " to have the role \"parameter\", \"state\" or \"data\" to "
                "build a training step, got "
             << (role.empty() ? "none" : "\"" + role.str() + "\"");
    }
  }
  if (model.parameters.empty())
    return func.emitOpError()
           << "expected at least one argument of role \"parameter\" to train";
  std::optional<unsigned> loss = findLoss(func);
  if (!loss || !cotangent ||
      func.getArgumentTypes()[*cotangent] != func.getResultTypes()[*loss])
    return func.emitOpError()
           << "expected a result of role \"loss\" and an argument of role "
              "\"cotangent\" for it";
  model.cotangent = *cotangent;
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

static LogicalResult sortResults(BackwardModel &model) {
  func::FuncOp func = model.func;
  llvm::StringMap<unsigned> gradients;
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    if (func.getResultAttr(i, kGradientAttr)) {
      gradients[getResultString(func, i, kGradientAttr)] = i;
    } else if (func.getResultAttr(i, kUpdatesAttr)) {
      StringRef name = getResultString(func, i, kUpdatesAttr);
      unsigned argument = 0;
      while (getArgumentName(func, argument) != name)
        ++argument; // the dialect has verified that there is one
      model.updates.push_back({i, argument});
    } else {
      model.outputs.push_back(i);
    }
  }
  llvm::sort(model.updates,
             [](auto &a, auto &b) { return a.argument < b.argument; });
  llvm::sort(model.outputs, [&](unsigned a, unsigned b) {
    return std::pair(getResultRank(getResultRole(func, a)), a) <
           std::pair(getResultRank(getResultRole(func, b)), b);
  });
  for (BackwardModel::Parameter &parameter : model.parameters) {
    auto it = gradients.find(parameter.name);
    if (it == gradients.end())
      return func.emitOpError()
             << "expected a gradient of parameter '" << parameter.name
             << "'; cma-differentiate makes one unless 'wanted' leaves it out";
    parameter.gradient = it->second;
    for (const BackwardModel::Update &update : model.updates)
      if (update.argument == parameter.argument)
        return func.emitOpError()
               << "expected the optimizer alone to update parameter '"
               << parameter.name << "', got result #" << update.result
               << " for it";
  }
  return success();
}

FailureOr<BackwardModel> BackwardModel::get(func::FuncOp func) {
  BackwardModel model;
  model.func = func;
  if (failed(sortArguments(model)) || failed(sortResults(model)))
    return failure();
  return model;
}

bool BackwardModel::hasName(StringRef name) const {
  func::FuncOp handle = func;
  for (unsigned i = 0, e = handle.getNumArguments(); i < e; ++i)
    if (auto attr = handle.getArgAttrOfType<StringAttr>(i, kNameAttr))
      if (attr == name)
        return true;
  return false;
}

LogicalResult BackwardModel::checkFree(StringRef name, StringRef use) const {
  func::FuncOp handle = func;
  for (unsigned i = 0, e = handle.getNumArguments(); i < e; ++i)
    if (getArgumentName(handle, i) == name)
      return handle.emitOpError()
             << "expected the name '" << name << "' to be free " << use
             << ", got argument #" << i << " of that name";
  return success();
}
