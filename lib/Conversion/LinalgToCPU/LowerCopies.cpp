//===- LowerCopies.cpp - memref.copy to linalg ----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-lower-copies pass.
//
//===----------------------------------------------------------------------===//

#include "MemRefUtils.h"

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cma {
#define GEN_PASS_DEF_LOWERCOPIESPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
struct Assignment {
  Value source;
  Value target;
};
} // namespace

static Value createBuffer(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<MemRefType>(like.getType());
  return memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()));
}

/// Moves the source of every assignment that an earlier one (or itself, through
/// another view) would overwrite into a buffer of its own. New ops go to the
/// builder's insertion point, which is before all assignments.
static void saveOverwrittenSources(OpBuilder &builder, Location loc,
                                   MutableArrayRef<Assignment> assignments) {
  for (unsigned position = 0; position < assignments.size(); ++position) {
    Assignment &assignment = assignments[position];
    if (stripMemRefCasts(assignment.source) ==
        stripMemRefCasts(assignment.target))
      continue;
    auto overwrites = [&](const Assignment &earlier) {
      return mayShareBuffer(earlier.target, assignment.source);
    };
    if (llvm::none_of(assignments.take_front(position + 1), overwrites))
      continue;
    Value saved = createBuffer(builder, loc, assignment.source);
    memref::CopyOp::create(builder, loc, assignment.source, saved);
    assignment.source = saved;
  }
}

/// The copies at the end of `block`, in order; nothing but views between them.
static SmallVector<memref::CopyOp> getTrailingCopies(Block &block) {
  SmallVector<memref::CopyOp> copies;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    else if (!isMemoryEffectFree(&op))
      break;
  }
  std::reverse(copies.begin(), copies.end());
  return copies;
}

/// Makes the copies into the caller's buffers behave as one assignment.
static void orderTrailingCopies(func::FuncOp func) {
  Block &block = func.getBody().front();
  SmallVector<memref::CopyOp> copies = getTrailingCopies(block);
  if (copies.empty())
    return;
  // Every copy moves to the end, so that the views they use come first.
  SmallVector<Assignment> assignments;
  for (memref::CopyOp copy : copies) {
    copy->moveBefore(block.getTerminator());
    assignments.push_back({copy.getSource(), copy.getTarget()});
  }
  OpBuilder builder(copies.front());
  saveOverwrittenSources(builder, copies.front().getLoc(), assignments);
  for (auto [copy, assignment] : llvm::zip_equal(copies, assignments))
    copy.getSourceMutable().assign(assignment.source);
}

/// A buffer with the contents of `init`, of the type of `argument`.
static Value createCarriedBuffer(OpBuilder &builder, Value init,
                                 BlockArgument argument) {
  Location loc = init.getLoc();
  Value buffer = createBuffer(builder, loc, init);
  memref::CopyOp::create(builder, loc, init, buffer);
  if (buffer.getType() == argument.getType())
    return buffer;
  return memref::CastOp::create(builder, loc, argument.getType(), buffer);
}

/// Copies what `yield` hands to the next iteration to `buffers` (null where it
/// is no memref), and yields the rest only.
static void storeYielded(scf::YieldOp yield, ArrayRef<Value> buffers) {
  SmallVector<Value> kept;
  SmallVector<Assignment> assignments;
  for (auto [value, buffer] : llvm::zip_equal(yield.getOperands(), buffers)) {
    if (buffer)
      assignments.push_back({value, buffer});
    else
      kept.push_back(value);
  }
  OpBuilder builder(yield);
  saveOverwrittenSources(builder, yield.getLoc(), assignments);
  for (const Assignment &assignment : assignments)
    memref::CopyOp::create(builder, yield.getLoc(), assignment.source,
                           assignment.target);
  yield.getResultsMutable().assign(kept);
}

/// Replaces every memref that `loop` carries by a buffer that the body reads at
/// its start and that the yielded memref is copied to at its end.
static void uncarryMemRefs(scf::ForOp loop) {
  OpBuilder builder(loop);
  SmallVector<Value> buffers, inits;
  llvm::BitVector erased(loop.getBody()->getNumArguments());
  for (auto [init, argument] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs())) {
    if (!isa<MemRefType>(argument.getType())) {
      inits.push_back(init);
      buffers.push_back(nullptr);
      continue;
    }
    buffers.push_back(createCarriedBuffer(builder, init, argument));
    argument.replaceAllUsesWith(buffers.back());
    erased.set(argument.getArgNumber());
  }
  storeYielded(cast<scf::YieldOp>(loop.getBody()->getTerminator()), buffers);

  auto bare = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(), inits);
  bare->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop.getBody()->eraseArguments(erased);
  bare.getRegion().takeBody(loop.getRegion());
  unsigned kept = 0;
  for (auto [result, buffer] : llvm::zip_equal(loop.getResults(), buffers))
    result.replaceAllUsesWith(buffer ? buffer : bare.getResult(kept++));
  loop.erase();
}

static bool carriesMemRef(scf::ForOp loop) {
  return llvm::any_of(loop.getResultTypes(),
                      [](Type type) { return isa<MemRefType>(type); });
}

/// Writes one copy as a linalg op; a copy of a buffer to itself goes away.
static void lowerCopy(memref::CopyOp copy) {
  if (stripMemRefCasts(copy.getSource()) !=
      stripMemRefCasts(copy.getTarget())) {
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
  }
  copy.erase();
}

namespace {
struct LowerCopies : cma::impl::LowerCopiesPassBase<LowerCopies> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    SmallVector<scf::ForOp> loops;
    func.walk([&](scf::ForOp loop) {
      if (carriesMemRef(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      uncarryMemRefs(loop);
    orderTrailingCopies(func);
    func.walk([](memref::CopyOp copy) { lowerCopy(copy); });
  }
};
} // namespace
