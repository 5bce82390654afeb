//===- Functions.cpp - Model functions -----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file finds model functions and reads their attributes.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/Functions.h"

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"

using namespace mlir;
using namespace cma;

FailureOr<func::FuncOp> cma::selectFunction(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates, withLoss;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!name.empty() && func.getName() == name)
      return func;
    if (!func.isPublic() || func.isExternal())
      continue;
    candidates.push_back(func);
    if (findLoss(func))
      withLoss.push_back(func);
  }
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  if (name.empty() && withLoss.size() == 1)
    return withLoss.front();

  InFlightDiagnostic diag = module.emitError();
  if (!name.empty())
    diag << "expected a function '@" << name << "'";
  else
    diag << "expected one public function, or one with a result of role "
            "\"loss\", to choose by itself";
  if (candidates.empty())
    return diag << "; the module has no public function with a body";
  diag << "; the module has ";
  llvm::interleaveComma(candidates, diag, [&](func::FuncOp func) {
    diag << "@" << func.getName();
  });
  return diag;
}

static StringRef getString(DictionaryAttr attrs, StringRef name) {
  auto attr = attrs ? attrs.getAs<StringAttr>(name) : StringAttr();
  return attr ? attr.getValue() : StringRef();
}

StringRef cma::getArgumentRole(func::FuncOp func, unsigned index) {
  return getString(func.getArgAttrDict(index), kRoleAttr);
}

StringRef cma::getResultRole(func::FuncOp func, unsigned index) {
  return getString(func.getResultAttrDict(index), kRoleAttr);
}

std::string cma::getArgumentName(func::FuncOp func, unsigned index) {
  StringRef name = getString(func.getArgAttrDict(index), kNameAttr);
  return name.empty() ? std::to_string(index) : name.str();
}

std::optional<unsigned> cma::findLoss(func::FuncOp func) {
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    if (getResultRole(func, i) == "loss")
      return i;
  return std::nullopt;
}

FailureOr<unsigned> cma::findDifferentiatedResult(func::FuncOp func) {
  if (std::optional<unsigned> loss = findLoss(func))
    return *loss;
  SmallVector<unsigned> floating;
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (isDifferentiableType(type))
      floating.push_back(i);
  if (floating.size() == 1)
    return floating.front();
  return func.emitOpError()
         << "expected a result of role \"loss\" or exactly one floating-point "
            "result to differentiate, got "
         << floating.size() << " floating-point results";
}

LogicalResult cma::checkSingleBlock(func::FuncOp func) {
  if (func.isExternal())
    return func.emitOpError() << "expected a body";
  if (!func.getBody().hasOneBlock())
    return func.emitOpError() << "expected a body of one block, got "
                              << func.getBody().getBlocks().size();
  return success();
}
