//===- LowerChecks.cpp - Label checks become loops ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-lower-checks pass.
//
//===----------------------------------------------------------------------===//

#include "EntryTable.h"
#include "GlobalStrings.h"
#include "MemRefUtils.h"

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Runtime/Entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace cma {
#define GEN_PASS_DEF_LOWERCHECKSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// What the scan of one label buffer found.
struct Finding {
  Value index; // row-major, -1 where every label is in range
  Value label;
};

/// Lowers the checks of one function.
class CheckLowering {
public:
  CheckLowering(func::FuncOp func, Value status)
      : func(func), status(status), builder(func.getContext()) {}

  void run(ArrayRef<CheckLabelsOp> checks);

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc(), value, 64);
  }
  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc(), value);
  }
  Location loc() { return current.getLoc(); }

  Finding scan();
  Value isBad(Value label);
  void store(int32_t word, Value value);
  void storeText(int32_t word, StringRef text);
  void report(const Finding &finding);
  Value lowerOne(Value okSoFar);

  func::FuncOp func;
  Value status;
  OpBuilder builder;
  CheckLabelsOp current;
};
} // namespace

/// Whether `label`, an i64, is out of range: negative labels are large when
/// read without a sign.
Value CheckLowering::isBad(Value label) {
  Value bad = arith::CmpIOp::create(builder, loc(), arith::CmpIPredicate::uge,
                                    label, constant(current.getNumClasses()));
  if (std::optional<int64_t> ignored = current.getIgnoreIndex()) {
    Value counts = arith::CmpIOp::create(
        builder, loc(), arith::CmpIPredicate::ne, label, constant(*ignored));
    bad = arith::AndIOp::create(builder, loc(), bad, counts);
  }
  return bad;
}

/// Looks for the first label that is out of range.
Finding CheckLowering::scan() {
  auto type = cast<MemRefType>(current.getLabels().getType());
  SmallVector<Value> lower(type.getRank(), constantIndex(0));
  SmallVector<Value> step(type.getRank(), constantIndex(1));
  SmallVector<Value> upper;
  for (int64_t extent : type.getShape())
    upper.push_back(constantIndex(extent));
  Value none = constant(-1);
  auto body = [&](OpBuilder &nested, Location, ValueRange indices,
                  ValueRange carried) -> scf::ValueVector {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(nested.saveInsertionPoint());
    Value position = constantIndex(0);
    for (auto [index, extent] : llvm::zip_equal(indices, upper)) {
      position = arith::MulIOp::create(builder, loc(), position, extent);
      position = arith::AddIOp::create(builder, loc(), position, index);
    }
    position = arith::IndexCastOp::create(builder, loc(), builder.getI64Type(),
                                          position);
    Value label =
        memref::LoadOp::create(builder, loc(), current.getLabels(), indices);
    if (!label.getType().isInteger(64))
      label =
          arith::ExtSIOp::create(builder, loc(), builder.getI64Type(), label);
    Value first = arith::CmpIOp::create(
        builder, loc(), arith::CmpIPredicate::eq, carried[0], none);
    Value found = arith::AndIOp::create(builder, loc(), isBad(label), first);
    return {
        arith::SelectOp::create(builder, loc(), found, position, carried[0]),
        arith::SelectOp::create(builder, loc(), found, label, carried[1])};
  };
  scf::LoopNest nest = scf::buildLoopNest(builder, loc(), lower, upper, step,
                                          ValueRange{none, none}, body);
  return {nest.results[0], nest.results[1]};
}

void CheckLowering::store(int32_t word, Value value) {
  Value index = constantIndex(word);
  memref::StoreOp::create(builder, loc(), value, status, index);
}

void CheckLowering::storeText(int32_t word, StringRef text) {
  Value address =
      createString(builder, loc(), func->getParentOfType<ModuleOp>(), text);
  store(word, LLVM::PtrToIntOp::create(builder, loc(), builder.getI64Type(),
                                       address));
}

