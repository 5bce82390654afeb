//===- CastReport.cpp - What casts cost and what types save ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file counts the bytes of casts, masters, weight views and saved values.
//
//===----------------------------------------------------------------------===//

#include "CastReport.h"
#include "Precision.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

namespace {
/// Bytes in the types of the function, and what they were in f32.
struct Bytes {
  uint64_t assigned = 0, f32 = 0;

  void add(Type type, Type element) {
    assigned = llvm::SaturatingAdd(assigned, getTensorBytes(type, element));
  }
  void addF32(Type type) {
    f32 = llvm::SaturatingAdd(
        f32, getTensorBytes(type, Float32Type::get(type.getContext())));
  }
};
} // namespace

/// Whether the function updates the argument.
static bool updates(func::FuncOp func, StringRef name) {
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    if (auto updated = func.getResultAttrOfType<StringAttr>(i, kUpdatesAttr))
      if (updated.getValue() == name)
        return true;
  return false;
}

/// Whether the function is part of a step that another function ends.
static bool isAccumulating(func::FuncOp func) {
  bool hasUpdates = false, hasMasters = false;
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    hasUpdates |= bool(func.getResultAttr(i, kUpdatesAttr));
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    hasMasters |= getArgumentRole(func, i) == "parameter" &&
                  updates(func, getArgumentName(func, i));
  return hasUpdates && !hasMasters;
}

/// Masters are the parameters; views are casts of them, and arguments of role
/// "view". Of two functions of a step the one that updates the masters counts
/// them, and the other one the views.
static std::pair<uint64_t, Bytes> countWeights(func::FuncOp func) {
  uint64_t masters = 0;
  Bytes views;
  bool accumulates = isAccumulating(func);
  for (BlockArgument argument : func.getArguments()) {
    StringRef role = getArgumentRole(func, argument.getArgNumber());
    FloatType element = getTensorFloat(argument);
    if (!element)
      continue;
    if (role == "view" &&
        !updates(func, getArgumentName(func, argument.getArgNumber()))) {
      views.add(argument.getType(), element);
      views.addF32(argument.getType());
    }
    if (role != "parameter")
      continue;
    if (!accumulates)
      masters = llvm::SaturatingAdd(
          masters, getTensorBytes(argument.getType(), element));
    for (Operation *user : argument.getUsers())
      if (auto cast = dyn_cast<cma::CastOp>(user)) {
        views.add(cast.getType(), getTensorFloat(cast.getResult()));
        views.addF32(cast.getType());
      }
  }
  return {masters, views};
}

/// The op of the function's block that holds `op`.
static Operation *getTopLevel(func::FuncOp func, Operation *op) {
  return func.getBody().front().findAncestorOpInBlock(*op);
}

/// Ops of the function's block on which what the model returns depends.
static llvm::SetVector<Operation *> collectForward(func::FuncOp func) {
  llvm::SetVector<Operation *> forward;
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    StringRef role = getResultRole(func, i);
    if (role == "loss" || role == "logits" || role == "metric")
      if (Operation *op = value.getDefiningOp())
        forward.insert(op);
  }
  for (size_t i = 0; i < forward.size(); ++i)
    forward[i]->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp())
          if (Operation *top = getTopLevel(func, source))
            forward.insert(top);
    });
  return forward;
}

/// What a value is a copy or a view of.
static Value findRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<cma::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Results of forward ops that ops beside the forward ones read, in the types
/// in which they read them.
static Bytes countSaved(func::FuncOp func) {
  llvm::SetVector<Operation *> forward = collectForward(func);
  llvm::MapVector<Value, llvm::SetVector<Type>> saved;
  func.walk([&](Operation *op) {
    if (op == func || op->hasTrait<OpTrait::IsTerminator>() ||
        isa<cma::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return;
    Operation *top = getTopLevel(func, op);
    if (!top || forward.contains(top))
      return;
    for (Value operand : op->getOperands()) {
      FloatType element = getTensorFloat(operand);
      Operation *source = findRoot(operand).getDefiningOp();
      if (element && source && !isFreeConstant(source) &&
          forward.contains(source))
        saved[findRoot(operand)].insert(element);
    }
  });
  Bytes bytes;
  if (forward.empty())
    return bytes;
  for (auto &[value, types] : saved) {
    bytes.addF32(value.getType());
    for (Type type : types)
      bytes.add(value.getType(), type);
  }
  return bytes;
}

void cma::writeCastReport(func::FuncOp func, llvm::json::OStream &json) {
  ValueNames names(func);
  uint64_t count = 0, total = 0;
  json.attribute("function", func.getName());
  json.attributeArray("casts", [&] {
    func.walk([&](cma::CastOp op) {
      uint64_t bytes = llvm::SaturatingMultiply(
          getTensorBytes(op.getType(), getTensorFloat(op.getResult())),
          countExecutions(op));
      ++count;
      total = llvm::SaturatingAdd(total, bytes);
      json.object([&] {
        json.attribute("value", names.get(op.getInput()));
        json.attribute("from", spell(getTensorFloat(op.getInput())));
        json.attribute("to", op.getTf32()
                                 ? "tf32"
                                 : spell(getTensorFloat(op.getResult())));
        json.attribute("bytes", bytes);
      });
    });
  });
  json.attribute("cast_count", count);
  json.attribute("cast_bytes", total);
  auto [masters, views] = countWeights(func);
  Bytes saved = countSaved(func);
  json.attribute("master_bytes", masters);
  json.attribute("view_bytes", views.assigned);
  json.attribute("view_f32_bytes", views.f32);
  json.attribute("saved_bytes", saved.assigned);
  json.attribute("saved_f32_bytes", saved.f32);
}
