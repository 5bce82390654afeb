//===- CopyLoopDestinations.cpp - Insertions that start anew --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-copy-loop-destinations pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace cma {
#define GEN_PASS_DEF_COPYLOOPDESTINATIONSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
struct CopyLoopDestinationsPass
    : cma::impl::CopyLoopDestinationsPassBase<CopyLoopDestinationsPass> {
  void runOnOperation() override {
    getOperation()->walk([](tensor::InsertSliceOp op) {
      auto loop = op->getParentOfType<LoopLikeOpInterface>();
      if (!loop || !loop.isDefinedOutsideOfLoop(op.getDest()))
        return;
      OpBuilder builder(op);
      Value copy = bufferization::AllocTensorOp::create(
          builder, op.getLoc(), op.getDestType(), /*dynamicSizes=*/ValueRange(),
          /*copy=*/op.getDest());
      op.getDestMutable().assign(copy);
    });
  }
};
} // namespace
