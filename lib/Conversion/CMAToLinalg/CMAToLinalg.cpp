//===- CMAToLinalg.cpp - The convert-cma-to-linalg pass -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the convert-cma-to-linalg pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "BatchLabels.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace cma {
#define GEN_PASS_DEF_CONVERTCMATOLINALGPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// What the patterns rely on; says which pass has to run before this one.
static LogicalResult verifyConvertible(Operation *op) {
  if (!isa_and_present<CMADialect>(op->getDialect()) || isa<CheckLabelsOp>(op))
    return success();
  if (isa<LayerOpInterface>(op))
    return op->emitOpError("expected layers to be expanded; run "
                           "cma-expand-layers first");
  if (auto contract = dyn_cast<ContractOp>(op);
      contract && contract.getInputs().size() > 2)
    return op->emitOpError()
           << "expected a contraction of at most 2 operands, got "
           << contract.getInputs().size()
           << "; run cma-plan-contractions first";
  auto check = [&](TypeRange types, StringRef kind) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && !tensor.hasStaticShape())
        return op->emitOpError() << "expected " << kind << " #" << i
                                 << " to have a static shape, got " << type
                                 << "; run cma-specialize first";
      if (tensor && tensor.getEncoding())
        return op->emitOpError() << "expected " << kind << " #" << i
                                 << " to have no encoding, got " << type;
    }
    return success();
  };
  return success(succeeded(check(op->getOperandTypes(), "operand")) &&
                 succeeded(check(op->getResultTypes(), "result")));
}

namespace {
struct ConvertCMAToLinalg
    : cma::impl::ConvertCMAToLinalgPassBase<ConvertCMAToLinalg> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    WalkResult checked = func.walk(
        [](Operation *op) { return WalkResult(verifyConvertible(op)); });
    if (checked.wasInterrupted())
      return signalPassFailure();

    insertLabelChecks(func);
    BatchLabels batchLabels(func);
    RewritePatternSet patterns(&getContext());
    populateContractionPatterns(patterns, batchLabels);
    populateCastPatterns(patterns);
    populateNNPatterns(patterns);
    populateLossPatterns(patterns);
    populateTrainingPatterns(patterns);
    populateLossScalingPatterns(patterns);
    populateClippingPatterns(patterns);
    walkAndApplyPatterns(func, std::move(patterns));
    dissolveGuards(func);
  }
};
} // namespace
