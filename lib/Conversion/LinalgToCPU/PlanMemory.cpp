//===- PlanMemory.cpp - Allocations become offsets ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-plan-memory pass.
//
//===----------------------------------------------------------------------===//

#include "EntryTable.h"

#include "cma/Conversion/Passes.h"
#include "cma/Runtime/Entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include "llvm/Support/MathExtras.h"

namespace cma {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// The place of one allocation in the workspace.
struct Slot {
  memref::AllocOp alloc;
  int64_t offset = 0;
  /// Bytes from one parallel iteration's copy to the next.
  int64_t stride = 0;
};
} // namespace

/// `bytes` rounded up to the alignment of buffers; nothing on overflow.
static std::optional<int64_t> alignBytes(int64_t bytes) {
  int64_t padded;
  if (llvm::AddOverflow<int64_t>(bytes, CMA_BUFFER_ALIGNMENT - 1, padded))
    return std::nullopt;
  return padded - padded % CMA_BUFFER_ALIGNMENT;
}

/// The size of an allocation; reports what cannot be laid out.
static FailureOr<int64_t> getBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return alloc.emitOpError(
               "expected a static shape and the identity layout, got ")
           << type;
  if (std::optional<uint64_t> alignment = alloc.getAlignment();
      alignment && *alignment > CMA_BUFFER_ALIGNMENT)
    return alloc.emitOpError("expected an alignment of at most ")
           << CMA_BUFFER_ALIGNMENT << " bytes, got " << *alignment;
  int64_t bytes = DataLayout::closest(alloc).getTypeSize(type.getElementType());
  for (int64_t extent : type.getShape()) {
    if (extent == 0)
      return 0;
    if (llvm::MulOverflow(bytes, extent, bytes))
      return alloc.emitOpError("expected at most 2^63 - 1 bytes, got ") << type;
  }
  std::optional<int64_t> aligned = alignBytes(bytes);
  if (!aligned)
    return alloc.emitOpError("expected at most 2^63 - 1 bytes, got ") << type;
  return *aligned;
}

/// The number of iterations of `loop`; nothing where it is not constant.
static std::optional<int64_t> getTripCount(scf::ParallelOp loop) {
  int64_t count = 1;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower);
    std::optional<int64_t> to = getConstantIntValue(upper);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by || *by <= 0)
      return std::nullopt;
    int64_t trips = *to <= *from ? 0 : llvm::divideCeil(*to - *from, *by);
    if (llvm::MulOverflow(count, trips, count))
      return std::nullopt;
  }
  return count;
}

