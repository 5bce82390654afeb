//===- StepFunction.cpp - Functions of a training step --------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file puts functions with roles, names and updates together.
//
//===----------------------------------------------------------------------===//

#include "StepFunction.h"

#include "cma/Dialect/CMA/IR/CMADialect.h"

using namespace mlir;
using namespace cma;

std::string StepFunction::Argument::getName() const {
  auto name = dyn_cast_or_null<StringAttr>(attrs.get(kNameAttr));
  return name ? name.str() : "";
}

StepFunction::StepFunction(func::FuncOp like)
    : like(like), builder(like.getContext()) {}

StepFunction::Argument *StepFunction::addArgument(Type type, StringRef role,
                                                  const Twine &name) {
  auto argument = std::make_unique<Argument>();
  argument->type = type;
  argument->attrs.set(kRoleAttr, builder.getStringAttr(role));
  if (StringAttr attr = builder.getStringAttr(name); !attr.empty())
    argument->attrs.set(kNameAttr, attr);
  arguments.push_back(std::move(argument));
  return arguments.back().get();
}

StepFunction::Argument *StepFunction::copyArgument(func::FuncOp func,
                                                   unsigned index) {
  auto argument = std::make_unique<Argument>();
  argument->type = func.getArgumentTypes()[index];
  argument->attrs = func.getArgAttrDict(index);
  arguments.push_back(std::move(argument));
  return arguments.back().get();
}

void StepFunction::begin(StringRef name) {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attrs;
  for (const auto &argument : arguments) {
    types.push_back(argument->type);
    attrs.push_back(argument->attrs.getDictionary(builder.getContext()));
  }
  function = func::FuncOp::create(like.getLoc(), name,
                                  builder.getFunctionType(types, {}));
  for (NamedAttribute attr : like->getDiscardableAttrs())
    function->setAttr(attr.getName(), attr.getValue());
  function.setAllArgAttrs(attrs);
  Block *body = function.addEntryBlock();
  for (auto [argument, value] : llvm::zip(arguments, body->getArguments()))
    argument->value = value;
  builder.setInsertionPointToEnd(body);
}

void StepFunction::addResult(Value value, DictionaryAttr attrs) {
  results.push_back(value);
  resultAttrs.push_back(attrs);
}

void StepFunction::addUpdate(Value value, const Argument *argument) {
  addResult(value, builder.getDictionaryAttr(builder.getNamedAttr(
                       kUpdatesAttr, argument->attrs.get(kNameAttr))));
}

void StepFunction::addRole(Value value, StringRef role) {
  addResult(value, builder.getDictionaryAttr(builder.getNamedAttr(
                       kRoleAttr, builder.getStringAttr(role))));
}

func::FuncOp StepFunction::finish() {
  func::ReturnOp::create(builder, like.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  function.setAllResultAttrs(resultAttrs);
  return function;
}
