//===- Losses.cpp - Losses and label checks to linalg ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the losses. A row is summed in the operand type, the rows
// are summed in f64, and the mean is rounded once.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"
#include "RowOps.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"

#include <tuple>

using namespace mlir;
using namespace cma;

static Value first(ImplicitLocOpBuilder &, ValueRange args) { return args[0]; }

//===----------------------------------------------------------------------===//
// Mean squared error
//===----------------------------------------------------------------------===//

static Value squaredError(ImplicitLocOpBuilder &b, ValueRange args) {
  Value error = arith::SubFOp::create(b, args[0], args[1]);
  return arith::MulFOp::create(b, error, error);
}

namespace {
struct LowerMSE : OpRewritePattern<MSEOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MSEOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getPrediction().getType());
    SmallVector<Value> operands = {op.getPrediction(), op.getTarget()};
    LinalgEmitter emitter(rewriter, op.getLoc());
    Value total;
    if (type.getRank() >= 2) {
      RowOps rows(rewriter, op.getLoc(), op.getPrediction());
      total = sumInDouble(emitter, rows.sum(operands, {}, squaredError), first);
    } else {
      total = sumInDouble(emitter, operands, squaredError);
    }
    // No elements: 0 / 1.
    double count =
        static_cast<double>(std::max<int64_t>(type.getNumElements(), 1));
    rewriter.replaceOp(
        op, emitter.map({{total, AffineMap::get(rewriter.getContext())}}, {},
                        type.getElementType(),
                        [&](ImplicitLocOpBuilder &b, ValueRange args) {
                          Value mean = arith::DivFOp::create(
                              b, args[0],
                              floatConstant(b, args[0].getType(), count));
                          return convertFloat(b, mean, type.getElementType());
                        }));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

namespace {
/// What the loss and its gradient share. Both emit the same ops for it, so that
/// CSE leaves one copy.
class CrossEntropyRows {
public:
  CrossEntropyRows(OpBuilder &builder, Location loc, Value logits, Value labels,
                   std::optional<int64_t> ignoreIndex)
      : rows(builder, loc, logits), logits(logits), labels(labels),
        labelType(cast<RankedTensorType>(labels.getType())),
        ignoreIndex(ignoreIndex), maximum(rows.maximum(logits)),
        total(rows.sum({logits}, {maximum}, exponential)) {
    // An ignored label that labels cannot hold ignores nothing.
    unsigned width = labelType.getElementTypeBitWidth();
    if (ignoreIndex && !llvm::isIntN(width, *ignoreIndex))
      this->ignoreIndex.reset();
  }

  /// exp(logit - maximum of the row), given both.
  static Value exponential(ImplicitLocOpBuilder &b, ValueRange args) {
    return math::ExpOp::create(b, arith::SubFOp::create(b, args[0], args[1]));
  }

  /// Whether the point's position in its row is `label`.
  Value isLabel(ImplicitLocOpBuilder &b, Value label) const {
    Value position = arith::IndexCastOp::create(
        b, label.getType(), linalg::IndexOp::create(b, labelType.getRank()));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, position, label);
  }

  /// `value`, or `ignored` where `label` is not counted.
  Value unlessIgnored(ImplicitLocOpBuilder &b, Value label, Value value,
                      Value ignored) const {
    if (!ignoreIndex)
      return value;
    Value index = arith::ConstantOp::create(
        b, b.getIntegerAttr(label.getType(), *ignoreIndex));
    Value isIgnored =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, label, index);
    return arith::SelectOp::create(b, isIgnored, ignored, value);
  }

  /// `value` divided by the number of counted rows, at least 1; by a constant
  /// where all count.
  Value divideByCount(Value value, Type type);

  RowOps rows;
  Value logits, labels;
  RankedTensorType labelType;
  std::optional<int64_t> ignoreIndex;
  /// Per row: the largest logit, and the sum of exp(logit - largest).
  Value maximum, total;
};
} // namespace

Value CrossEntropyRows::divideByCount(Value value, Type type) {
  AffineMap scalar = AffineMap::get(type.getContext());
  double rowCount = static_cast<double>(labelType.getNumElements());
  SmallVector<Access> inputs = {{value, scalar}};
  if (ignoreIndex) {
    Value counted = sumInDouble(rows.getEmitter(), labels,
                                [&](ImplicitLocOpBuilder &b, ValueRange args) {
                                  Type wide = b.getF64Type();
                                  return unlessIgnored(
                                      b, args[0], floatConstant(b, wide, 1.0),
                                      floatConstant(b, wide, 0.0));
                                });
    inputs.push_back({counted, scalar});
  }
  return rows.getEmitter().map(
      inputs, {}, type, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Type wide = args[0].getType();
        Value count;
        if (ignoreIndex)
          count = convertFloat(
              b,
              arith::MaxNumFOp::create(b, args[1],
                                       floatConstant(b, b.getF64Type(), 1.0)),
              wide);
        else
          count = floatConstant(b, wide, std::max(rowCount, 1.0));
        return convertFloat(b, arith::DivFOp::create(b, args[0], count), type);
      });
}

