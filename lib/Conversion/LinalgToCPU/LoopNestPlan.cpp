//===- LoopNestPlan.cpp - Choose vector and parallel loops ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file decides how ops that are no large contraction become loops.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

/// Fewer scalar operations than this are not worth waking threads up.
static constexpr int64_t kMinParallelWork = 1 << 16;

/// A vector of 64 bytes fills two AVX2 registers or one of AVX-512.
static constexpr int64_t kVectorBytes = 64;

/// Why the body cannot be computed on vectors; empty if it can.
static std::string findScalarReason(const KernelModel &model) {
  for (Type type : model.getBody()->getArgumentTypes()) {
    if (!type.isIntOrFloat())
      return "an element type has no vectors";
    // Memory holds one i1 a byte, a vector of i1 would hold eight.
    if (type.getIntOrFloatBitWidth() % 8 != 0)
      return "elements are smaller than a byte";
  }
  for (Operation &op : model.getBody()->without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(op))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumRegions() != 0)
      return ("'" + op.getName().getStringRef() + "' works on scalars").str();
    // Unused lanes hold zeros, and dividing by them traps.
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
      return ("'" + op.getName().getStringRef() + "' may trap").str();
  }
  return "";
}

/// Whether consecutive iterations of `loop` touch consecutive elements.
static bool isVectorLoop(const KernelModel &model, const KernelLoop &loop) {
  for (auto [number, stride] : llvm::enumerate(loop.strides)) {
    bool isOutput = number >= model.numInputs;
    int64_t wanted = isOutput && !loop.isReduction ? 1 : stride;
    if (stride != wanted || (stride != 0 && stride != 1))
      return false;
  }
  return true;
}

/// The loop to vectorise: the longest parallel one, else the longest reduction.
static std::optional<unsigned> findVectorLoop(const KernelModel &model) {
  std::optional<unsigned> best;
  for (auto [number, loop] : llvm::enumerate(model.loops)) {
    if (loop.extent < 2 || !isVectorLoop(model, loop))
      continue;
    if (loop.isReduction && !getReductionCombiner(model.op))
      continue;
    if (!best || std::make_pair(!loop.isReduction, loop.extent) >
                     std::make_pair(!model.loops[*best].isReduction,
                                    model.loops[*best].extent))
      best = number;
  }
  return best;
}

/// Elements of 64 bytes of the widest type in the body, fewer for a short loop.
/// Sums along the vector use several registers: one alone would wait for every
/// addition.
static int64_t chooseWidth(const KernelModel &model, const KernelLoop &loop) {
  int64_t bits = 8;
  auto count = [&](Type type) {
    if (type.isIntOrFloat())
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  };
  llvm::for_each(model.getBody()->getArgumentTypes(), count);
  for (Operation &op : *model.getBody())
    llvm::for_each(op.getResultTypes(), count);
  int64_t width = kVectorBytes * 8 / bits;
  if (loop.isReduction)
    width *= 2;
  return std::min<int64_t>(width, llvm::PowerOf2Ceil(loop.extent));
}

/// Sorts loops so that the innermost one moves least in memory.
static void sortLoops(const KernelModel &model,
                      SmallVectorImpl<unsigned> &numbers) {
  auto getSpan = [&](unsigned number) {
    // The outputs count first: their lines are written and read.
    int64_t output = 0, input = 0;
    for (auto [operand, stride] :
         llvm::enumerate(model.loops[number].strides)) {
      int64_t &span = operand < model.numInputs ? input : output;
      span = std::max(span, std::abs(stride));
    }
    // The number makes the order total.
    return std::make_tuple(output, input, -int64_t(number));
  };
  llvm::sort(numbers,
             [&](unsigned a, unsigned b) { return getSpan(a) > getSpan(b); });
}

LoopNestPlan cma::planLoopNest(const KernelModel &model) {
  LoopNestPlan plan;
  for (auto [number, loop] : llvm::enumerate(model.loops))
    (loop.isReduction ? plan.reductions : plan.parallel).push_back(number);
  sortLoops(model, plan.parallel);
  sortLoops(model, plan.reductions);

  plan.whyScalar = findScalarReason(model);
  if (plan.whyScalar.empty()) {
    if (std::optional<unsigned> number = findVectorLoop(model)) {
      const KernelLoop &loop = model.loops[*number];
      plan.vectorReduction = loop.isReduction;
      plan.width = chooseWidth(model, loop);
      auto &order = loop.isReduction ? plan.reductions : plan.parallel;
      order.erase(llvm::find(order, *number));
      order.push_back(*number);
    } else {
      plan.whyScalar = "no loop has unit stride in every operand";
    }
  }

  int64_t cost =
      std::distance(model.getBody()->begin(), model.getBody()->end());
  if (plan.parallel.empty() || isInParallelLoop(model.op) ||
      model.getNumPoints() * cost < kMinParallelWork)
    return plan;
  const KernelLoop &outermost = model.loops[plan.parallel.front()];
  // Threads may not share an output element.
  plan.useThreads =
      outermost.extent >= 2 &&
      llvm::all_of(ArrayRef(outermost.strides).drop_front(model.numInputs),
                   [](int64_t stride) { return stride != 0; });
  return plan;
}