void CheckLowering::report(const Finding &finding) {
  // The code is the low half of its word, and the reserved half is zero.
  static_assert(CMA_STATUS_LABEL_OUT_OF_RANGE == 1);
  store(StatusWord::kCode, constant(CMA_STATUS_LABEL_OUT_OF_RANGE));
  store(StatusWord::kIndex, finding.index);
  store(StatusWord::kValue, finding.label);
  store(StatusWord::kLimit, constant(current.getNumClasses()));
  storeText(StatusWord::kArgument, current.getArgument());
  storeText(StatusWord::kLocation, getLocationText(loc()));
}

/// Writes the scan and the report of the current check in its place; gives
/// whether all is well. `okSoFar` is null for the first check.
Value CheckLowering::lowerOne(Value okSoFar) {
  builder.setInsertionPoint(current);
  Finding finding = scan();
  Value fine = arith::CmpIOp::create(builder, loc(), arith::CmpIPredicate::slt,
                                     finding.index, constant(0));
  Value toReport = arith::XOrIOp::create(
      builder, loc(), fine, arith::ConstantIntOp::create(builder, loc(), 1, 1));
  Value ok = fine;
  if (okSoFar) {
    toReport = arith::AndIOp::create(builder, loc(), toReport, okSoFar);
    ok = arith::AndIOp::create(builder, loc(), ok, okSoFar);
  }
  auto branch = scf::IfOp::create(builder, loc(), toReport);
  builder.setInsertionPointToStart(branch.thenBlock());
  report(finding);
  return ok;
}

/// Lowers the checks, the first ops of the function, and puts what follows
/// under the condition that they all hold.
void CheckLowering::run(ArrayRef<CheckLabelsOp> checks) {
  Value ok;
  for (CheckLabelsOp check : checks) {
    current = check;
    ok = lowerOne(ok);
  }
  builder.setInsertionPoint(current);
  auto branch = scf::IfOp::create(builder, loc(), ok);
  Block *rest = current->getBlock();
  Operation *terminator = rest->getTerminator();
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(
           std::next(current->getIterator()), terminator->getIterator())))
    op.moveBefore(branch.thenBlock()->getTerminator());
  for (CheckLabelsOp check : checks)
    check.erase();
}

/// A result may only be written after the last check.
static LogicalResult verifyNothingWrittenBefore(CheckLabelsOp last) {
  for (Operation &op : *last->getBlock()) {
    if (&op == last)
      break;
    WalkResult result = op.walk([&](Operation *nested) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(nested);
      if (!effects || isa<CheckLabelsOp>(nested))
        return WalkResult::advance();
      SmallVector<MemoryEffects::EffectInstance> writes;
      effects.getEffects<MemoryEffects::Write>(writes);
      for (MemoryEffects::EffectInstance &write : writes)
        if (!write.getValue() || llvm::any_of(getMemRefRoots(write.getValue()),
                                              llvm::IsaPred<BlockArgument>)) {
          nested->emitOpError("expected to write a result only after the last "
                              "label check")
                  .attachNote(last.getLoc())
              << "checked here";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

static LogicalResult lowerChecks(func::FuncOp func) {
  SmallVector<CheckLabelsOp> checks;
  func.walk([&](CheckLabelsOp check) { checks.push_back(check); });
  if (checks.empty())
    return success();
  std::optional<EntryTable> table =
      EntryTable::fromAttr(func->getAttr(kEntryAttr));
  if (!table || func.getNumArguments() <= table->buffers.size())
    return func.emitOpError("expected cma-prepare-entries to have run before "
                            "label checks are lowered");
  for (CheckLabelsOp check : checks)
    if (!isa<func::FuncOp>(check->getParentOp()) ||
        !isa<MemRefType>(check.getLabels().getType()))
      return check.emitOpError(
          "expected cma-hoist-checks and bufferization to have run");
  if (failed(verifyNothingWrittenBefore(checks.back())))
    return failure();
  Value status = func.getArgument(table->buffers.size());
  CheckLowering(func, status).run(checks);
  return success();
}

namespace {
struct LowerChecks : cma::impl::LowerChecksPassBase<LowerChecks> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(lowerChecks(func)))
        return signalPassFailure();
  }
};
} // namespace
