//===- BatchLoops.cpp - One loop over the batch for many ops --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file emits the loop of a run: chunks of tiles in parallel, each op on
// the tile's part of its operands, buffers that only the run uses as scratch of
// one tile, and sums over the batch as one partial result per chunk.
//
//===----------------------------------------------------------------------===//

#include "BatchLoops.h"
#include "BatchSum.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

/// What one tile should touch: not much more than the L2 of a core holds. Twice
/// as much is better than a tile of less than kMinTile positions, in which a
/// gradient of weights reads and writes its result after too few additions.
static constexpr int64_t kTileBytes = 1 << 20;
static constexpr int64_t kMaxTile = 64, kMinTile = 32;

//===----------------------------------------------------------------------===//
// Tile size
//===----------------------------------------------------------------------===//

int64_t cma::chooseTile(ArrayRef<BatchOp> run, int64_t extent) {
  int64_t bytes = 1; // per position
  llvm::SmallPtrSet<Value, 16> seen;
  for (const BatchOp &entry : run)
    for (OpOperand &operand : linalg::LinalgOp(entry.op)->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (type &&
          getOperandAxis(entry.op, operand.getOperandNumber(), entry.loop) &&
          seen.insert(operand.get()).second)
        bytes += type.getNumElements() / extent *
                 llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    }
  int64_t tile = std::min(kTileBytes / bytes, kMaxTile);
  if (tile < kMinTile)
    tile = std::min(2 * kTileBytes / bytes, kMinTile);
  // Enough tiles for threads, but not tiles so small that weights are read
  // from cache more often than used.
  tile = std::min(tile, std::max(extent / kNumChunks, kMinTile));
  tile = std::clamp<int64_t>(tile, 1, extent);
  for (int64_t distance = 0; distance <= tile / 2; ++distance)
    for (int64_t candidate : {tile - distance, tile + distance})
      if (candidate > 0 && extent % candidate == 0)
        return candidate;
  return tile;
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// Whether every use of `memref`, through reshapes, is by an op of the run.
static bool isUsedOnlyBy(Value memref,
                         const llvm::SmallPtrSetImpl<Operation *> &ops) {
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(user))
      return isUsedOnlyBy(user->getResult(0), ops);
    return isa<memref::DeallocOp>(user) || ops.contains(user);
  });
}

namespace {
/// A buffer that lives inside a tile.
struct Scratch {
  unsigned axis = 0; // the batch axis
  bool hasViews = false;
};

class BatchLoopEmitter {
public:
  BatchLoopEmitter(ArrayRef<BatchOp> run, int64_t extent, int64_t tile,
                   Operation *position)
      : run(llvm::to_vector(run)), extent(extent), tile(tile),
        position(position),
        b(position, linalg::LinalgOp(run.front().op)->getLoc()) {}
  void emit();

private:
  void findScratch();
  void planSums();
  /// Scratch for tiles of `rows` positions, at the insertion point.
  IRMapping createScratch(int64_t rows);
  Value createScratch(Value buffer, const Scratch &scratch, int64_t rows);
  /// All ops on positions first .. first + rows.
  void emitTile(Value first, int64_t rows, const IRMapping &scratch,
                ArrayRef<Value> partials);
  /// `memref` as tile: its scratch, its part, or itself.
  Value getTile(Value memref, std::optional<unsigned> axis, Value first,
                int64_t rows, const IRMapping &scratch);
  Value getScratchView(Value memref, int64_t rows, const IRMapping &scratch);
  void emitOp(const BatchOp &entry, Value first, int64_t rows,
              const IRMapping &scratch, Value partial);
  SmallVector<Value> startPartials(Value slot);
  void eraseRun();

  SmallVector<BatchOp> run;
  int64_t extent, tile;
  Operation *position;
  KernelBuilder b;
  llvm::MapVector<Value, Scratch> scratchBuffers;
  /// Parts of buffers in the current tile, by buffer and batch axis. All ops
  /// share them: a kernel takes over a fill only of the very same view.
  llvm::DenseMap<std::pair<Value, unsigned>, Value> parts;
  SmallVector<std::optional<BatchSum>> sums; // one per op
};
} // namespace

