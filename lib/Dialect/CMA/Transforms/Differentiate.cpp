//===- Differentiate.cpp - Reverse mode -----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-differentiate: which function, which result, which
// arguments. The derivatives are built by ReverseSweep.
//
//===----------------------------------------------------------------------===//

#include "ReverseSweep.h"
#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/DifferentiableOpModels.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace cma {
#define GEN_PASS_DEF_CMADIFFERENTIATEPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// The pass runs behind expansion and planning, on static shapes.
static LogicalResult checkStage(func::FuncOp func) {
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && !shaped.hasStaticShape())
      return func.emitOpError()
             << "expected argument #" << i
             << " to have a static shape to differentiate, got " << type
             << "; run cma-specialize first";
  WalkResult result = func.walk([](Operation *op) {
    if (isa<LayerOpInterface>(op)) {
      op->emitOpError() << "expected no layer to differentiate; run "
                           "cma-expand-layers first";
      return WalkResult::interrupt();
    }
    auto contract = dyn_cast<ContractOp>(op);
    if (contract && contract.getInputs().size() > 2) {
      contract.emitOpError()
          << "expected at most 2 operands to differentiate, got "
          << contract.getInputs().size() << "; run cma-plan-contractions first";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Wanted gradients
//===----------------------------------------------------------------------===//

static std::optional<unsigned> findArgument(func::FuncOp func, StringRef text) {
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    if (auto name = func.getArgAttrOfType<StringAttr>(i, kNameAttr);
        name && name.getValue() == text)
      return i;
  unsigned position = 0;
  if (!text.getAsInteger(10, position) && position < func.getNumArguments())
    return position;
  return std::nullopt;
}

/// By default the parameters, or every floating-point argument where there are
/// none.
static SmallVector<unsigned> getDefaultWanted(func::FuncOp func) {
  SmallVector<unsigned> parameters, floating;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    if (!isDifferentiableType(func.getArgumentTypes()[i]))
      continue;
    floating.push_back(i);
    if (getArgumentRole(func, i) == "parameter")
      parameters.push_back(i);
  }
  return parameters.empty() ? floating : parameters;
}

/// Positions of the wanted arguments in ascending order.
static FailureOr<SmallVector<unsigned>>
parseWanted(func::FuncOp func, ArrayRef<std::string> wanted) {
  SmallVector<unsigned> positions;
  for (StringRef text : wanted) {
    std::optional<unsigned> position = findArgument(func, text);
    if (!position)
      return func.emitOpError()
             << "expected 'wanted' to hold argument names or positions below "
             << func.getNumArguments() << ", got '" << text << "'";
    Type type = func.getArgumentTypes()[*position];
    if (!isDifferentiableType(type))
      return func.emitOpError() << "expected wanted argument '" << text
                                << "' to be floating-point, got " << type;
    if (llvm::is_contained(positions, *position))
      return func.emitOpError()
             << "expected 'wanted' to name argument #" << *position
             << " once, got '" << text << "' for it again";
    positions.push_back(*position);
  }
  if (wanted.empty())
    positions = getDefaultWanted(func);
  if (positions.empty())
    return func.emitOpError()
           << "expected a floating-point argument to differentiate by";
  llvm::sort(positions);
  return positions;
}

//===----------------------------------------------------------------------===//
// The backward function
//===----------------------------------------------------------------------===//

/// Appends the cotangent's argument. It is named unless the model uses the
/// name.
static Value addCotangentArgument(func::FuncOp func, Type type) {
  Builder builder(func.getContext());
  NamedAttrList attrs;
  attrs.set(kRoleAttr, builder.getStringAttr("cotangent"));
  if (!findArgument(func, "cotangent"))
    attrs.set(kNameAttr, builder.getStringAttr("cotangent"));
  unsigned index = func.getNumArguments();
  LogicalResult inserted = func.insertArgument(
      index, type, attrs.getDictionary(func.getContext()), func.getLoc());
  assert(succeeded(inserted) && "the type of a result is that of an argument");
  (void)inserted;
  return func.getArgument(index);
}

static void addGradientResult(func::FuncOp func, unsigned argument) {
  Builder builder(func.getContext());
  NamedAttrList attrs;
  attrs.set(kRoleAttr, builder.getStringAttr("gradient"));
  attrs.set(kGradientAttr,
            builder.getStringAttr(getArgumentName(func, argument)));
  LogicalResult inserted =
      func.insertResult(func.getNumResults(), func.getArgumentTypes()[argument],
                        attrs.getDictionary(func.getContext()));
  assert(succeeded(inserted) && "an argument's type is that of a result");
  (void)inserted;
}

/// Turns `func`, a copy of the model, into its backward function.
static LogicalResult differentiate(func::FuncOp func, unsigned result,
                                   ArrayRef<unsigned> wanted) {
  Block &body = func.getBody().front();
  SmallVector<Operation *> forward = getBodyOps(body);
  auto returnOp = cast<func::ReturnOp>(body.getTerminator());
  OpBuilder builder(returnOp);
  ReverseSweep sweep(builder);
  for (unsigned argument : wanted)
    sweep.activate(func.getArgument(argument));
  sweep.propagate(forward);

  Value output = returnOp.getOperand(result);
  Value cotangent = addCotangentArgument(func, output.getType());
  if (sweep.isActive(output))
    sweep.addCotangent(output, cotangent);
  if (failed(sweep.run(forward)))
    return failure();

  SmallVector<Value> gradients;
  for (unsigned argument : wanted) {
    Value gradient = sweep.getCotangent(func.getArgument(argument));
    if (!gradient)
      gradient = createFilled(builder, func.getLoc(),
                              func.getArgument(argument).getType(), 0.0);
    gradients.push_back(gradient);
    addGradientResult(func, argument);
  }
  returnOp.getOperandsMutable().append(gradients);
  eraseDeadOps(body);
  return success();
}

namespace {
struct DifferentiatePass
    : cma::impl::CMADifferentiatePassBase<DifferentiatePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerDifferentiableOpModels(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    FailureOr<func::FuncOp> func = selectFunction(getOperation(), function);
    if (failed(func) || failed(checkSingleBlock(*func)) ||
        failed(checkStage(*func)))
      return failure();
    FailureOr<unsigned> result = findDifferentiatedResult(*func);
    if (failed(result))
      return failure();
    auto positions = parseWanted(*func, wanted);
    if (failed(positions))
      return failure();

    std::string name = (func->getName() + "_backward").str();
    SymbolTable symbols(getOperation());
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diag = func->emitOpError()
                                << "expected the name '@" << name
                                << "' to be free for the backward function";
      diag.attachNote(other->getLoc()) << "it is taken here";
      return diag;
    }
    auto backward = cast<func::FuncOp>(func->getOperation()->clone());
    backward.setName(name);
    backward.setPublic();
    symbols.insert(backward, std::next(func->getOperation()->getIterator()));
    return differentiate(backward, *result, *positions);
  }
};
} // namespace
