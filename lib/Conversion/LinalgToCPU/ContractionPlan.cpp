//===- ContractionPlan.cpp - Choose a contraction kernel ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file decides which contractions get register tiles, which operand plays
// which part, and how B is packed.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "KernelBuilder.h"
#include "MemRefUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace cma;

/// Caches of the cores this is tuned for: any x86-64 server of the last decade
/// has at least these.
static constexpr int64_t kL1Bytes = 32 << 10, kL1Ways = 8, kLineBytes = 64;
static constexpr int64_t kL2Bytes = 512 << 10;

/// Fewer multiplications than this are not worth waking threads up.
static constexpr int64_t kMinParallelWork = 1 << 19;

static int64_t getExtent(ArrayRef<ContractionLoop> loops) {
  int64_t extent = 1;
  for (const ContractionLoop &loop : loops)
    extent *= loop.extent;
  return extent;
}

int64_t ContractionKernel::getN() const { return getExtent(n); }
int64_t ContractionKernel::getK() const { return getExtent(k); }
int64_t ContractionKernel::getNumPanels() const {
  return llvm::divideCeil(getN(), lanes);
}
int64_t ContractionKernel::getWork() const {
  return getExtent(outer) * m.extent * getN() * getK();
}

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

bool cma::isMultiplyAdd(const KernelModel &model) {
  if (model.numInputs != 2 || model.getNumOutputs() != 1)
    return false;
  auto add = dyn_cast_if_present<arith::AddFOp>(getReductionCombiner(model.op));
  if (!add || !(add.getType().isF32() || add.getType().isF64()))
    return false;
  Value out = model.op.getRegionOutputArgs().front();
  Value product = add.getLhs() == out ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value a = model.getBody()->getArgument(0),
        b = model.getBody()->getArgument(1);
  return (mul.getLhs() == a && mul.getRhs() == b) ||
         (mul.getLhs() == b && mul.getRhs() == a);
}

namespace {
struct LoopGroups {
  SmallVector<ContractionLoop> batch, m, n, k;
};
} // namespace

/// Sorts the loops by the operands that move in them.
static FailureOr<LoopGroups> groupLoops(const KernelModel &model,
                                        unsigned operandA, std::string &why) {
  LoopGroups groups;
  for (const KernelLoop &loop : model.loops) {
    ContractionLoop entry{loop.extent, loop.strides[operandA],
                          loop.strides[1 - operandA], loop.strides[2]};
    if (entry.a && entry.b)
      (entry.c ? groups.batch : groups.k).push_back(entry);
    else if (entry.c && (entry.a || entry.b))
      (entry.a ? groups.m : groups.n).push_back(entry);
    else {
      why = "a loop moves in one operand only";
      return failure();
    }
  }
  return groups;
}

/// Takes the loops that have unit stride in C, as one, out of `loops`.
static SmallVector<ContractionLoop>
takeColumns(SmallVectorImpl<ContractionLoop> &loops) {
  SmallVector<ContractionLoop> columns;
  int64_t stride = 1;
  while (true) {
    auto *next = llvm::find_if(
        loops, [&](const ContractionLoop &loop) { return loop.c == stride; });
    if (next == loops.end())
      return columns;
    stride *= next->extent;
    columns.insert(columns.begin(), *next);
    loops.erase(next);
  }
}

/// Sorts from the largest stride of `member` to the smallest.
static void sortBy(SmallVectorImpl<ContractionLoop> &loops,
                   int64_t ContractionLoop::*member) {
  llvm::sort(loops, [&](const auto &x, const auto &y) {
    return std::abs(x.*member) > std::abs(y.*member);
  });
}

