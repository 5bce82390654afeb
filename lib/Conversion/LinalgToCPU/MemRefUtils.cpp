//===- MemRefUtils.cpp - Which buffer does a memref show? -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file traces memrefs to the buffers behind them.
//
//===----------------------------------------------------------------------===//

#include "MemRefUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The values that `value` is a view or a choice of; empty for a root.
static SmallVector<Value> getMemRefSources(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (auto view = dyn_cast<ViewLikeOpInterface>(def))
    return {view.getViewSource()};
  if (auto select = dyn_cast<arith::SelectOp>(def))
    return {select.getTrueValue(), select.getFalseValue()};
  // A branch, a switch or an inlined region gives what its blocks yield.
  SmallVector<Value> sources;
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(def)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    for (Region &region : def->getRegions())
      for (Block &block : region)
        if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
          sources.push_back(yield.getOperand(number));
  }
  return sources;
}

SmallVector<Value> cma::getMemRefRoots(Value memref) {
  SmallVector<Value> roots;
  SmallVector<Value> worklist = {memref};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    SmallVector<Value> sources = getMemRefSources(value);
    if (sources.empty() && !llvm::is_contained(roots, value))
      roots.push_back(value);
    worklist.append(sources);
  }
  return roots;
}

bool cma::mayShareBuffer(Value a, Value b) {
  SmallVector<Value> rootsOfB = getMemRefRoots(b);
  return llvm::any_of(getMemRefRoots(a), [&](Value root) {
    return llvm::is_contained(rootsOfB, root);
  });
}

Value cma::stripMemRefCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref;
}

bool cma::isSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto typeA = cast<MemRefType>(a.getType()),
       typeB = cast<MemRefType>(b.getType());
  auto isWhole = [](Value view, MemRefType type) {
    SmallVector<Value> roots = getMemRefRoots(view);
    if (roots.size() != 1)
      return false;
    auto root = dyn_cast<MemRefType>(roots.front().getType());
    return root && root.hasStaticShape() &&
           root.getNumElements() == type.getNumElements();
  };
  return typeA.hasStaticShape() && typeB.hasStaticShape() &&
         typeA.getElementType() == typeB.getElementType() &&
         isWhole(a, typeA) && isWhole(b, typeB) && mayShareBuffer(a, b);
}

bool cma::usesBuffer(Operation *op, Value memref) {
  return op
      ->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (isa<BaseMemRefType>(operand.getType()) &&
              mayShareBuffer(operand, memref))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool cma::mayTouch(Operation *op, Value memref) {
  if (isMemoryEffectFree(op) || isa<memref::AllocOp>(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0)
    if (!isa<linalg::LinalgOp>(op))
      return true;
  // The body of a linalg op may load from any buffer.
  return usesBuffer(op, memref);
}
