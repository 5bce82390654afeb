//===- BatchSum.cpp - Sums over the batch in parts ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file emits sums over the batch axis in parts.
//
//===----------------------------------------------------------------------===//

#include "BatchSum.h"
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cma;

BatchSum::BatchSum(const BatchOp &entry, int64_t slots)
    : entry(entry), slots(slots) {
  planPanels();
}

/// Finds the loop whose iterations become the columns of the panels: long, with
/// unit stride in one input, and not moving in the other.
void BatchSum::planPanels() {
  std::string why;
  FailureOr<KernelModel> analyzed = analyzeKernel(entry.op, why, entry.loop);
  if (failed(analyzed) || analyzed->isEmpty() || !isMultiplyAdd(*analyzed))
    return;
  for (unsigned input : {0u, 1u}) {
    // A tile keeps all strides only where the batch is the outermost axis.
    std::optional<unsigned> axis = getOperandAxis(entry.op, input, entry.loop);
    if (axis.value_or(0) != 0)
      return;
  }
  Type type = entry.op.getRegionOutputArgs().front().getType();
  lanes = 64 * 8 / type.getIntOrFloatBitWidth();
  int64_t longest = 2 * lanes;
  for (auto [number, loop] : llvm::enumerate(analyzed->loops)) {
    bool isColumn = (loop.strides[0] == 1 && loop.strides[1] == 0) ||
                    (loop.strides[1] == 1 && loop.strides[0] == 0);
    if (loop.isReduction || !isColumn || loop.extent % lanes != 0 ||
        loop.extent < longest)
      continue;
    longest = loop.extent;
    columns = number;
  }
  if (columns)
    model = *analyzed;
}

SmallVector<int64_t> BatchSum::getPartialShape() const {
  linalg::LinalgOp op = entry.op;
  if (!columns)
    return llvm::to_vector(
        cast<MemRefType>(op->getOperands().back().getType()).getShape());
  SmallVector<int64_t> shape = {model->loops[*columns].extent / lanes};
  for (auto [number, loop] : llvm::enumerate(model->loops))
    if (!loop.isReduction && number != *columns)
      shape.push_back(loop.extent);
  shape.push_back(lanes);
  return shape;
}

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

void BatchSum::createPartials(KernelBuilder &b) {
  SmallVector<int64_t> shape = getPartialShape();
  shape.insert(shape.begin(), slots);
  Type type = entry.op.getRegionOutputArgs().front().getType();
  partials = memref::AllocOp::create(b, b.loc, MemRefType::get(shape, type),
                                     b.getI64IntegerAttr(64));
}

/// Partial results `first` .. `first + count`; without the leading axis where
/// `count` is not set.
static Value getSlots(KernelBuilder &b, Value partials, OpFoldResult first,
                      std::optional<int64_t> count) {
  auto type = cast<MemRefType>(partials.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  offsets[0] = first;
  sizes[0] = b.getIndexAttr(count.value_or(1));
  if (count)
    return memref::SubViewOp::create(b, b.loc, partials, offsets, sizes, ones);
  auto slotType =
      cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
          type.getShape().drop_front(), type, offsets, sizes, ones));
  return memref::SubViewOp::create(b, b.loc, slotType, partials, offsets, sizes,
                                   ones);
}

Value BatchSum::startPartial(KernelBuilder &b, Value slot) {
  Value partial = getSlots(b, partials, getAsOpFoldResult(slot), std::nullopt);
  TypedAttr neutral = *arith::getNeutralElement(getReductionCombiner(entry.op));
  Value value = arith::ConstantOp::create(b, b.loc, neutral);
  linalg::FillOp::create(b, b.loc, ValueRange{value}, ValueRange{partial});
  return partial;
}

//===----------------------------------------------------------------------===//
// Generic ops on panels
//===----------------------------------------------------------------------===//

namespace {
/// A loop of a generic op under construction.
struct PanelLoop {
  int64_t extent;
  bool isReduction;
  SmallVector<int64_t, 4> strides; // in the inputs and the output
};
} // namespace

/// The loops of `model` with the columns split into panels (first) and the
/// columns of a panel (last of the parallel ones); sums come last.
static SmallVector<PanelLoop> getPanelLoops(const KernelModel &model,
                                            unsigned columns, int64_t lanes) {
  const KernelLoop &wide = model.loops[columns];
  PanelLoop panels{wide.extent / lanes, false, {}};
  for (int64_t stride : wide.strides)
    panels.strides.push_back(stride * lanes);
  SmallVector<PanelLoop> loops = {panels}, sums;
  for (auto [number, loop] : llvm::enumerate(model.loops)) {
    if (number != columns)
      (loop.isReduction ? sums : loops)
          .push_back({loop.extent, loop.isReduction, loop.strides});
  }
  loops.push_back({lanes, false, wide.strides});
  loops.append(sums);
  return loops;
}

/// The position in its buffer that `memref` starts at.
static Value getStart(KernelBuilder &b, Value memref) {
  int64_t offset =
      cast<MemRefType>(memref.getType()).getStridesAndOffset().second;
  if (!ShapedType::isDynamic(offset))
    return b.index(offset);
  return memref::ExtractStridedMetadataOp::create(b, b.loc, memref).getOffset();
}

