//===- CreateMasters.cpp - Parameters in f32 ------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-create-masters.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

namespace cma {
#define GEN_PASS_DEF_CMACREATEMASTERSPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

void cma::createMasters(func::FuncOp func) {
  if (func.isDeclaration())
    return;
  Block &entry = func.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    FloatType element = getTensorFloat(argument);
    if (getArgumentRole(func, argument.getArgNumber()) != "parameter" ||
        !element || !isLowFloat(element))
      continue;
    auto view = cast<RankedTensorType>(argument.getType());
    argument.setType(view.clone(builder.getF32Type()));
    auto cast = cma::CastOp::create(builder, argument.getLoc(), view, argument);
    argument.replaceAllUsesExcept(cast.getResult(), cast);
  }
  func.setFunctionType(
      builder.getFunctionType(entry.getArgumentTypes(), func.getResultTypes()));
}

namespace {
struct CreateMastersPass
    : cma::impl::CMACreateMastersPassBase<CreateMastersPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<func::FuncOp>())
      // A call's operands have the types that were declared.
      if (SymbolTable::symbolKnownUseEmpty(func, module))
        createMasters(func);
  }
};
} // namespace