void BatchLoopEmitter::findScratch() {
  llvm::SmallPtrSet<Operation *, 16> ops;
  for (const BatchOp &entry : run)
    ops.insert(entry.op);
  for (const BatchOp &entry : run)
    for (OpOperand &operand : linalg::LinalgOp(entry.op)->getOpOperands()) {
      std::optional<unsigned> dim =
          getOperandAxis(entry.op, operand.getOperandNumber(), entry.loop);
      if (!dim)
        continue;
      auto traced = traceAxisToBuffer(operand.get(), *dim);
      if (failed(traced))
        continue;
      auto [buffer, axis] = *traced;
      auto alloc = buffer.getDefiningOp<memref::AllocOp>();
      if (!alloc || alloc->getBlock() != position->getBlock() ||
          !isUsedOnlyBy(buffer, ops))
        continue;
      Scratch &scratch = scratchBuffers[buffer];
      scratch.axis = axis;
      scratch.hasViews |= operand.get() != buffer;
    }
}

Value BatchLoopEmitter::createScratch(Value buffer, const Scratch &scratch,
                                      int64_t rows) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[scratch.axis] = rows;
  SmallVector<int64_t> padded = shape;
  // Rows of whole vectors: a tile of 30 columns is then stored and read as 32.
  int64_t lanes = 64 * 8 / std::max(8u, type.getElementTypeBitWidth());
  if (type.getRank() == 2 && scratch.axis == 0 && !scratch.hasViews &&
      padded.back() >= lanes / 2)
    padded.back() = llvm::alignTo(padded.back(), lanes);
  Value memref = memref::AllocOp::create(
      b, b.loc, MemRefType::get(padded, type.getElementType()),
      b.getI64IntegerAttr(64));
  if (padded == shape)
    return memref;
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), shape);
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(2, b.getIndexAttr(1));
  return memref::SubViewOp::create(b, b.loc, memref, zeros, sizes, ones);
}

IRMapping BatchLoopEmitter::createScratch(int64_t rows) {
  IRMapping mapping;
  for (auto &[buffer, scratch] : scratchBuffers)
    mapping.map(buffer, createScratch(buffer, scratch, rows));
  return mapping;
}

/// The view of the tile's scratch that `memref` is of the whole buffer; null if
/// that buffer has no scratch.
Value BatchLoopEmitter::getScratchView(Value memref, int64_t rows,
                                       const IRMapping &scratch) {
  if (Value mapped = scratch.lookupOrNull(memref))
    return mapped;
  Operation *view = memref.getDefiningOp();
  if (!isa_and_present<memref::ExpandShapeOp, memref::CollapseShapeOp>(view))
    return {};
  Value source = getScratchView(view->getOperand(0), rows, scratch);
  if (!source)
    return {};
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view))
    return memref::CollapseShapeOp::create(b, b.loc, source,
                                           collapse.getReassociationIndices());
  auto expand = cast<memref::ExpandShapeOp>(view);
  SmallVector<int64_t> shape(expand.getResultType().getShape());
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    auto traced = traceAxisToBuffer(memref, dim);
    if (succeeded(traced) && scratchBuffers.contains(traced->first) &&
        scratchBuffers.lookup(traced->first).axis == traced->second &&
        shape[dim] == extent)
      shape[dim] = rows;
  }
  return memref::ExpandShapeOp::create(b, b.loc, shape, source,
                                       expand.getReassociationIndices());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value BatchLoopEmitter::getTile(Value memref, std::optional<unsigned> axis,
                                Value first, int64_t rows,
                                const IRMapping &scratch) {
  if (!axis)
    return memref;
  Value &part = parts[{memref, *axis}];
  if (part)
    return part;
  if (Value view = getScratchView(memref, rows, scratch))
    return part = view;
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  offsets[*axis] = getAsOpFoldResult(first);
  sizes[*axis] = b.getIndexAttr(rows);
  part = memref::SubViewOp::create(b, b.loc, memref, offsets, sizes, ones);
  return part;
}

