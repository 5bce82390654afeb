//===- Retype.cpp - Another floating-point type ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-retype.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace cma {
#define GEN_PASS_DEF_CMARETYPEPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// Replaces one float type by another in the types and constants of a function.
class Retyper {
public:
  Retyper(FloatType from, FloatType to) : from(from), to(to) {}

  LogicalResult run(func::FuncOp func);

private:
  /// The replacement of `type`; null where `type` holds `from` in a way that is
  /// not known.
  Type convert(Type type) const;
  Attribute convertConstant(Attribute value) const;
  LogicalResult retype(Operation *op, Value value) const;
  LogicalResult retypeOp(Operation *op);

  FloatType from, to;
};
} // namespace

Type Retyper::convert(Type type) const {
  if (type == from)
    return to;
  if (isa<RankedTensorType, UnrankedTensorType, VectorType, MemRefType,
          UnrankedMemRefType>(type)) {
    auto shaped = cast<ShapedType>(type);
    Type element = convert(shaped.getElementType());
    return element ? Type(shaped.clone(element)) : Type();
  }
  if (auto function = dyn_cast<FunctionType>(type)) {
    SmallVector<Type> inputs, results;
    for (Type input : function.getInputs())
      inputs.push_back(convert(input));
    for (Type result : function.getResults())
      results.push_back(convert(result));
    if (llvm::is_contained(inputs, Type()) ||
        llvm::is_contained(results, Type()))
      return {};
    return function.clone(inputs, results);
  }
  bool holds = type.walk([&](Type inner) {
                     return inner == from ? WalkResult::interrupt()
                                          : WalkResult::advance();
                   })
                   .wasInterrupted();
  return holds ? Type() : type;
}

/// `value`, rounded to nearest where the new type is narrower.
static APFloat roundTo(APFloat value, FloatType type) {
  bool losesInfo = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// The value of a constant in the new type; null where its form is not known.
Attribute Retyper::convertConstant(Attribute value) const {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || convert(typed.getType()) == typed.getType())
    return value;
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(to, roundTo(number.getValue(), to));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    return dense.mapValues(to, [&](const APFloat &element) {
      return roundTo(element, to).bitcastToAPInt();
    });
  return {};
}

LogicalResult Retyper::retype(Operation *op, Value value) const {
  Type type = convert(value.getType());
  if (!type)
    return op->emitOpError()
           << "expected numbers, tensors, vectors, memrefs or functions of "
           << from << " to retype, got " << value.getType();
  value.setType(type);
  return success();
}

LogicalResult Retyper::retypeOp(Operation *op) {
  for (Value result : op->getResults())
    if (failed(retype(op, result)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        if (failed(retype(op, argument)))
          return failure();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value =
        dyn_cast_or_null<TypedAttr>(convertConstant(constant.getValue()));
    if (!value)
      return constant.emitOpError()
             << "expected a number or dense elements to retype";
    constant.setValueAttr(value);
  }
  return success();
}

LogicalResult Retyper::run(func::FuncOp func) {
  auto type = dyn_cast_or_null<FunctionType>(convert(func.getFunctionType()));
  if (!type)
    return func.emitOpError()
           << "expected numbers, tensors, vectors, memrefs or functions of "
           << from << " to retype, got " << func.getFunctionType();
  func.setFunctionType(type);
  WalkResult result = func.walk([&](Operation *op) {
    return failed(retypeOp(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  func.walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  return success();
}

static FailureOr<FloatType> parseType(ModuleOp module, StringRef option,
                                      StringRef text) {
  Builder builder(module.getContext());
  if (text == "f32")
    return FloatType(builder.getF32Type());
  if (text == "f64")
    return FloatType(builder.getF64Type());
  return module.emitError() << "expected '" << option
                            << "' to be f32 or f64, got '" << text << "'";
}

namespace {
struct RetypePass : cma::impl::CMARetypePassBase<RetypePass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<FloatType> source = parseType(getOperation(), "from", from);
    FailureOr<FloatType> target = parseType(getOperation(), "to", to);
    if (failed(source) || failed(target))
      return signalPassFailure();
    Retyper retyper(*source, *target);
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(retyper.run(func)))
        return signalPassFailure();
  }
};
} // namespace
