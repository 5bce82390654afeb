//===- SeparateFills.cpp - One fill per sum -------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-separate-fills pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cma {
#define GEN_PASS_DEF_SEPARATEFILLSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// Gives every op that starts from the filled tensor a fill of its own, but for
/// one that is its only user.
static void separate(linalg::FillOp fill) {
  if (!fill.hasPureTensorSemantics() || fill->use_empty() ||
      fill->getResult(0).hasOneUse())
    return;
  auto type = cast<RankedTensorType>(fill->getResult(0).getType());
  if (!type.hasStaticShape())
    return;
  SmallVector<OpOperand *> inits;
  for (OpOperand &use : fill->getResult(0).getUses()) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (user && user.isDpsInit(&use))
      inits.push_back(&use);
  }
  for (OpOperand *init : inits) {
    OpBuilder builder(init->getOwner());
    Value empty = tensor::EmptyOp::create(
        builder, fill.getLoc(), type.getShape(), type.getElementType());
    auto own = linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(),
                                      ValueRange{empty});
    init->set(own.getResult(0));
  }
  if (fill->use_empty())
    fill.erase();
}

namespace {
struct SeparateFills : cma::impl::SeparateFillsPassBase<SeparateFills> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> fills;
    getOperation().walk([&](linalg::FillOp fill) { fills.push_back(fill); });
    for (linalg::FillOp fill : fills)
      separate(fill);
  }
};
} // namespace
