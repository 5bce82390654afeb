//===- FuseBatchLoops.cpp - Run many ops in one loop over the batch -------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-fuse-batch-loops pass.
//
//===----------------------------------------------------------------------===//

#include "BatchLoops.h"
#include "KernelBuilder.h"

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace cma {
#define GEN_PASS_DEF_FUSEBATCHLOOPSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// A run of fewer iterations than this is not worth a loop of its own.
static constexpr double kMinPoints = 1 << 15;

static double getPoints(ArrayRef<BatchOp> run) {
  double points = 0;
  for (const BatchOp &entry : run) {
    double ofOp = 1;
    for (int64_t range : linalg::LinalgOp(entry.op).getStaticLoopRanges())
      ofOp *= range;
    points += ofOp;
  }
  return points;
}

static void remarkRun(ArrayRef<BatchOp> run, int64_t extent, int64_t tile) {
  linalg::LinalgOp first = run.front().op;
  auto func = first->getParentOfType<FunctionOpInterface>();
  int64_t sums = llvm::count_if(
      run, [](const BatchOp &entry) { return entry.accumulates; });
  remark::passed(first->getLoc(), remark::RemarkOpts::name("BatchLoop")
                                      .category("cma-fuse-batch-loops")
                                      .function(func.getName()))
      << "one loop over the batch" << remark::metric("ops", run.size())
      << remark::metric("sums", sums) << remark::metric("extent", extent)
      << remark::metric("tile", tile);
}

/// Fuses all runs of one block.
static void fuseBlock(Block &block, int64_t tileOption) {
  // Buffers are freed at the end, whatever moves: a run may erase the op that
  // frees its scratch.
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (!isa<memref::DeallocOp>(op))
      ops.push_back(&op);
  BatchAxes axes(ops);
  if (!axes.chooseAxis())
    return;
  Operation *end = block.getTerminator();
  while (!ops.empty()) {
    BatchRun run = findBatchRun(ops, axes);
    if (run.ops.empty())
      break;
    // Before, run, after: the new order of what is left of the block.
    for (Operation *op : run.before)
      op->moveBefore(end);
    for (const BatchOp &entry : run.ops)
      linalg::LinalgOp(entry.op)->moveBefore(end);
    for (Operation *op : run.after)
      op->moveBefore(end);
    if (run.ops.size() >= 2 && getPoints(run.ops) >= kMinPoints) {
      int64_t extent = axes.getExtent();
      int64_t tile = tileOption > 0 ? std::min(tileOption, extent)
                                    : chooseTile(run.ops, extent);
      remarkRun(run.ops, extent, tile);
      emitBatchLoop(run.ops, extent, tile,
                    run.after.empty() ? end : run.after.front());
    }
    ops = run.after;
  }
  for (auto dealloc : llvm::to_vector(block.getOps<memref::DeallocOp>()))
    dealloc->moveBefore(end);
}

namespace {
struct FuseBatchLoops : cma::impl::FuseBatchLoopsPassBase<FuseBatchLoops> {
  using FuseBatchLoopsPassBase::FuseBatchLoopsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (int64_t positions = tile; positions < 0) {
      func.emitError("expected option 'tile' to be 0 or more, got ")
          << positions;
      return signalPassFailure();
    }
    SmallVector<Block *> blocks;
    func.walk([&](Operation *op) {
      if (isa<func::FuncOp, scf::ForOp>(op) && !isInParallelLoop(op))
        for (Block &block : op->getRegion(0))
          blocks.push_back(&block);
    });
    for (Block *block : blocks)
      fuseBlock(*block, tile);
  }
};
} // namespace
