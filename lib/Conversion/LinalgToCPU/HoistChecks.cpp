//===- HoistChecks.cpp - Label checks come first --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-hoist-checks pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

namespace cma {
#define GEN_PASS_DEF_HOISTCHECKSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// Whether `loop` runs its body at least once.
static bool certainlyRuns(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count && !count->isZero();
}

/// Moves `check` out of the loops around it: a check that looks at the same
/// labels in every iteration is one check.
static LogicalResult moveOutOfLoops(CheckLabelsOp check) {
  while (!isa<func::FuncOp>(check->getParentOp())) {
    auto loop = dyn_cast<scf::ForOp>(check->getParentOp());
    if (!loop || !certainlyRuns(loop))
      return check.emitOpError("expected to run in every call, got a '")
             << check->getParentOp()->getName() << "' around it";
    moveLoopInvariantCode(loop);
    if (!loop.isDefinedOutsideOfLoop(check.getLabels()))
      return check.emitOpError(
          "expected labels that are the same in every iteration of the loop "
          "around it");
    check->moveBefore(loop);
  }
  return success();
}

/// The ops of the function's block that compute the operands of `check`.
static LogicalResult collectSlice(CheckLabelsOp check,
                                  SetVector<Operation *> &slice) {
  SmallVector<Value> worklist = {check.getLabels()};
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (!def || !slice.insert(def))
      continue;
    if (!isMemoryEffectFree(def))
      return check.emitOpError("expected labels computed without side effects")
                 .attachNote(def->getLoc())
             << "computed here";
    worklist.append(def->operand_begin(), def->operand_end());
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(def->getRegions(), captured);
    worklist.append(captured.begin(), captured.end());
  }
  return success();
}

/// From here on the check looks at memory, which bufferisation leaves alone.
static void readLabelsFromBuffer(CheckLabelsOp check) {
  auto type = dyn_cast<RankedTensorType>(check.getLabels().getType());
  if (!type)
    return;
  OpBuilder builder(check);
  auto buffer = bufferization::ToBufferOp::create(
      builder, check.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()),
      check.getLabels(), /*read_only=*/true);
  check.getLabelsMutable().assign(buffer);
}

/// The checks of `func` without those that repeat an earlier one.
static SmallVector<CheckLabelsOp> collectChecks(func::FuncOp func) {
  SmallVector<CheckLabelsOp> all, distinct;
  func.walk([&](CheckLabelsOp check) { all.push_back(check); });
  for (CheckLabelsOp check : all) {
    auto repeats = [&](CheckLabelsOp earlier) {
      return earlier.getLabels() == check.getLabels() &&
             earlier->getAttrDictionary() == check->getAttrDictionary();
    };
    // Only checks that every call runs are sure to come to the same end.
    if (check->getParentOp() == func && llvm::any_of(distinct, repeats))
      check.erase();
    else
      distinct.push_back(check);
  }
  return distinct;
}

static LogicalResult hoistChecks(func::FuncOp func) {
  SmallVector<CheckLabelsOp> checks = collectChecks(func);
  SetVector<Operation *> moved;
  for (CheckLabelsOp check : checks)
    if (failed(moveOutOfLoops(check)) || failed(collectSlice(check, moved)))
      return failure();
  if (checks.empty())
    return success();
  moved.insert(checks.begin(), checks.end());
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Block &block = func.getBody().front();
  Operation *last = nullptr;
  for (Operation *op : ordered) {
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&block, block.begin());
    last = op;
  }
  for (CheckLabelsOp check : checks)
    readLabelsFromBuffer(check);
  return success();
}

namespace {
struct HoistChecks : cma::impl::HoistChecksPassBase<HoistChecks> {
  void runOnOperation() override {
    if (!getOperation().isDeclaration() && failed(hoistChecks(getOperation())))
      signalPassFailure();
  }
};
} // namespace
