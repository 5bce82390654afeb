//===- Specialize.cpp - Static shapes -------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-specialize.
//
//===----------------------------------------------------------------------===//

#include "ShapeRefinement.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace cma {
#define GEN_PASS_DEF_CMASPECIALIZEPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {
/// Inlines all calls in a function.
class Inliner {
public:
  explicit Inliner(ModuleOp module) : symbols(module) {}

  LogicalResult run(func::FuncOp func) {
    SmallVector<func::FuncOp> path;
    if (failed(check(func, path)))
      return failure();
    SmallVector<func::CallOp> calls;
    while (calls = getCalls(func), !calls.empty())
      for (func::CallOp call : calls)
        inlineCall(call);
    return success();
  }

  /// Erases the private functions that were inlined and that nothing uses.
  void eraseUnused() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (func::FuncOp func : callees) {
        if (!func.isPrivate() ||
            !SymbolTable::symbolKnownUseEmpty(func, symbols.getOp()))
          continue;
        callees.remove(func);
        symbols.erase(func);
        changed = true;
        break;
      }
    }
  }

private:
  static SmallVector<func::CallOp> getCalls(func::FuncOp func) {
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) { calls.push_back(call); });
    return calls;
  }

  /// Every call below `func`, which `path` leads to, can be inlined.
  LogicalResult check(func::FuncOp func, SmallVectorImpl<func::FuncOp> &path) {
    if (checked.contains(func))
      return success();
    path.push_back(func);
    for (func::CallOp call : getCalls(func)) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (llvm::is_contained(path, callee))
        return call.emitOpError() << "expected no recursion, got a call of '@"
                                  << call.getCallee() << "' within itself";
      if (failed(checkSingleBlock(callee)) || failed(check(callee, path)))
        return failure();
    }
    path.pop_back();
    checked.insert(func);
    return success();
  }

  void inlineCall(func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    callees.insert(callee);
    Block &body = callee.getBody().front();
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }

  SymbolTable symbols;
  llvm::DenseSet<Operation *> checked;
  llvm::SetVector<func::FuncOp> callees;
};
} // namespace

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The type of argument `index` with `batch` for its first axis.
static FailureOr<Type> specializeArgument(func::FuncOp func, unsigned index,
                                          int64_t batch) {
  Type type = func.getArgumentTypes()[index];
  if (isa<UnrankedTensorType>(type))
    return func.emitOpError()
           << "expected argument '" << getArgumentName(func, index)
           << "' to be ranked, got " << type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    if (axis != 0)
      return func.emitOpError()
             << "expected '?' on the first axis only, got one on axis " << axis
             << " of argument '" << getArgumentName(func, index) << "', "
             << type;
    extent = batch;
  }
  if (!checkedProduct(shape))
    return func.emitOpError()
           << "expected argument '" << getArgumentName(func, index)
           << "' to have at most 2^63 - 1 elements, got " << type
           << " with batch " << batch;
  return Type(withShape(type, shape));
}

/// Nothing dynamic hides in a region that the refinement does not enter.
static LogicalResult checkStatic(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || shaped.hasStaticShape())
        continue;
      op->emitOpError() << "expected a static shape, got " << type;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult specialize(func::FuncOp func, int64_t batch) {
  Block &body = func.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    FailureOr<Type> type =
        specializeArgument(func, argument.getArgNumber(), batch);
    if (failed(type))
      return failure();
    argument.setType(*type);
  }
  if (failed(refineShapes(body, batch)))
    return failure();
  func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                 body.getTerminator()->getOperandTypes()));
  return checkStatic(func);
}

LogicalResult cma::specializeFunctions(ModuleOp module,
                                       ArrayRef<func::FuncOp> functions,
                                       int64_t batch) {
  Inliner inliner(module);
  for (func::FuncOp func : functions)
    if (failed(checkSingleBlock(func)) || failed(inliner.run(func)))
      return failure();
  inliner.eraseUnused();
  for (func::FuncOp func : functions)
    if (failed(specialize(func, batch)))
      return failure();
  return success();
}

namespace {
struct SpecializePass : cma::impl::CMASpecializePassBase<SpecializePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (batch < 1)
      return module.emitError()
             << "expected 'batch' to be at least 1, got " << batch.getValue();
    SmallVector<func::FuncOp> functions;
    if (function.empty()) {
      for (auto func : module.getOps<func::FuncOp>())
        if (func.isPublic() && !func.isExternal())
          functions.push_back(func);
    } else {
      FailureOr<func::FuncOp> func = selectFunction(module, function);
      if (failed(func))
        return failure();
      functions.push_back(*func);
    }
    return specializeFunctions(module, functions, batch);
  }
};
} // namespace
