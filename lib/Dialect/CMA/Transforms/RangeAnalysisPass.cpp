//===- RangeAnalysisPass.cpp - Reports of ranges --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-range-analysis and the option `ranges` of passes.
//
//===----------------------------------------------------------------------===//

#include "JsonReport.h"
#include "Precision.h"
#include "RangeOptions.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace cma {
#define GEN_PASS_DEF_CMARANGEANALYSISPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// The option `ranges`
//===----------------------------------------------------------------------===//

static bool parseBound(StringRef text, double &value) {
  return !text.empty() && !text.getAsDouble(value) && std::isfinite(value);
}

LogicalResult cma::readRanges(Location loc, ArrayRef<std::string> entries,
                              llvm::StringMap<Interval> &ranges) {
  for (StringRef entry : entries) {
    // A name may hold colons.
    auto [rest, highText] = entry.rsplit(':');
    auto [name, lowText] = rest.rsplit(':');
    double low = 0, high = 0;
    if (name.empty() || !parseBound(lowText, low) ||
        !parseBound(highText, high) || low > high)
      return emitError(loc)
             << "invalid option 'ranges': expected <name>:<low>:<high> with "
                "finite low <= high, got '"
             << entry << "'";
    if (!ranges.try_emplace(name, Interval::between(low, high)).second)
      return emitError(loc)
             << "invalid option 'ranges': expected one entry for "
                "each argument, got two for '"
             << name << "'";
  }
  return success();
}

LogicalResult cma::checkRangeNames(ModuleOp module,
                                   const llvm::StringMap<Interval> &ranges) {
  SmallVector<StringRef> names(ranges.keys());
  llvm::sort(names);
  for (StringRef name : names) {
    bool known = false;
    for (auto func : module.getOps<func::FuncOp>())
      for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
        known |=
            getArgumentName(func, i) == name &&
            isa<FloatType>(getElementTypeOrSelf(func.getArgumentTypes()[i]));
    if (!known)
      return emitError(module.getLoc())
             << "invalid option 'ranges': expected the name or position of a "
                "floating-point argument, got '"
             << name << "'";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static Type parseLow(MLIRContext *context, StringRef name) {
  if (name == "f32")
    return Float32Type::get(context);
  if (name == "f16")
    return Float16Type::get(context);
  if (name == "bf16")
    return BFloat16Type::get(context);
  if (name == "f8E4M3FN")
    return Float8E4M3FNType::get(context);
  if (name == "f8E5M2")
    return Float8E5M2Type::get(context);
  return {};
}

static llvm::json::Value toJson(double bound) {
  if (!std::isfinite(bound))
    return nullptr;
  return bound;
}

/// Why a value is not proved to fit; empty where it is.
static StringRef explain(Interval interval, const FloatFormat &format) {
  if (isKnownToFit(interval, format))
    return "";
  if (interval.mayBeInfinite())
    return interval.mayBeNaN ? "unbounded" : "may be infinite";
  if (interval.mayBeNaN)
    return "may be NaN";
  return "bound exceeds the type";
}

namespace {
struct RangeAnalysisPass
    : cma::impl::CMARangeAnalysisPassBase<RangeAnalysisPass> {
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
    RangeOptions options;
    options.low = parseLow(&getContext(), low);
    if (!options.low)
      return emitError(module.getLoc())
             << "invalid option 'low': expected f32, f16, bf16, f8E4M3FN or "
                "f8E5M2, got '"
             << low << "'";
    SmallVector<std::string> bounds(argumentRanges.begin(),
                                    argumentRanges.end());
    if (failed(readRanges(module.getLoc(), bounds, options.arguments)) ||
        failed(checkRangeNames(module, options.arguments)))
      return failure();
    return writeJsonReport(
        module.getLoc(), report, [&](llvm::json::OStream &json) {
          for (auto func : module.getOps<func::FuncOp>())
            if (!func.isDeclaration())
              json.object([&] { runOnFunction(func, options, json); });
          return success();
        });
  }

  void runOnFunction(func::FuncOp func, const RangeOptions &options,
                     llvm::json::OStream &json) {
    RangeAnalysis ranges(func, options);
    if (annotate)
      annotateOps(func, ranges);
    if (report.empty())
      return;
    ValueNames names(func);
    FloatFormat format = getFloatFormat(options.low);
    json.attribute("function", func.getName());
    auto writeValue = [&](Value value) {
      if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
        return;
      Interval interval = ranges.getInterval(value);
      StringRef reason = explain(interval, format);
      json.object([&] {
        json.attribute("value", names.get(value));
        json.attribute("low", toJson(interval.low));
        json.attribute("high", toJson(interval.high));
        json.attribute("may_be_nan", interval.mayBeNaN);
        json.attribute("proved", reason.empty());
        if (!reason.empty())
          json.attribute("reason", reason);
      });
    };
    json.attributeArray("values", [&] {
      func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        for (Region &region : op->getRegions())
          for (Block &block : region)
            llvm::for_each(block.getArguments(), writeValue);
        llvm::for_each(op->getResults(), writeValue);
      });
    });
    if (Value scale = findLossScaleArgument(func)) {
      std::optional<double> largest =
          findLargestLossScale(func, options, collectDependents(func, scale));
      json.attribute("loss_scale",
                     largest ? llvm::json::Value(*largest) : nullptr);
    }
  }

  /// Only finite bounds: the attribute has no others.
  static void annotateOps(func::FuncOp func, const RangeAnalysis &ranges) {
    func.walk([&](Operation *op) {
      if (op->getNumResults() != 1 || op->getNumRegions() != 0)
        return;
      Interval interval = ranges.getInterval(op->getResult(0));
      if (interval.isFinite())
        op->setAttr(kResultRangeAttr,
                    RangeAttr::get(op->getContext(), APFloat(interval.low),
                                   APFloat(interval.high)));
    });
  }
};
} // namespace
