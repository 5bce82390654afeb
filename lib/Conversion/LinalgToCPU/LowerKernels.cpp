//===- LowerKernels.cpp - linalg on memrefs to vector loops ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-lower-kernels pass.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "KernelBuilder.h"
#include "LoopNest.h"
#include "MemRefUtils.h"

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cma {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// What is known about an op before anything is lowered.
struct Kernel {
  linalg::LinalgOp op;
  std::optional<KernelModel> model; // none: plain loops over affine maps
  std::optional<ContractionKernel> contraction;
  std::string why; // why not the fast kernel
  /// A fill of the output that the kernel takes over.
  mutable linalg::FillOp fill; // a handle; its accessors are not const
};
} // namespace

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Whether the op's output is one element per iteration of its parallel loops,
/// and covers all of the memref.
static bool coversOutput(const KernelModel &model) {
  int64_t covered = 1;
  for (const KernelLoop &loop : model.loops)
    if (!loop.isReduction)
      covered *= loop.strides.back() ? loop.extent : 0;
  auto type = cast<MemRefType>(model.op->getOperands().back().getType());
  return covered == type.getNumElements();
}

/// The fill that gives `model`'s output its initial value, if nothing reads or
/// writes it in between and the kernel writes every element.
static linalg::FillOp findFill(const KernelModel &model) {
  if (model.getNumOutputs() != 1 || model.isEmpty() || !coversOutput(model) ||
      model.op.getRegionOutputArgs().front().use_empty())
    return {};
  Value output = model.op->getOperands().back();
  for (Value input : model.op.getDpsInputs())
    if (isa<MemRefType>(input.getType()) && mayShareBuffer(input, output))
      return {};
  for (Operation &inner : *model.getBody())
    if (usesBuffer(&inner, output))
      return {};
  for (Operation *previous = model.op->getPrevNode(); previous;
       previous = previous->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(previous))
      if (isSameView(fill.getOutputs().front(), output) &&
          fill.getInputs().front().getType() ==
              model.op.getRegionOutputArgs().front().getType())
        return fill;
    if (mayTouch(previous, output))
      return {};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// A sum needs an output that stands still while it is summed.
static bool hasPlainReductions(const KernelModel &model) {
  return llvm::all_of(model.loops, [&](const KernelLoop &loop) {
    return !loop.isReduction ||
           llvm::all_of(ArrayRef(loop.strides).drop_front(model.numInputs),
                        [](int64_t stride) { return stride == 0; });
  });
}

static Kernel planKernel(linalg::LinalgOp op) {
  Kernel kernel;
  kernel.op = op;
  FailureOr<KernelModel> model = analyzeKernel(op, kernel.why);
  if (failed(model))
    return kernel;
  if (!hasPlainReductions(*model)) {
    kernel.why = "an output moves along a reduction";
    return kernel;
  }
  kernel.model = *model;
  if (model->isEmpty())
    return kernel;
  if (FailureOr<ContractionKernel> plan = planContraction(*model, kernel.why);
      succeeded(plan))
    kernel.contraction = *plan;
  return kernel;
}

/// Gives kernels the fills and elementwise ops that they can take over, and
/// returns those.
static FusedOps foldIntoKernels(MutableArrayRef<Kernel> kernels) {
  FusedOps folded;
  for (Kernel &kernel : kernels) {
    if (!kernel.model)
      continue;
    kernel.fill = findFill(*kernel.model);
    if (kernel.fill)
      folded.insert(kernel.fill);
  }
  // An op between two contractions goes into the first, which has its operand
  // in registers.
  for (Kernel &kernel : kernels)
    if (kernel.contraction && kernel.fill)
      if (Operation *map =
              fuseResultMap(*kernel.model, *kernel.contraction, kernel.fill))
        folded.insert(map);
  for (Kernel &kernel : kernels)
    if (kernel.contraction)
      if (Operation *map =
              fuseRowMap(*kernel.model, *kernel.contraction, folded))
        folded.insert(map);
  return folded;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static StringRef getPanelText(PanelMode mode) {
  switch (mode) {
  case PanelMode::Direct:
    return "in place";
  case PanelMode::Whole:
    return "packed once";
  case PanelMode::PerPanel:
    return "packed by panel";
  }
  llvm_unreachable("unknown panel mode");
}

static StringRef getFusedText(const ContractionKernel &plan) {
  if (plan.rowMap)
    return plan.resultMap ? "rows and result" : "rows";
  return "result";
}

static remark::RemarkOpts getRemarkOpts(StringRef name, Operation *op) {
  auto func = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name)
      .category("cma-lower-kernels")
      .function(func ? func.getName() : "");
}

static void remarkContraction(const ContractionKernel &plan, Operation *op) {
  auto remark = remark::passed(op->getLoc(), getRemarkOpts("Contraction", op));
  remark << "register tiles" << remark::metric("m", plan.m.extent)
         << remark::metric("n", plan.getN()) << remark::metric("k", plan.getK())
         << remark::metric("lanes", plan.lanes)
         << remark::metric("b", getPanelText(plan.panels))
         << remark::metric("threads", plan.useThreads ? "yes" : "no");
  if (plan.rowMap || plan.resultMap)
    remark << remark::metric("fused", getFusedText(plan));
}

static void remarkLoopNest(const LoopNestPlan &plan, const std::string &why,
                           Operation *op) {
  if (plan.width > 1)
    remark::passed(op->getLoc(), getRemarkOpts("Loops", op))
        << (plan.vectorReduction ? "vector reduction" : "vector loop")
        << remark::metric("lanes", plan.width)
        << remark::metric("threads", plan.useThreads ? "yes" : "no")
        << remark::metric("no_contraction", why);
  else
    remark::missed(op->getLoc(), getRemarkOpts("Loops", op))
        << remark::reason("scalar loops: {0}", plan.whyScalar);
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static LogicalResult lowerKernel(const Kernel &kernel) {
  linalg::LinalgOp op = kernel.op;
  if (!op.hasPureBufferSemantics())
    return op->emitOpError("expected memref operands only; bufferise first");
  if (!kernel.model) {
    IRRewriter rewriter(op);
    remark::missed(op->getLoc(), getRemarkOpts("Loops", op))
        << remark::reason("plain loops: {0}", kernel.why);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitOpError("expected indexing maps that loops can address");
    op->erase();
    return success();
  }
  Value initial = kernel.fill ? kernel.fill.getInputs().front() : Value();
  if (kernel.model->isEmpty()) {
    // Nothing is written; a fill of the output stays.
  } else if (kernel.contraction) {
    remarkContraction(*kernel.contraction, op);
    emitContraction(*kernel.model, *kernel.contraction, initial);
  } else {
    LoopNestPlan plan = planLoopNest(*kernel.model);
    remarkLoopNest(plan, kernel.why, op);
    emitLoopNest(*kernel.model, plan, initial);
  }
  op->erase();
  return success();
}

namespace {
struct LowerKernels : cma::impl::LowerKernelsPassBase<LowerKernels> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    // Views of weights leave the token loops, so that packing can follow.
    func.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });

    std::vector<Kernel> kernels;
    func.walk([&](linalg::LinalgOp op) { kernels.push_back(planKernel(op)); });
    FusedOps folded = foldIntoKernels(kernels);
    for (const Kernel &kernel : kernels) {
      if (folded.contains(kernel.op))
        continue;
      // Kernels in its body are lowered: what they took over goes before the
      // body is copied and erased.
      folded.remove_if([&](Operation *op) {
        bool isInside = kernel.op->isProperAncestor(op);
        if (isInside)
          op->erase();
        return isInside;
      });
      if (failed(lowerKernel(kernel)))
        return signalPassFailure();
    }
    for (Operation *op : folded)
      op->erase();
    // Buffers between ops that are one kernel now.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
  }
};
} // namespace