namespace {
struct LowerCrossEntropy : OpRewritePattern<CrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CrossEntropyOp op,
                                PatternRewriter &rewriter) const override {
    CrossEntropyRows shared(rewriter, op.getLoc(), op.getLogits(),
                            op.getLabels(), op.getIgnoreIndex());
    RowOps &rows = shared.rows;
    // logits[label] - maximum, without a gather.
    Value picked =
        rows.sum({op.getLogits()}, {shared.maximum, op.getLabels()},
                 [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                   Value shifted = arith::SubFOp::create(b, args[0], args[1]);
                   Value zero = floatConstant(b, rows.getElementType(), 0.0);
                   return arith::SelectOp::create(b, shared.isLabel(b, args[2]),
                                                  shifted, zero);
                 });
    Value losses = rows.mapRows(
        {shared.total, picked, op.getLabels()},
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value loss = arith::SubFOp::create(b, math::LogOp::create(b, args[0]),
                                             args[1]);
          Value zero = floatConstant(b, rows.getElementType(), 0.0);
          return shared.unlessIgnored(b, args[2], loss, zero);
        });
    Value total = sumInDouble(rows.getEmitter(), losses, first);
    rewriter.replaceOp(op, shared.divideByCount(total, rows.getElementType()));
    return success();
  }
};

struct LowerCrossEntropyGrad : OpRewritePattern<CrossEntropyGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CrossEntropyGradOp op,
                                PatternRewriter &rewriter) const override {
    CrossEntropyRows shared(rewriter, op.getLoc(), op.getLogits(),
                            op.getLabels(), op.getIgnoreIndex());
    RowOps &rows = shared.rows;
    Value scale =
        shared.divideByCount(op.getCotangent(), rows.getElementType());
    rewriter.replaceOp(
        op, rows.mapAll(
                {op.getLogits()},
                {shared.maximum, shared.total, op.getLabels()}, {}, {scale},
                [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                  Value softmax = arith::DivFOp::create(
                      b, CrossEntropyRows::exponential(b, args), args[2]);
                  Value zero = floatConstant(b, rows.getElementType(), 0.0);
                  Value one = floatConstant(b, rows.getElementType(), 1.0);
                  Value target = arith::SelectOp::create(
                      b, shared.isLabel(b, args[3]), one, zero);
                  Value slope = arith::MulFOp::create(
                      b, arith::SubFOp::create(b, softmax, target), args[4]);
                  return shared.unlessIgnored(b, args[3], slope, zero);
                }));
    return success();
  }
};
} // namespace

void cma::populateLossPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMSE, LowerCrossEntropy, LowerCrossEntropyGrad>(
      patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Label checks
//===----------------------------------------------------------------------===//

/// Name of the argument that `labels` are, or its position; empty where they
/// are computed.
static std::string getArgumentName(func::FuncOp func, Value labels) {
  auto argument = dyn_cast<BlockArgument>(labels);
  if (!argument || argument.getOwner() != &func.getBody().front())
    return "";
  unsigned index = argument.getArgNumber();
  if (auto name = func.getArgAttrOfType<StringAttr>(index, kNameAttr))
    return name.str();
  return std::to_string(index);
}

void cma::insertLabelChecks(func::FuncOp func) {
  using Key = std::tuple<Value, int64_t, Attribute>;
  llvm::DenseSet<Key> seen;
  // Where the next check of a block's arguments goes: behind the last one.
  llvm::DenseMap<Block *, Operation *> lastCheck;

  auto check = [&](Location loc, Value logits, Value labels,
                   IntegerAttr ignoreIndex) {
    int64_t classes =
        cast<RankedTensorType>(logits.getType()).getShape().back();
    if (!seen.insert({labels, classes, ignoreIndex}).second)
      return;
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfterValue(labels);
    Block *block = labels.getParentBlock();
    if (isa<BlockArgument>(labels) && lastCheck.count(block))
      builder.setInsertionPointAfter(lastCheck[block]);
    auto op = CheckLabelsOp::create(
        builder, loc, labels, builder.getI64IntegerAttr(classes), ignoreIndex,
        builder.getStringAttr(getArgumentName(func, labels)));
    if (isa<BlockArgument>(labels))
      lastCheck[block] = op;
  };
  func.walk([&](Operation *op) {
    if (auto loss = dyn_cast<CrossEntropyOp>(op))
      check(op->getLoc(), loss.getLogits(), loss.getLabels(),
            loss.getIgnoreIndexAttr());
    else if (auto grad = dyn_cast<CrossEntropyGradOp>(op))
      check(op->getLoc(), grad.getLogits(), grad.getLabels(),
            grad.getIgnoreIndexAttr());
  });
}
