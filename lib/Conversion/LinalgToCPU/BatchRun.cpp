//===- BatchRun.cpp - Ops that can share one loop over the batch ----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file decides which ops may run tile by tile, and in which order.
//
//===----------------------------------------------------------------------===//

#include "BatchRun.h"
#include "KernelModel.h"
#include "MemRefUtils.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace cma;

/// A sum that costs less than this per position may run on its own: better than
/// splitting the run where something depends on it.
static constexpr int64_t kCheapSum = 64;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// What an op does to one buffer.
struct Access {
  Value buffer; // null: any buffer
  bool writes = false;
  /// The buffer's axis that is cut along the batch: the op then touches, for
  /// every position, only what lies there. None: it may touch anything.
  std::optional<unsigned> axis;
};

/// An op that was placed, with its accesses.
struct PlacedOp {
  Operation *op;
  SmallVector<Access, 4> accesses;
};
} // namespace

/// Two accesses whose order matters.
static bool conflicts(const Access &a, const Access &b) {
  if (!a.writes && !b.writes)
    return false;
  return !a.buffer || !b.buffer || a.buffer == b.buffer;
}

/// Whether the order of the accesses is kept when both ops run tile by tile.
static bool isKeptByTiles(const Access &a, const Access &b) {
  return a.axis && b.axis && *a.axis == *b.axis;
}

static void addAccess(SmallVectorImpl<Access> &accesses, Value memref,
                      bool writes) {
  for (Value root : getMemRefRoots(memref))
    accesses.push_back({root, writes, std::nullopt});
}

/// Everything that `op` may do to memory, not cut along the batch.
static SmallVector<Access, 4> getAccesses(Operation *op) {
  SmallVector<Access, 4> accesses;
  if (isMemoryEffectFree(op))
    return accesses;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects) {
    accesses.push_back({Value(), true, std::nullopt});
    return accesses;
  }
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    // A new buffer is nobody else's.
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    bool writes = !isa<MemoryEffects::Read>(effect.getEffect());
    if (effect.getValue())
      addAccess(accesses, effect.getValue(), writes);
    else
      accesses.push_back({Value(), writes, std::nullopt});
  }
  return accesses;
}

std::optional<unsigned> cma::getOperandAxis(linalg::LinalgOp op,
                                            unsigned operand, unsigned loop) {
  if (!isa<MemRefType>(op->getOperand(operand).getType()))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      return dim;
  return std::nullopt;
}

/// Whether loop `loop` indexes at most one axis of the operand, on its own.
static bool isCleanCut(AffineMap map, unsigned loop) {
  unsigned uses = 0;
  for (AffineExpr expr : map.getResults())
    if (expr.isFunctionOfDim(loop)) {
      ++uses;
      if (!isa<AffineDimExpr>(expr))
        return false;
    }
  return uses <= 1;
}

/// The accesses of `candidate` as part of a run; fails where it cannot be cut.
static FailureOr<SmallVector<Access, 4>> getCutAccesses(BatchOp candidate) {
  linalg::LinalgOp op = candidate.op;
  SmallVector<Access, 4> accesses;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (!isCleanCut(op.getMatchingIndexingMap(&operand), candidate.loop))
      return failure();
    bool writes = op.isDpsInit(&operand);
    std::optional<unsigned> dim =
        getOperandAxis(op, operand.getOperandNumber(), candidate.loop);
    SmallVector<Value> roots = getMemRefRoots(operand.get());
    auto traced = dim && roots.size() == 1
                      ? traceAxisToBuffer(operand.get(), *dim)
                      : FailureOr<std::pair<Value, unsigned>>(failure());
    if (succeeded(traced) && traced->first == roots.front()) {
      accesses.push_back({traced->first, writes, traced->second});
      continue;
    }
    if (writes && !candidate.accumulates)
      return failure();
    addAccess(accesses, operand.get(), writes);
  }
  // A body that loads from memory may do so anywhere; it must not store.
  WalkResult result = op.getBlock()->walk([&](Operation *inner) {
    if (isMemoryEffectFree(inner))
      return WalkResult::advance();
    for (const Access &access : getAccesses(inner)) {
      if (access.writes)
        return WalkResult::interrupt();
      accesses.push_back(access);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return accesses;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// `op` as it would be in a run, if it can be in one at all.
static std::optional<BatchOp> getCandidate(Operation *op,
                                           const BatchAxes &axes) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.hasDynamicShape() ||
      !linalgOp.hasPureBufferSemantics())
    return std::nullopt;
  std::optional<unsigned> loop = axes.getLoop(linalgOp);
  if (!loop)
    return std::nullopt;
  BatchOp candidate{linalgOp, *loop, false};
  candidate.accumulates =
      linalgOp.getIteratorTypesArray()[*loop] == utils::IteratorType::reduction;
  if (!candidate.accumulates)
    return candidate;
  // Chunks can be summed up apart only where the way to combine is known.
  auto type = dyn_cast<MemRefType>(op->getOperands().back().getType());
  if (!getReductionCombiner(linalgOp) || !type ||
      !type.getElementType().isIntOrFloat() ||
      !linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0))
           .isProjectedPermutation() ||
      type.getNumElements() * type.getElementTypeBitWidth() / 8 >
          kMaxPartialBytes)
    return std::nullopt;
  return candidate;
}

