//===- WeightViews.cpp - Weight views between functions -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file moves the casts of weights from the function that runs for every
// batch to the one that runs once a step.
//
//===----------------------------------------------------------------------===//

#include "WeightViews.h"
#include "Precision.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace cma;

namespace {
/// A pair of functions, and the views added so far.
class ViewSplitter {
public:
  ViewSplitter(func::FuncOp accumulate, func::FuncOp apply)
      : accumulate(accumulate), apply(apply), builder(apply.getContext()) {}

  void run();

private:
  /// The result of `apply` that updates argument `name`.
  std::optional<unsigned> findUpdate(StringRef name);
  BlockArgument addArgument(func::FuncOp func, Type type, StringAttr name,
                            StringRef parameter);
  void split(cma::CastOp cast, StringRef parameter, unsigned update);

  func::FuncOp accumulate, apply;
  OpBuilder builder;
};
} // namespace

std::optional<unsigned> ViewSplitter::findUpdate(StringRef name) {
  for (unsigned i = 0, e = apply.getNumResults(); i < e; ++i) {
    auto updated = apply.getResultAttrOfType<StringAttr>(i, kUpdatesAttr);
    if (updated && updated.getValue() == name)
      return i;
  }
  return std::nullopt;
}

BlockArgument ViewSplitter::addArgument(func::FuncOp func, Type type,
                                        StringAttr name, StringRef parameter) {
  NamedAttribute attrs[] = {
      {builder.getStringAttr(kNameAttr), name},
      {builder.getStringAttr(kRoleAttr), builder.getStringAttr("view")},
      {builder.getStringAttr(kViewOfAttr), builder.getStringAttr(parameter)}};
  unsigned index = func.getNumArguments();
  // Fails only where the function has no body of its own.
  (void)func.insertArgument(index, type, builder.getDictionaryAttr(attrs),
                            func.getLoc());
  return func.getArgument(index);
}

void ViewSplitter::split(cma::CastOp cast, StringRef parameter,
                         unsigned update) {
  Type type = cast.getType();
  std::string suffix;
  llvm::raw_string_ostream(suffix) << getTensorFloat(type);
  StringAttr name = builder.getStringAttr(parameter + "." + suffix);
  for (func::FuncOp func : {accumulate, apply})
    for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
      if (func.getArgAttr(i, kNameAttr) == name)
        return; // The model's own: the view stays a cast.
  cast.getResult().replaceAllUsesWith(
      addArgument(accumulate, type, name, parameter));
  cast.erase();

  addArgument(apply, type, name, parameter);
  Operation *end = apply.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  Value view = cma::CastOp::create(builder, apply.getLoc(), type,
                                   end->getOperand(update));
  unsigned index = apply.getNumResults();
  NamedAttribute updates(builder.getStringAttr(kUpdatesAttr), name);
  (void)apply.insertResult(index, type, builder.getDictionaryAttr(updates));
  end->insertOperands(index, view);
}

void ViewSplitter::run() {
  SmallVector<cma::CastOp> casts;
  for (auto cast : accumulate.getBody().front().getOps<cma::CastOp>())
    casts.push_back(cast);
  for (cma::CastOp cast : casts) {
    auto argument = dyn_cast<BlockArgument>(cast.getInput());
    bool isPlain =
        cast.getRound() == Rounding::NearestEven && !cast.getTf32() &&
        cast.getOverflow() == cma::CastOp::getDefaultOverflow(cast.getType());
    if (!argument || !isPlain ||
        argument.getOwner() != &accumulate.getBody().front() ||
        getArgumentRole(accumulate, argument.getArgNumber()) != "parameter")
      continue;
    std::string name = getArgumentName(accumulate, argument.getArgNumber());
    if (std::optional<unsigned> update = findUpdate(name))
      split(cast, name, *update);
  }
}

void cma::createWeightViews(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto accumulate : llvm::to_vector(module.getOps<func::FuncOp>())) {
    StringRef stem = accumulate.getName();
    if (!stem.consume_back("_accumulate") || accumulate.isDeclaration())
      continue;
    auto apply = symbols.lookup<func::FuncOp>((stem + "_apply").str());
    if (apply && !apply.isDeclaration())
      ViewSplitter(accumulate, apply).run();
  }
}