/// The parallel loops around `op`, outermost first.
static SmallVector<scf::ParallelOp> getParallelLoops(Operation *op) {
  SmallVector<scf::ParallelOp> loops;
  while ((op = op->getParentOp()))
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      loops.push_back(loop);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// How many copies of an allocation may be alive at once.
static FailureOr<int64_t> getCopies(memref::AllocOp alloc) {
  int64_t copies = 1;
  for (scf::ParallelOp loop : getParallelLoops(alloc)) {
    std::optional<int64_t> count = getTripCount(loop);
    if (!count || llvm::MulOverflow(copies, *count, copies))
      return alloc
                 .emitOpError("expected constant bounds of the parallel loop "
                              "around the allocation")
                 .attachNote(loop.getLoc())
             << "the loop is here";
  }
  return copies;
}

/// Lays the allocations out one after another; gives the total size.
static FailureOr<int64_t> layOut(MutableArrayRef<Slot> slots) {
  int64_t total = 0;
  for (Slot &slot : slots) {
    FailureOr<int64_t> bytes = getBytes(slot.alloc);
    FailureOr<int64_t> copies = getCopies(slot.alloc);
    if (failed(bytes) || failed(copies))
      return failure();
    slot.offset = total;
    slot.stride = *bytes;
    int64_t all;
    if (llvm::MulOverflow(*bytes, *copies, all) ||
        llvm::AddOverflow(total, all, total))
      return slot.alloc.emitOpError(
          "expected a workspace of at most 2^63 - 1 bytes");
  }
  return total;
}

/// The number of the current iteration among those of `loops`, row-major.
static Value getIteration(OpBuilder &builder, Location loc,
                          ArrayRef<scf::ParallelOp> loops) {
  Value number = arith::ConstantIndexOp::create(builder, loc, 0);
  for (scf::ParallelOp loop : loops)
    for (auto [variable, lower, upper, step] :
         llvm::zip_equal(loop.getInductionVars(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep())) {
      int64_t by = *getConstantIntValue(step);
      int64_t extent =
          *getConstantIntValue(upper) - *getConstantIntValue(lower);
      Value trips = arith::ConstantIndexOp::create(
          builder, loc, extent <= 0 ? 0 : llvm::divideCeil(extent, by));
      Value passed = arith::SubIOp::create(builder, loc, variable, lower);
      passed = arith::DivUIOp::create(builder, loc, passed, step);
      number = arith::MulIOp::create(builder, loc, number, trips);
      number = arith::AddIOp::create(builder, loc, number, passed);
    }
  return number;
}

static void replaceBySlot(const Slot &slot, Value workspace) {
  memref::AllocOp alloc = slot.alloc;
  OpBuilder builder(alloc);
  Location loc = alloc.getLoc();
  Value offset = arith::ConstantIndexOp::create(builder, loc, slot.offset);
  SmallVector<scf::ParallelOp> loops = getParallelLoops(alloc);
  if (!loops.empty()) {
    Value stride = arith::ConstantIndexOp::create(builder, loc, slot.stride);
    Value own = arith::MulIOp::create(
        builder, loc, getIteration(builder, loc, loops), stride);
    offset = arith::AddIOp::create(builder, loc, offset, own);
  }
  auto view = memref::ViewOp::create(builder, loc, alloc.getType(), workspace,
                                     offset, ValueRange());
  alloc.replaceAllUsesWith(view.getResult());
  alloc.erase();
}

/// Gives buffers without elements a type that may be passed as a pointer: the
/// conversion to LLVM refuses strides of 0.
static void retypeEmptyArguments(func::FuncOp func) {
  Block &block = func.getBody().front();
  auto bytes = MemRefType::get({0}, IntegerType::get(func.getContext(), 8));
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (BlockArgument argument : block.getArguments()) {
    auto type = cast<MemRefType>(argument.getType());
    if (type.getNumElements() != 0 || type == bytes)
      continue;
    argument.setType(bytes);
    if (argument.use_empty())
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, argument.getLoc(), 0);
    auto view = memref::ViewOp::create(builder, argument.getLoc(), type,
                                       argument, zero, ValueRange());
    argument.replaceAllUsesExcept(view.getResult(), view);
  }
  func.setType(FunctionType::get(func.getContext(), block.getArgumentTypes(),
                                 TypeRange()));
}

/// Nothing may allocate or copy at run time; the stack is another matter.
static LogicalResult verifyNoAllocation(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    if (isa<memref::CopyOp>(op)) {
      op->emitOpError("expected no copy at run time");
      return WalkResult::interrupt();
    }
    if (isa<memref::AllocaOp>(op) || !hasEffect<MemoryEffects::Allocate>(op))
      return WalkResult::advance();
    op->emitOpError("expected no allocation at run time");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult planMemory(func::FuncOp func) {
  std::optional<EntryTable> table =
      EntryTable::fromAttr(func->getAttr(kEntryAttr));
  if (!table)
    return success();
  func.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });
  SmallVector<Slot> slots;
  func.walk([&](memref::AllocOp alloc) { slots.push_back({alloc}); });
  FailureOr<int64_t> total = layOut(slots);
  if (failed(total))
    return failure();

  auto type = MemRefType::get({*total}, IntegerType::get(func.getContext(), 8));
  if (failed(
          func.insertArgument(func.getNumArguments(), type, {}, func.getLoc())))
    return failure();
  Value workspace = func.getArguments().back();
  for (const Slot &slot : slots)
    replaceBySlot(slot, workspace);
  retypeEmptyArguments(func);
  table->workspaceBytes = *total;
  func->setAttr(kEntryAttr, table->toAttr(func.getContext()));
  return verifyNoAllocation(func);
}

namespace {
struct PlanMemory : cma::impl::PlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    if (failed(planMemory(getOperation())))
      signalPassFailure();
  }
};
} // namespace