/// Whether `candidate` should rather go before the run than join it, if it does
/// not depend on the run. The number of valid labels is an example: the
/// gradient of a loss needs that sum, and could not share a loop with what it
/// sums.
static bool isBetterBefore(const BatchOp &candidate, int64_t extent) {
  linalg::LinalgOp op = candidate.op;
  if (isa<linalg::FillOp>(op))
    return false;
  int64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges())
    points *= range;
  return points <= (candidate.accumulates ? kCheapSum * extent : extent);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
class RunFinder {
public:
  explicit RunFinder(const BatchAxes &axes) : axes(axes) {}
  BatchRun find(ArrayRef<Operation *> ops);

private:
  /// Whether `op` must stay behind an op that moves after the run.
  bool dependsOnAfter(Operation *op, ArrayRef<Access> accesses) const;
  static bool conflictsWith(ArrayRef<PlacedOp> placed,
                            ArrayRef<Access> accesses);
  bool tryJoin(Operation *op);
  void place(Operation *op);

  const BatchAxes &axes;
  BatchRun run;
  SmallVector<PlacedOp, 0> runOps, afterOps;
  llvm::SmallPtrSet<Operation *, 16> after;
};
} // namespace

bool RunFinder::conflictsWith(ArrayRef<PlacedOp> placed,
                              ArrayRef<Access> accesses) {
  for (const PlacedOp &other : placed)
    for (const Access &a : other.accesses)
      for (const Access &b : accesses)
        if (conflicts(a, b))
          return true;
  return false;
}

bool RunFinder::dependsOnAfter(Operation *op, ArrayRef<Access> accesses) const {
  WalkResult result = op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (after.contains(def))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted() || conflictsWith(afterOps, accesses);
}

bool RunFinder::tryJoin(Operation *op) {
  std::optional<BatchOp> candidate = getCandidate(op, axes);
  if (!candidate)
    return false;
  FailureOr<SmallVector<Access, 4>> accesses = getCutAccesses(*candidate);
  if (failed(accesses) || dependsOnAfter(op, *accesses))
    return false;
  if (isBetterBefore(*candidate, axes.getExtent()) &&
      !conflictsWith(runOps, *accesses))
    return false;
  for (const PlacedOp &other : runOps)
    for (const Access &a : other.accesses)
      for (const Access &b : *accesses)
        if (conflicts(a, b) && !isKeptByTiles(a, b))
          return false;
  runOps.push_back({op, *accesses});
  run.ops.push_back(*candidate);
  return true;
}

void RunFinder::place(Operation *op) {
  if (tryJoin(op))
    return;
  SmallVector<Access, 4> accesses = getAccesses(op);
  if (!dependsOnAfter(op, accesses) && !conflictsWith(runOps, accesses)) {
    run.before.push_back(op);
    return;
  }
  run.after.push_back(op);
  afterOps.push_back({op, accesses});
  after.insert(op);
}

BatchRun RunFinder::find(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    place(op);
  return std::move(run);
}

BatchRun cma::findBatchRun(ArrayRef<Operation *> ops, const BatchAxes &axes) {
  return RunFinder(axes).find(ops);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// A result of this many times the size of what an op reads is worth waiting:
/// the inputs stay in the first-level cache meanwhile.
static constexpr int64_t kResultRatio = 4;

/// Whether `entry` only writes results, from little that lies in scratch.
static bool isCheapResult(const BatchOp &entry,
                          llvm::function_ref<bool(Value)> isScratch) {
  linalg::LinalgOp op = entry.op;
  int64_t read = 0, written = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> dim =
        getOperandAxis(op, operand.getOperandNumber(), entry.loop);
    if (!dim)
      continue;
    auto traced = traceAxisToBuffer(operand.get(), *dim);
    bool writes = op.isDpsInit(&operand);
    if (failed(traced) || isScratch(traced->first) == writes)
      return false;
    (writes ? written : read) +=
        cast<MemRefType>(operand.get().getType()).getNumElements();
  }
  return !entry.accumulates && written >= kResultRatio * read;
}

void cma::postponeResults(SmallVectorImpl<BatchOp> &run,
                          function_ref<bool(Value)> isScratch) {
  SmallVector<PlacedOp, 0> kept;
  SmallVector<BatchOp> first, last;
  for (const BatchOp &entry : llvm::reverse(run)) {
    PlacedOp placed{linalg::LinalgOp(entry.op), *getCutAccesses(entry)};
    auto precedes = [&](const PlacedOp &later) {
      return llvm::any_of(placed.accesses, [&](const Access &a) {
        return llvm::any_of(later.accesses,
                            [&](const Access &b) { return conflicts(a, b); });
      });
    };
    bool postpone =
        isCheapResult(entry, isScratch) && llvm::none_of(kept, precedes);
    (postpone ? last : first).push_back(entry);
    if (!postpone)
      kept.push_back(std::move(placed));
  }
  run.assign(first.rbegin(), first.rend());
  run.append(last.rbegin(), last.rend());
}
