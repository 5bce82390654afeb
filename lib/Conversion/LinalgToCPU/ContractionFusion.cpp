//===- ContractionFusion.cpp - Elementwise ops inside contractions --------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file decides which elementwise ops a contraction takes over: one that
// makes its operand A, done on each block of rows just before it is read, and
// one that its sums go through, done in registers before they are stored.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "LoopNest.h"
#include "MemRefUtils.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// `op` as an elementwise op of one buffer in and another type or value out,
/// that vectors can compute.
static std::optional<FusedMap> matchMap(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() != 0 ||
      !isa<MemRefType>(generic->getOperand(0).getType()) ||
      !generic.getRegionOutputArgs().front().use_empty())
    return std::nullopt;
  std::string why;
  FailureOr<KernelModel> model = analyzeKernel(generic, why);
  if (failed(model) || model->isEmpty() ||
      llvm::any_of(model->constants, [](int64_t first) { return first != 0; }))
    return std::nullopt;
  // Bodies that read loop numbers have loops of their own to count.
  if (llvm::any_of(model->loops, [](const KernelLoop &loop) {
        return loop.indexedDim.has_value();
      }))
    return std::nullopt;
  if (planLoopNest(*model).width == 1)
    return std::nullopt;
  return FusedMap{*model};
}

namespace {
/// Follows loops of a contraction, given by their strides in one operand of a
/// map, to the map's other operand.
class StrideTranslation {
public:
  StrideTranslation(const KernelModel &map, unsigned known)
      : map(map), known(known), reached(map.loops.size(), 0) {}

  /// The stride in the other operand; none where the loop runs across several
  /// of the map's.
  std::optional<int64_t> translate(int64_t extent, int64_t stride) {
    for (auto [number, loop] : llvm::enumerate(map.loops)) {
      int64_t unit = loop.strides[known];
      if (unit <= 0 || stride <= 0 || stride % unit != 0)
        continue;
      int64_t steps = stride / unit;
      // Together with what else moves in that loop, it must not leave it.
      int64_t last = reached[number] + (extent - 1) * steps;
      if (last >= loop.extent)
        continue;
      reached[number] = last;
      return steps * loop.strides[1 - known];
    }
    return std::nullopt;
  }

private:
  const KernelModel &map;
  unsigned known;
  /// The last iteration of each loop of the map that was reached so far.
  SmallVector<int64_t> reached;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether the buffer behind `memref` is a local one that only `ops` name.
static bool isUsedOnlyBy(Value memref, ArrayRef<Operation *> ops) {
  SmallVector<Value> worklist = getMemRefRoots(memref);
  if (worklist.size() != 1 || !worklist[0].getDefiningOp<memref::AllocOp>())
    return false;
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (llvm::is_contained(ops, user))
        continue;
      // Anything else that might hand the buffer on counts as a use.
      if (!isa<ViewLikeOpInterface>(user) || user->getNumResults() != 1)
        return false;
      worklist.push_back(user->getResult(0));
    }
  return true;
}

/// Moves what makes the operands of the elementwise op `map`, and what its body
/// reads from outside, in front of `position`, where that is free of effects
/// but for the allocation of its output.
static LogicalResult moveOperandsBefore(Operation *map, Operation *position) {
  SmallVector<Value> roots = getMemRefRoots(map->getOperand(1));
  auto alloc = roots.size() == 1
                   ? roots.front().getDefiningOp<memref::AllocOp>()
                   : memref::AllocOp();
  if (alloc && alloc->getNumOperands() == 0 &&
      alloc->getBlock() == position->getBlock() &&
      position->isBeforeInBlock(alloc))
    alloc->moveBefore(position);
  IRRewriter rewriter(position);
  llvm::SetVector<Value> needed(map->operand_begin(), map->operand_end());
  getUsedValuesDefinedAbove(map->getRegions(), needed);
  return moveValueDefinitions(rewriter, needed.getArrayRef(), position);
}

//===----------------------------------------------------------------------===//
// Maps of A
//===----------------------------------------------------------------------===//

/// The last op before `op` in its block that touches the buffer of `memref`.
static Operation *findProducer(Operation *op, Value memref) {
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode())
    if (mayTouch(previous, memref))
      return previous;
  return nullptr;
}

/// Whether the loops of k are one row without gaps in A.
static bool hasCompactRows(const ContractionKernel &plan) {
  int64_t stride = 1;
  for (const ContractionLoop &loop : llvm::reverse(plan.k)) {
    if (loop.a != stride)
      return false;
    stride *= loop.extent;
  }
  return true;
}

