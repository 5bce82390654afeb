//===- Guards.cpp - Skipped updates to linalg -----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file dissolves cma.guard: its region is computed in any case, and each
// element becomes the new or the old one.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cma;

/// Whether `value` is what an elementwise op of the guard's region makes, for
/// the guard alone, of `old` in its place: then the op's body can choose.
static bool updatesInPlace(GuardOp guard, Value value, Value old) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op->getParentOp() != guard || !value.hasOneUse() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  OpOperand *init = op.getDpsInitOperand(number);
  return init->get() == old && op.getMatchingIndexingMap(init).isIdentity();
}

/// The element at hand of `old` or, without overflow, of the op's result.
static void chooseInBody(OpBuilder &builder, Value value, Value found) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *yield = op.getBody()->getTerminator();
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPoint(yield);
  Value chosen = arith::SelectOp::create(builder, op.getLoc(), found,
                                         op.getRegionOutputArgs()[number],
                                         yield->getOperand(number));
  yield->setOperand(number, chosen);
}

/// `old` or `value` as an op of its own, written over `old`.
static Value chooseWhole(LinalgEmitter &emitter, Value value, Value old,
                         Value found) {
  auto type = cast<RankedTensorType>(old.getType());
  AffineMap identity =
      emitter.getBuilder().getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return emitter
      .generic({{value, identity}}, {{old, identity}}, iterators,
               [&](ImplicitLocOpBuilder &b, ValueRange args) {
                 return SmallVector<Value>{
                     arith::SelectOp::create(b, found, args[1], args[0])};
               })
      .front();
}

static void dissolve(IRRewriter &rewriter, GuardOp guard) {
  rewriter.setInsertionPoint(guard);
  // A scalar: read from a tensor, each i1 would keep the loops from vectors.
  Value found = tensor::ExtractOp::create(rewriter, guard.getLoc(),
                                          guard.getFoundInf(), ValueRange());
  auto yield = cast<YieldOp>(guard.getBody().front().getTerminator());
  SmallVector<Value> results(yield.getValues());
  SmallVector<bool> chosen;
  for (auto [value, old] : llvm::zip(results, guard.getOldValues())) {
    chosen.push_back(value == old || updatesInPlace(guard, value, old));
    if (chosen.back() && value != old)
      chooseInBody(rewriter, value, found);
  }
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&guard.getBody().front(), guard);
  LinalgEmitter emitter(rewriter, guard.getLoc());
  for (auto [i, old] : llvm::enumerate(guard.getOldValues()))
    if (!chosen[i])
      results[i] = chooseWhole(emitter, results[i], old, found);
  rewriter.replaceOp(guard, results);
}

void cma::dissolveGuards(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<GuardOp> guards;
  func.walk([&](GuardOp guard) { guards.push_back(guard); });
  for (GuardOp guard : guards)
    dissolve(rewriter, guard);
}