/// A view of `memref` with one axis for every loop that moves in it, and the
/// indexing map that belongs to it.
static std::pair<Value, AffineMap> getLoopView(KernelBuilder &b, Value memref,
                                               int64_t constant,
                                               ArrayRef<PanelLoop> loops,
                                               unsigned operand) {
  FlatMemRef row = b.flatten(memref);
  SmallVector<int64_t> shape, strides;
  SmallVector<AffineExpr> exprs;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    if (loop.strides[operand] == 0)
      continue;
    shape.push_back(loop.extent);
    strides.push_back(loop.strides[operand]);
    exprs.push_back(b.getAffineDimExpr(number));
  }
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, strides);
  auto type = MemRefType::get(
      shape, cast<MemRefType>(memref.getType()).getElementType(), layout);
  // The offset of a cast counts from the start of the buffer, not of the row.
  Value base = b.add(getStart(b, row.memref), row.base);
  base = b.add(base, b.index(constant));
  Value view = memref::ReinterpretCastOp::create(
      b, b.loc, type, row.memref, OpFoldResult(base),
      getAsIndexOpFoldResult(b.getContext(), shape),
      getAsIndexOpFoldResult(b.getContext(), strides));
  return {view, AffineMap::get(loops.size(), 0, exprs, b.getContext())};
}

static SmallVector<utils::IteratorType>
getIteratorTypes(ArrayRef<PanelLoop> loops) {
  return llvm::map_to_vector(loops, [](const PanelLoop &loop) {
    return loop.isReduction ? utils::IteratorType::reduction
                            : utils::IteratorType::parallel;
  });
}

void BatchSum::emitTile(KernelBuilder &b, Value first, Value second,
                        int64_t rows, Value partial) {
  SmallVector<PanelLoop> loops = getPanelLoops(*model, *columns, lanes);
  // The batch loop is the one of its own: it was kept from fusing.
  unsigned batch = loops.size();
  for (const KernelLoop &loop : llvm::reverse(model->loops)) {
    batch -= loop.isReduction ? 1 : 0;
    if (loop.isReduction && loop.indexedDim)
      break;
  }
  loops[batch].extent = rows;
  SmallVector<Value> views;
  SmallVector<AffineMap> maps;
  SmallVector<Value, 2> inputs = {first, second};
  for (auto [operand, memref] : llvm::enumerate(inputs)) {
    auto type = cast<MemRefType>(memref.getType());
    if (getOperandAxis(entry.op, operand, entry.loop))
      loops[batch].strides[operand] = type.getStridesAndOffset().first.front();
    auto [view, map] =
        getLoopView(b, memref, model->constants[operand], loops, operand);
    views.push_back(view);
    maps.push_back(map);
  }
  unsigned numParallel = cast<MemRefType>(partial.getType()).getRank();
  maps.push_back(AffineMap::getMultiDimIdentityMap(loops.size(), b.getContext())
                     .getMajorSubMap(numParallel));
  linalg::GenericOp::create(
      b, b.loc, views, ValueRange{partial}, maps, getIteratorTypes(loops),
      [](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value product =
            arith::MulFOp::create(inner, loc, arguments[0], arguments[1]);
        Value sum = arith::AddFOp::create(inner, loc, arguments[2], product);
        linalg::YieldOp::create(inner, loc, sum);
      });
}

//===----------------------------------------------------------------------===//
// Combination
//===----------------------------------------------------------------------===//

/// out = combine(out, part), over all parts where these have a leading axis
/// more than `map` has results.
static void emitCombine(KernelBuilder &b, Operation *combiner, Value parts,
                        Value out, AffineMap outMap) {
  unsigned numLoops = outMap.getNumDims();
  auto type = cast<MemRefType>(parts.getType());
  bool many = type.getRank() > int64_t(numLoops);
  SmallVector<AffineExpr> exprs;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    exprs.push_back(b.getAffineDimExpr(loop));
  SmallVector<utils::IteratorType> kinds(numLoops,
                                         utils::IteratorType::parallel);
  if (many) {
    exprs.insert(exprs.begin(), b.getAffineDimExpr(numLoops));
    kinds.push_back(utils::IteratorType::reduction);
  }
  auto partMap = AffineMap::get(kinds.size(), 0, exprs, b.getContext());
  auto map =
      AffineMap::get(kinds.size(), 0, outMap.getResults(), b.getContext());
  linalg::GenericOp::create(
      b, b.loc, ValueRange{parts}, ValueRange{out},
      ArrayRef<AffineMap>{partMap, map}, kinds,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Operation *combined = inner.clone(*combiner);
        combined->setOperands({arguments[1], arguments[0]});
        linalg::YieldOp::create(inner, loc, combined->getResults());
      });
}

void BatchSum::combine(KernelBuilder &b) {
  linalg::LinalgOp op = entry.op;
  b.loc = op->getLoc();
  Operation *combiner = getReductionCombiner(op);
  Value out = op->getOperands().back();
  unsigned rank = cast<MemRefType>(partials.getType()).getRank() - 1;
  auto identity = AffineMap::getMultiDimIdentityMap(rank, b.getContext());
  if (!columns)
    return emitCombine(b, combiner, partials, out, identity);

  SmallVector<PanelLoop> loops = getPanelLoops(*model, *columns, lanes);
  llvm::erase_if(loops, [](const PanelLoop &loop) { return loop.isReduction; });
  auto [view, map] = getLoopView(b, out, model->constants[2], loops, 2);
  Value parts = partials;
  // Where the columns are no columns of the output, its transposition is done
  // once and not for each part.
  if (model->loops[*columns].strides[2] != 1) {
    parts = getSlots(b, partials, b.getIndexAttr(0), std::nullopt);
    if (slots > 1) {
      Value others = getSlots(b, partials, b.getIndexAttr(1), slots - 1);
      emitCombine(b, combiner, others, parts, identity);
    }
  }
  emitCombine(b, combiner, parts, view, map);
}