Operation *cma::fuseRowMap(const KernelModel &model, ContractionKernel &plan,
                           const FusedOps &taken) {
  // Each row must be read in one block of rows only, by one thread.
  if (!plan.outer.empty() || plan.useThreads || plan.columnsOutside ||
      model.constants[plan.operandA] != 0 || !hasCompactRows(plan))
    return nullptr;
  Value a = model.op->getOperand(plan.operandA);
  Value b = model.op->getOperand(plan.operandB), c = model.op->getOperand(2);
  if (mayShareBuffer(a, b))
    return nullptr;
  Operation *producer = findProducer(model.op, a);
  std::optional<FusedMap> map = matchMap(producer);
  if (!map || taken.contains(producer) ||
      !isSameView(producer->getOperand(1), a) ||
      map->getOutputType() != plan.elementType ||
      map->model.getNumPoints() != plan.m.extent * plan.getK())
    return nullptr;
  Value input = producer->getOperand(0);
  // Rows are read block by block, while results of earlier blocks are written.
  Value output = plan.resultMap ? plan.resultMap->model.op->getOperand(1) : c;
  if (mayShareBuffer(input, a) || mayShareBuffer(input, c) ||
      mayShareBuffer(input, output))
    return nullptr;
  for (Operation *between = producer->getNextNode(); between != model.op;
       between = between->getNextNode())
    if (mayTouch(between, input))
      return nullptr;

  StrideTranslation toInput(map->model, /*known=*/1);
  std::optional<int64_t> row = toInput.translate(plan.m.extent, plan.m.a);
  if (!row || toInput.translate(plan.getK(), 1) != 1)
    return nullptr;
  plan.rowMap = RowMap{*map, *row, isUsedOnlyBy(a, {producer, model.op})};
  if (plan.rowMap->isPrivate)
    plan.m.a = plan.getK();
  // Where it now happens, for whoever looks at the order of ops next.
  producer->moveBefore(model.op);
  return producer;
}

//===----------------------------------------------------------------------===//
// Maps of the result
//===----------------------------------------------------------------------===//

/// The strides of C become those in the map's output. Columns must stay
/// adjacent there.
static bool translateResult(ContractionKernel &plan, const FusedMap &map) {
  StrideTranslation toOutput(map.model, /*known=*/0);
  auto update = [&](ContractionLoop &loop) {
    std::optional<int64_t> stride = toOutput.translate(loop.extent, loop.c);
    loop.c = stride.value_or(0);
    return stride.has_value();
  };
  return llvm::all_of(plan.outer, update) && update(plan.m) &&
         llvm::all_of(plan.n, [&](ContractionLoop &loop) {
           int64_t old = loop.c;
           return update(loop) && loop.c == old;
         });
}

Operation *cma::fuseResultMap(const KernelModel &model, ContractionKernel &plan,
                              Operation *fill) {
  Value sums = model.op->getOperand(2);
  Operation *consumer = model.op->getNextNode();
  while (consumer && !mayTouch(consumer, sums))
    consumer = consumer->getNextNode();
  std::optional<FusedMap> map = matchMap(consumer);
  if (!map || !isSameView(consumer->getOperand(0), sums) ||
      model.constants[2] != 0)
    return nullptr;
  int64_t points = plan.m.extent * plan.getN();
  for (const ContractionLoop &loop : plan.outer)
    points *= loop.extent;
  if (map->model.getNumPoints() != points)
    return nullptr;

  // The output is now written earlier, while the operands are still read.
  Value output = consumer->getOperand(1);
  if (llvm::any_of(model.op.getDpsInputs(),
                   [&](Value in) { return mayShareBuffer(in, output); }))
    return nullptr;
  for (Operation *between = model.op->getNextNode(); between != consumer;
       between = between->getNextNode())
    if (mayTouch(between, output))
      return nullptr;
  if (mayShareBuffer(output, sums)
          ? !isSameView(output, sums)
          : !isUsedOnlyBy(sums, {fill, model.op, consumer}))
    return nullptr;

  ContractionKernel fused = plan;
  if (!translateResult(fused, *map) ||
      failed(moveOperandsBefore(consumer, model.op)))
    return nullptr;
  plan = fused;
  plan.resultMap = *map;
  // Where it now happens, for whoever looks at the order of ops next.
  consumer->moveAfter(model.op);
  return consumer;
}
