//===- LossScaling.cpp - Unscaling and the scale's update to linalg -------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the ops that undo and adapt the loss scale. The products of
// cma.unscale are elementwise, so that they are computed where they are used;
// overflow is looked for in a reduction of its own, which only reads.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"
#include "WholeTensor.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// UnscaleOp
//===----------------------------------------------------------------------===//

/// The gradient, extended, times the scale's reciprocal in that type.
static Value unscaleElement(ImplicitLocOpBuilder &b, ValueRange args) {
  Value inverse = args[1];
  return arith::MulFOp::create(b, convertFloat(b, args[0], inverse.getType()),
                               inverse);
}

/// 1 where that product is not finite, else 0. An infinite gradient has an
/// infinite product, so that this looks at both.
static Value isOverflow(ImplicitLocOpBuilder &b, ValueRange args) {
  Value size = math::AbsFOp::create(b, unscaleElement(b, args));
  Value infinity =
      floatConstant(b, size.getType(), std::numeric_limits<double>::infinity());
  Value overflow =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UGE, size, infinity);
  return arith::ExtUIOp::create(b, b.getI32Type(), overflow);
}

static Value createOr(ImplicitLocOpBuilder &b, ValueRange args) {
  return arith::OrIOp::create(b, args[0], args[1]);
}

namespace {
struct LowerUnscale : OpRewritePattern<UnscaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UnscaleOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    AffineMap none = AffineMap::get(rewriter.getContext());
    SmallVector<Value> results, overflows;
    for (auto [gradient, unscaled] :
         llvm::zip(op.getGradients(), op.getUnscaled())) {
      Type element = getElementTypeOrSelf(unscaled.getType());
      // Of each type there is one, after CSE.
      Value inverse = emitter.map(
          {{op.getScale(), none}}, {}, element,
          [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
            return arith::DivFOp::create(b, floatConstant(b, element, 1.0),
                                         convertFloat(b, args[0], element));
          });
      results.push_back(
          mapWithScalar(emitter, gradient, inverse, element, unscaleElement));
      overflows.push_back(reduceWhole(emitter, gradient, inverse,
                                      rewriter.getI32Type(), isOverflow,
                                      createOr));
    }
    results.push_back(findAny(emitter, overflows));
    rewriter.replaceOp(op, results);
    return success();
  }

  /// Whether one of the scalar tensors of i32 is not 0.
  static Value findAny(LinalgEmitter &emitter, ArrayRef<Value> overflows) {
    ImplicitLocOpBuilder &builder = emitter.getBuilder();
    if (overflows.empty())
      return arith::ConstantOp::create(
          builder, DenseElementsAttr::get(
                       RankedTensorType::get({}, builder.getI1Type()), false));
    SmallVector<Access> inputs;
    for (Value overflow : overflows)
      inputs.push_back({overflow, AffineMap::get(builder.getContext())});
    return emitter.map(
        inputs, {}, builder.getI1Type(),
        [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value any = args.front();
          for (Value overflow : args.slice(1, args.size() - 2))
            any = arith::OrIOp::create(b, any, overflow);
          Value zero =
              arith::ConstantOp::create(b, b.getIntegerAttr(any.getType(), 0));
          return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, any, zero);
        });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// UpdateLossScaleOp
//===----------------------------------------------------------------------===//

namespace {
/// The state machine on scalars.
struct LowerUpdateLossScale : OpRewritePattern<UpdateLossScaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UpdateLossScaleOp op,
                                PatternRewriter &rewriter) const override {
    AffineMap none = AffineMap::get(rewriter.getContext());
    SmallVector<Access> state = {{op.getScale(), none},
                                 {op.getGoodSteps(), none}};
    if (op.getTracker())
      state.push_back({op.getTracker(), none});
    LinalgEmitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, emitter.generic({{op.getFoundInf(), none}}, state, {},
                            [&](ImplicitLocOpBuilder &b, ValueRange args) {
                              return update(op, b, args);
                            }));
    return success();
  }

  /// The new state from found_inf, scale, good steps and tracker.
  static SmallVector<Value> update(UpdateLossScaleOp op,
                                   ImplicitLocOpBuilder &b, ValueRange args) {
    Value found = args[0], scale = args[1];
    auto count = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
    };
    auto choose = [&](Value condition, Value yes, Value no) -> Value {
      return arith::SelectOp::create(b, condition, yes, no);
    };
    Value good = arith::AddIOp::create(b, args[2], count(1));
    // At least, not equal: the interval may be lower than it was.
    Value grows = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, good,
                                        count(op.getInterval()));
    Value shrinks = found;
    SmallVector<Value> results(2);
    if (op.getTracker()) {
      Value tracker = args[3];
      shrinks = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, tracker,
                                      count(1));
      Value less =
          choose(shrinks, tracker, arith::SubIOp::create(b, tracker, count(1)));
      Value full = count(op.getHysteresis());
      if (op.getRefill() == HysteresisRefill::Growth)
        full = choose(grows, full, tracker);
      results.push_back(choose(found, less, full));
    }
    results[0] = choose(found, choose(shrinks, shrink(op, b, scale), scale),
                        choose(grows, grow(op, b, scale), scale));
    results[1] = choose(found, count(-static_cast<int64_t>(op.getDelay())),
                        choose(grows, count(0), good));
    return results;
  }

  static Value shrink(UpdateLossScaleOp op, ImplicitLocOpBuilder &b,
                      Value scale) {
    Type type = scale.getType();
    Value product = arith::MulFOp::create(
        b, scale, floatConstant(b, type, op.getBackoff().convertToDouble()));
    return arith::MaximumFOp::create(
        b, product, floatConstant(b, type, op.getMinimum().convertToDouble()));
  }

  /// An infinite product is above every maximum.
  static Value grow(UpdateLossScaleOp op, ImplicitLocOpBuilder &b,
                    Value scale) {
    Type type = scale.getType();
    Value product = arith::MulFOp::create(
        b, scale, floatConstant(b, type, op.getGrowth().convertToDouble()));
    Value fits = arith::CmpFOp::create(
        b, arith::CmpFPredicate::OLE, product,
        floatConstant(b, type, op.getMaximum().convertToDouble()));
    return arith::SelectOp::create(b, fits, product, scale);
  }
};
} // namespace

void cma::populateLossScalingPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerUnscale, LowerUpdateLossScale>(patterns.getContext());
}