/// linalg.index of the batch loop counts from the tile's first position.
static void shiftIndices(KernelBuilder &b, linalg::LinalgOp op, unsigned loop,
                         Value first) {
  op.getBlock()->walk([&](linalg::IndexOp index) {
    if (index.getDim() != loop)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(index);
    Operation *sum = arith::AddIOp::create(b, b.loc, index.getResult(), first);
    index.getResult().replaceAllUsesExcept(sum->getResult(0), sum);
  });
}

void BatchLoopEmitter::emitOp(const BatchOp &entry, Value first, int64_t rows,
                              const IRMapping &scratch, Value partial) {
  linalg::LinalgOp op = entry.op;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(
        getTile(operand.get(),
                getOperandAxis(op, operand.getOperandNumber(), entry.loop),
                first, rows, scratch));
  if (partial)
    operands.back() = partial;
  auto clone =
      cast<linalg::LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
  shiftIndices(b, clone, entry.loop, first);
}

void BatchLoopEmitter::emitTile(Value first, int64_t rows,
                                const IRMapping &scratch,
                                ArrayRef<Value> partials) {
  parts.clear();
  for (unsigned number = 0; number < run.size(); ++number) {
    const BatchOp &entry = run[number];
    b.loc = linalg::LinalgOp(entry.op)->getLoc();
    if (!sums[number] || !sums[number]->hasOwnLayout()) {
      emitOp(entry, first, rows, scratch, partials[number]);
      continue;
    }
    auto getInput = [&](unsigned operand) {
      return getTile(linalg::LinalgOp(entry.op)->getOperand(operand),
                     getOperandAxis(entry.op, operand, entry.loop), first, rows,
                     scratch);
    };
    sums[number]->emitTile(b, getInput(0), getInput(1), rows, partials[number]);
  }
}

//===----------------------------------------------------------------------===//
// The whole loop
//===----------------------------------------------------------------------===//

void BatchLoopEmitter::planSums() {
  int64_t numTiles = extent / tile;
  int64_t slots = std::min(numTiles, kNumChunks) + (extent % tile ? 1 : 0);
  for (const BatchOp &entry : run) {
    sums.emplace_back();
    if (!entry.accumulates)
      continue;
    b.loc = linalg::LinalgOp(entry.op)->getLoc();
    sums.back().emplace(entry, slots);
    sums.back()->createPartials(b);
  }
}

SmallVector<Value> BatchLoopEmitter::startPartials(Value slot) {
  SmallVector<Value> partials;
  for (std::optional<BatchSum> &sum : sums)
    partials.push_back(sum ? sum->startPartial(b, slot) : Value());
  return partials;
}

void BatchLoopEmitter::emit() {
  findScratch();
  postponeResults(
      run, [&](Value buffer) { return scratchBuffers.contains(buffer); });
  planSums();
  int64_t numTiles = extent / tile, tail = extent % tile;
  b.chunks(numTiles, /*parallel=*/true,
           [&](Value chunk, Value first, Value last) {
             SmallVector<Value> partials = startPartials(chunk);
             IRMapping scratch = createScratch(tile);
             b.loop(first, last, 1, [&](Value number) {
               emitTile(b.mul(number, tile), tile, scratch, partials);
             });
           });
  if (tail) {
    Value slot = b.index(std::min(numTiles, kNumChunks));
    SmallVector<Value> partials = startPartials(slot);
    emitTile(b.index(extent - tail), tail, createScratch(tail), partials);
  }
  for (std::optional<BatchSum> &sum : sums)
    if (sum)
      sum->combine(b);
  eraseRun();
}

/// Erases the uses of a buffer that is no more: reshapes and deallocations.
static void eraseBuffer(Value memref) {
  for (Operation *user : llvm::make_early_inc_range(memref.getUsers())) {
    if (user->getNumResults() == 1)
      eraseBuffer(user->getResult(0));
    else
      user->erase();
  }
  memref.getDefiningOp()->erase();
}

void BatchLoopEmitter::eraseRun() {
  for (const BatchOp &entry : run)
    linalg::LinalgOp(entry.op)->erase();
  for (auto &[buffer, scratch] : scratchBuffers)
    eraseBuffer(buffer);
}

void cma::emitBatchLoop(ArrayRef<BatchOp> run, int64_t extent, int64_t tile,
                        Operation *position) {
  BatchLoopEmitter(run, extent, tile, position).emit();
}
