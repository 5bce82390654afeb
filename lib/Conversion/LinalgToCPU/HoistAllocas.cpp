//===- HoistAllocas.cpp - One stack buffer per thread ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-hoist-allocas pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace cma {
#define GEN_PASS_DEF_HOISTALLOCASPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// The block that a thread enters once and `op` runs in.
static Block &getThreadBlock(Operation *op) {
  if (auto parallel = op->getParentOfType<omp::ParallelOp>())
    return parallel.getRegion().front();
  return op->getParentOfType<func::FuncOp>().getBody().front();
}

namespace {
struct HoistAllocas : cma::impl::HoistAllocasPassBase<HoistAllocas> {
  void runOnOperation() override {
    WalkResult result =
        getOperation().walk([](memref::AllocaOp alloca) -> WalkResult {
          if (!alloca.getType().hasStaticShape())
            return alloca.emitOpError("expected a static shape, got ")
                   << alloca.getType();
          Block &block = getThreadBlock(alloca);
          alloca->moveBefore(&block, block.begin());
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