/// Splits the loops into the kernel's own and those around it.
static FailureOr<ContractionKernel> assignLoops(const KernelModel &model,
                                                std::string &why) {
  for (unsigned operandA : {0u, 1u}) {
    FailureOr<LoopGroups> groups = groupLoops(model, operandA, why);
    if (failed(groups))
      return failure();
    SmallVector<ContractionLoop> columns = takeColumns(groups->n);
    if (columns.empty())
      continue;
    if (groups->m.empty() || groups->k.empty()) {
      why = "it has no rows or nothing to sum";
      return failure();
    }
    ContractionKernel plan;
    plan.operandA = operandA;
    plan.operandB = 1 - operandA;
    plan.n = columns;
    auto *longest = std::max_element(
        groups->m.begin(), groups->m.end(),
        [](const auto &x, const auto &y) { return x.extent < y.extent; });
    plan.m = *longest;
    groups->m.erase(longest);
    plan.k = groups->k;
    sortBy(plan.k, &ContractionLoop::a);
    for (auto *rest : {&groups->batch, &groups->m, &groups->n})
      plan.outer.append(rest->begin(), rest->end());
    sortBy(plan.outer, &ContractionLoop::c);
    return plan;
  }
  why = "the result has no column with unit stride";
  return failure();
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Whether something in `loop` may write to the buffer behind `memref`.
static bool isWrittenIn(Operation *loop, Value memref) {
  return loop
      ->walk([&](Operation *op) {
        auto interface = dyn_cast<MemoryEffectOpInterface>(op);
        if (!interface) {
          // The walk sees what a region does by itself.
          bool harmless = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                          op->hasTrait<OpTrait::IsTerminator>();
          return harmless ? WalkResult::advance() : WalkResult::interrupt();
        }
        SmallVector<MemoryEffects::EffectInstance> effects;
        interface.getEffects(effects);
        for (const MemoryEffects::EffectInstance &effect : effects)
          if (isa<MemoryEffects::Write, MemoryEffects::Free>(
                  effect.getEffect()) &&
              (!effect.getValue() || mayShareBuffer(effect.getValue(), memref)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// The outermost loop around `op` that leaves `memref` alone; `op` itself where
/// there is none.
static Operation *findPackPosition(Operation *op, Value memref) {
  Operation *position = op;
  for (Operation *parent = op->getParentOp();
       isa<scf::ForOp, scf::ParallelOp>(parent);
       parent = parent->getParentOp()) {
    if (parent->isAncestor(memref.getParentBlock()->getParentOp()) ||
        isWrittenIn(parent, memref))
      break;
    position = parent;
  }
  return position;
}

/// Whether the rows of a panel read in place would evict each other from L1.
static bool hasCacheConflict(const ContractionKernel &plan) {
  int64_t elementBytes = plan.elementType.getIntOrFloatBitWidth() / 8;
  int64_t rowBytes = std::abs(plan.k.back().b) * elementBytes;
  int64_t numSets = kL1Bytes / kL1Ways / kLineBytes;
  int64_t reached = rowBytes % kLineBytes != 0
                        ? numSets
                        : numSets / std::gcd(numSets, rowBytes / kLineBytes);
  // Half of the ways, since A and C need lines too.
  return plan.getK() > reached * kL1Ways / 2;
}

static void choosePanels(const KernelModel &model, ContractionKernel &plan) {
  int64_t elementBytes = plan.elementType.getIntOrFloatBitWidth() / 8;
  Value memref = model.op->getOperand(plan.operandB);
  bool unitStride = plan.n.size() == 1 && plan.n.front().b == 1;
  int64_t bytes = plan.getK() * plan.getNumPanels() * plan.lanes * elementBytes;
  Operation *position = findPackPosition(model.op, memref);
  bool invariant = position != model.op;
  // Rows per panel decide whether a copy pays; tiny products are read in place.
  bool manyRows = plan.m.extent >= 4 * plan.maxRows;
  if (invariant || (!isInParallelLoop(model.op) && (manyRows || !unitStride))) {
    plan.panels = PanelMode::Whole;
    plan.packBefore = position;
    plan.columnsOutside = bytes > kL2Bytes * 3 / 4;
    return;
  }
  if (unitStride && (!hasCacheConflict(plan) || plan.m.extent < plan.maxRows))
    return;
  plan.panels = PanelMode::PerPanel;
  plan.columnsOutside = true;
}

FailureOr<ContractionKernel> cma::planContraction(const KernelModel &model,
                                                  std::string &why) {
  if (!isMultiplyAdd(model)) {
    why = "the body is not a floating multiply-add of two operands";
    return failure();
  }
  FailureOr<ContractionKernel> plan = assignLoops(model, why);
  if (failed(plan))
    return failure();
  plan->elementType = model.op.getRegionOutputArgs().front().getType();
  plan->lanes = kLineBytes * 8 / plan->elementType.getIntOrFloatBitWidth();
  // A narrow result gets half or a quarter of the columns.
  plan->lanes =
      std::min<int64_t>(plan->lanes, llvm::PowerOf2Ceil(plan->getN()));
  if (plan->lanes < 4) {
    why = "the result has fewer than three columns";
    return failure();
  }
  choosePanels(model, *plan);
  plan->useThreads =
      !isInParallelLoop(model.op) && plan->getWork() >= kMinParallelWork;
  return plan;
}
