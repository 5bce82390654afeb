//===- OrderReductions.cpp - Sums of parallel loops in a fixed order ------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-order-reductions pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace cma {
#define GEN_PASS_DEF_ORDERREDUCTIONSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// Writes `loop`, which reduces values, as nested sequential loops.
static void runInOrder(IRRewriter &rewriter, scf::ParallelOp loop) {
  rewriter.setInsertionPoint(loop);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), loop.getInitVals(),
      [](OpBuilder &, Location, ValueRange, ValueRange carried) {
        return scf::ValueVector(carried.begin(), carried.end());
      });
  SmallVector<Value> ivs;
  for (scf::ForOp level : nest.loops)
    ivs.push_back(level.getInductionVar());
  scf::ForOp innermost = nest.loops.back();
  Operation *yield = innermost.getBody()->getTerminator();
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), yield, ivs);

  // Each reduction gets the sum so far and what this iteration adds.
  SmallVector<Value> sums;
  for (auto [region, carried, value] :
       llvm::zip_equal(reduce.getReductions(), innermost.getRegionIterArgs(),
                       reduce.getOperands())) {
    auto result = cast<scf::ReduceReturnOp>(region.front().getTerminator());
    rewriter.inlineBlockBefore(&region.front(), yield, {carried, value});
    sums.push_back(result.getResult());
    rewriter.eraseOp(result);
  }
  rewriter.eraseOp(reduce);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(sums); });
  rewriter.replaceOp(loop, nest.results);
}

namespace {
struct OrderReductions : cma::impl::OrderReductionsPassBase<OrderReductions> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) {
      if (loop.getNumReductions() != 0)
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ParallelOp loop : loops)
      runInOrder(rewriter, loop);
  }
};
} // namespace
