//===- AssignPrecision.cpp - Precision of each op -------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-assign-precision.
//
//===----------------------------------------------------------------------===//

#include "JsonReport.h"
#include "PrecisionGraph.h"
#include "RangeOptions.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/JSON.h"

namespace cma {
#define GEN_PASS_DEF_CMAASSIGNPRECISIONPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

static void annotate(const PrecisionDecision &decision) {
  Builder builder(decision.op->getContext());
  decision.op->setAttr(kPrecisionAttr, decision.attr);
  if (!decision.carried.empty())
    decision.op->setAttr(kResultTypesAttr,
                         builder.getTypeArrayAttr(decision.carried));
}

/// One remark a decision; a missed one where a range or a shape keeps an op
/// from the low type.
static void remarkOn(const PrecisionDecision &decision, func::FuncOp func) {
  auto options = remark::RemarkOpts::name("Precision")
                     .category("cma-assign-precision")
                     .function(func.getName());
  Location loc = decision.op->getLoc();
  std::string op = decision.op->getName().getStringRef().str();
  std::string operand = spell(decision.attr.getOperand());
  std::string result = spell(decision.attr.getResult());
  if (decision.reason == PrecisionReason::Shape) {
    std::optional<uint64_t> summed = countSummed(cast<ContractOp>(decision.op));
    remark::missed(loc, options)
        << (op + " reads " + operand +
            " where its sums do not fill what the "
            "target sums at a time in the low type")
        << remark::metric("Summed", summed ? std::to_string(*summed) : "?")
        << remark::metric("Operands", operand)
        << remark::metric("Result", result);
  } else if (decision.excess) {
    remark::missed(loc, options)
        << (op + " stays in f32 where bounds exceed the low type")
        << remark::metric("Bound", std::to_string(*decision.excess))
        << remark::metric("Operands", operand)
        << remark::metric("Result", result);
  } else {
    remark::passed(loc, options)
        << op << remark::metric("Operands", operand)
        << remark::metric("Result", result)
        << remark::metric("Why", getSpelling(decision.reason));
  }
}

static void writeDecision(llvm::json::OStream &json, ValueNames &names,
                          const PrecisionDecision &decision) {
  std::string operand = spell(decision.attr.getOperand());
  for (OpResult result : decision.op->getResults()) {
    if (!getTensorFloat(result))
      continue;
    Type type = decision.carried.empty()
                    ? decision.attr.getResult()
                    : decision.carried[result.getResultNumber()];
    json.object([&] {
      json.attribute("value", names.get(result));
      json.attribute("op", decision.op->getName().getStringRef());
      json.attribute("operand_type",
                     decision.carried.empty() ? operand : spell(type));
      json.attribute("type", spell(type));
      json.attribute("reason", getSpelling(decision.reason));
    });
  }
}

namespace {
struct AssignPrecisionPass
    : cma::impl::CMAAssignPrecisionPassBase<AssignPrecisionPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerPrecisionOpModels(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    SmallVector<std::string> allowed(allow.begin(), allow.end());
    SmallVector<std::string> denied(deny.begin(), deny.end());
    SmallVector<std::string> following(follow.begin(), follow.end());
    SmallVector<std::string> bounds(argumentRanges.begin(),
                                    argumentRanges.end());
    PrecisionRequest request{policy,  type,   solver,   target,
                             allowed, denied, following};
    FailureOr<PrecisionPolicy> read =
        PrecisionPolicy::read(module.getLoc(), request);
    RangeOptions ranges;
    if (failed(read) ||
        failed(readRanges(module.getLoc(), bounds, ranges.arguments)) ||
        failed(checkRangeNames(module, ranges.arguments)))
      return failure();
    ranges.low = read->getLow();

    return writeJsonReport(
        module.getLoc(), report, [&](llvm::json::OStream &json) {
          for (auto func : module.getOps<func::FuncOp>())
            if (!func.isDeclaration() &&
                failed(runOnFunction(func, *read, ranges, json)))
              return failure();
          return success();
        });
  }

  LogicalResult runOnFunction(func::FuncOp func, const PrecisionPolicy &policy,
                              const RangeOptions &rangeOptions,
                              llvm::json::OStream &json) {
    RangeAnalysis ranges(func, rangeOptions);
    PrecisionGraphOptions options;
    options.requireProof = requireProof;
    PrecisionGraph graph(func, policy, ranges, options);
    if (failed(graph.build()))
      return failure();
    std::vector<PrecisionDecision> decisions = graph.solve();
    for (const PrecisionDecision &decision : decisions) {
      annotate(decision);
      remarkOn(decision, func);
    }
    if (report.empty())
      return success();
    ValueNames names(func);
    json.object([&] {
      json.attribute("function", func.getName());
      json.attributeArray("values", [&] {
        for (const PrecisionDecision &decision : decisions)
          writeDecision(json, names, decision);
      });
    });
    return success();
  }
};
} // namespace
