//===- BatchAxes.cpp - The axis that a block's ops share ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the search for the batch axis.
//
//===----------------------------------------------------------------------===//

#include "BatchAxes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The axis of the reshape's source (`toSource`) or result that axis `dim` of
/// the other is, if the reshape keeps it apart from all but unit axes.
static std::optional<unsigned> followReshape(Operation *op, unsigned dim,
                                             bool toSource) {
  SmallVector<ReassociationIndices> groups;
  MemRefType narrow, wide;
  bool expands = false;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    groups = expand.getReassociationIndices();
    narrow = cast<MemRefType>(expand.getSrc().getType());
    wide = expand.getResultType();
    expands = true;
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    groups = collapse.getReassociationIndices();
    wide = cast<MemRefType>(collapse.getSrc().getType());
    narrow = cast<MemRefType>(collapse.getResultType());
  } else {
    return std::nullopt;
  }
  bool fromWide = expands == toSource;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (fromWide ? !llvm::is_contained(group, int64_t(dim)) : number != dim)
      continue;
    for (int64_t member : group)
      if (wide.getDimSize(member) == narrow.getDimSize(number) &&
          (!fromWide || member == int64_t(dim)))
        return fromWide ? number : member;
  }
  return std::nullopt;
}

/// The axis of the subview's source that axis `dim` of its result is, in full.
static std::optional<unsigned> followSubView(memref::SubViewOp view,
                                             unsigned dim) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  unsigned position = 0;
  for (unsigned source = 0; source < dropped.size(); ++source) {
    if (dropped.test(source))
      continue;
    if (position++ != dim)
      continue;
    if (view.getStaticOffset(source) == 0 &&
        view.getStaticStride(source) == 1 &&
        view.getStaticSize(source) == view.getSourceType().getDimSize(source))
      return source;
    return std::nullopt;
  }
  return std::nullopt;
}

FailureOr<std::pair<Value, unsigned>> cma::traceAxisToBuffer(Value memref,
                                                             unsigned dim) {
  while (Operation *def = memref.getDefiningOp()) {
    std::optional<unsigned> source;
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(def))
      source = followReshape(def, dim, /*toSource=*/true);
    else if (auto view = dyn_cast<memref::SubViewOp>(def))
      source = followSubView(view, dim);
    else if (isa<memref::CastOp>(def))
      source = dim;
    else if (isa<ViewLikeOpInterface>(def))
      return failure();
    else
      break;
    if (!source)
      return failure();
    memref = def->getOperand(0);
    dim = *source;
  }
  return std::make_pair(memref, dim);
}

//===----------------------------------------------------------------------===//
// Classes of axes
//===----------------------------------------------------------------------===//

unsigned BatchAxes::getNode(void *owner, unsigned position, int64_t size) {
  auto [entry, isNew] = nodes.try_emplace({owner, position}, nodes.size());
  if (isNew)
    sizes.push_back(size);
  return entry->second;
}

void BatchAxes::joinOp(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges))
    getNode(op, loop, range);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        joins.emplace_back(
            getNode(op, loop.getPosition(), ranges[loop.getPosition()]),
            getNode(operand.get().getAsOpaquePointer(), dim,
                    type.getDimSize(dim)));
  }
  linalgOps.push_back(op);
}

void BatchAxes::joinReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  auto type = cast<MemRefType>(result.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<unsigned> from = followReshape(op, dim, /*toSource=*/true);
    if (from)
      joins.emplace_back(
          getNode(source.getAsOpaquePointer(), *from, type.getDimSize(dim)),
          getNode(result.getAsOpaquePointer(), dim, type.getDimSize(dim)));
  }
}

BatchAxes::BatchAxes(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (!linalgOp.hasDynamicShape())
        joinOp(linalgOp);
    } else if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op)) {
      joinReshape(op);
    }
  }
  classes.grow(nodes.size());
  for (auto [a, b] : joins)
    classes.join(a, b);
  classes.compress();
}

namespace {
/// How good an axis is.
struct Score {
  double work = 0;    // iterations; half of them where the axis is summed over
  double traffic = 0; // elements of the operands that have the axis
  int64_t extent = 0;
};
} // namespace

/// An axis may do this much less work than the busiest one, and still be chosen
/// because it cuts larger operands: a rank is in as many products as the batch.
static constexpr double kMinShare = 0.75;

static const Score *findBest(ArrayRef<Score> scores) {
  double most = 0;
  for (const Score &score : scores)
    if (score.extent >= 2)
      most = std::max(most, score.work);
  const Score *best = nullptr;
  for (const Score &score : scores)
    if (score.extent >= 2 && score.work >= kMinShare * most &&
        (!best || std::make_pair(score.traffic, score.extent) >
                      std::make_pair(best->traffic, best->extent)))
      best = &score;
  return best;
}

bool BatchAxes::chooseAxis() {
  std::vector<Score> scores(classes.getNumClasses());
  for (linalg::LinalgOp op : linalgOps) {
    double points = 1;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (int64_t range : ranges)
      points *= range;
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
      Score &score = scores[classes[nodes.lookup({op, loop})]];
      score.extent = ranges[loop];
      score.work += kind == utils::IteratorType::parallel ? points : points / 2;
      for (OpOperand &operand : op->getOpOperands())
        if (auto type = dyn_cast<MemRefType>(operand.get().getType()))
          if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
            score.traffic += type.getNumElements();
    }
  }
  const Score *best = findBest(scores);
  if (!best)
    return false;
  chosen = best - scores.data();
  extent = best->extent;
  return true;
}

std::optional<unsigned> BatchAxes::getLoop(linalg::LinalgOp op) const {
  std::optional<unsigned> found;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    auto node = nodes.find({op.getOperation(), loop});
    if (node == nodes.end() || classes[node->second] != chosen)
      continue;
    if (found)
      return std::nullopt;
    found = loop;
  }
  return found;
}
