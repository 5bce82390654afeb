//===- ExpandLayers.cpp - Layers to contractions --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-expand-layers.
//
//===----------------------------------------------------------------------===//

#include "PrecisionListener.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace cma {
#define GEN_PASS_DEF_CMAEXPANDLAYERSPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// Product of the extents between the boundary axes of each core: what the core
/// adds to the features on one side of a bond.
static int64_t getModeSize(Value core) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(core.getType()).getShape();
  // The verifier has checked the product over all cores.
  return *checkedProduct(shape.drop_front().drop_back());
}

/// Warns of every bond that is wider than the matrix on either side of it.
static void warnOfWideRanks(Operation *op, ArrayRef<Value> cores) {
  SmallVector<int64_t> modes = llvm::map_to_vector(cores, getModeSize);
  for (size_t k = 0; k + 1 < cores.size(); ++k) {
    std::optional<int64_t> left =
        checkedProduct(ArrayRef(modes).take_front(k + 1));
    std::optional<int64_t> right =
        checkedProduct(ArrayRef(modes).drop_front(k + 1));
    int64_t cap = std::min(left.value_or(INT64_MAX), right.value_or(INT64_MAX));
    cap = std::max<int64_t>(cap, 1); // a mode may be empty; no rank is below 1
    int64_t rank = cast<RankedTensorType>(cores[k].getType()).getShape().back();
    if (rank > cap)
      op->emitWarning() << "rank " << rank << " of bond " << k
                        << " is above its useful cap " << cap;
  }
}

static void warnOfWideRanks(LayerOpInterface layer) {
  Operation *op = layer;
  if (auto train = dyn_cast<TTLinearOp>(op)) {
    SmallVector<Value> cores(train.getInputCores());
    cores.append(train.getOutputCores().begin(), train.getOutputCores().end());
    warnOfWideRanks(op, cores);
  } else if (auto train = dyn_cast<TTMLinearOp>(op)) {
    warnOfWideRanks(op, SmallVector<Value>(train.getCores()));
  } else if (auto pair = dyn_cast<LowRankLinearOp>(op)) {
    auto left = cast<RankedTensorType>(pair.getLeft().getType());
    auto right = cast<RankedTensorType>(pair.getRight().getType());
    int64_t cap =
        std::max<int64_t>(std::min(left.getDimSize(0), right.getDimSize(1)), 1);
    if (left.getDimSize(1) > cap)
      op->emitWarning() << "rank " << left.getDimSize(1)
                        << " is above its useful cap " << cap;
  }
}

/// Types of a layer are static once `cma-specialize` has run.
static LogicalResult checkStatic(Operation *op) {
  for (Value value : op->getOperands())
    if (!cast<RankedTensorType>(value.getType()).hasStaticShape())
      return op->emitOpError()
             << "expected static shapes, got " << value.getType()
             << "; run cma-specialize first";
  return success();
}

namespace {
struct ExpandLayersPass : cma::impl::CMAExpandLayersPassBase<ExpandLayersPass> {
  void runOnOperation() override {
    SmallVector<LayerOpInterface> layers;
    getOperation()->walk([&](LayerOpInterface op) { layers.push_back(op); });
    for (LayerOpInterface layer : layers) {
      if (failed(checkStatic(layer)))
        return signalPassFailure();
      warnOfWideRanks(layer);
      OpBuilder builder(layer);
      PrecisionListener listener(builder, layer);
      Value result = layer.expandLayer(builder);
      // The network keeps the layer's name for reports.
      if (Attribute name = layer->getAttr(kNameAttr))
        if (auto *contract = findContract(result))
          contract->setAttr(kNameAttr, name);
      layer->getResult(0).replaceAllUsesWith(result);
      layer->erase();
    }
  }

  /// The contraction behind the bias and the reshape of an expanded layer.
  static Operation *findContract(Value value) {
    Operation *op = value.getDefiningOp();
    while (op && !isa<ContractOp>(op))
      op = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
    return op;
  }
};
} // namespace
