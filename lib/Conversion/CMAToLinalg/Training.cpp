//===- Training.cpp - Optimizers to linalg --------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the optimizers.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"
#include "WholeTensor.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cma;

namespace {
/// One pass over the parameter, which updates it and its momentum in place:
/// both are the inits of the op.
struct LowerSGD : OpRewritePattern<SGDOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SGDOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> state = {op.getParameter()};
    if (op.getBuffer())
      state.push_back(op.getBuffer());
    LinalgEmitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, updateWhole(emitter, op.getGradient(), op.getLr(), state,
                        [&](ImplicitLocOpBuilder &b, ValueRange args) {
                          return update(op, b, args);
                        }));
    return success();
  }

  /// New parameter and buffer from gradient, lr, parameter and buffer.
  static SmallVector<Value> update(SGDOp op, ImplicitLocOpBuilder &b,
                                   ValueRange args) {
    Value gradient = args[0], parameter = args[2];
    Type type = parameter.getType();
    Value lr = convertFloat(b, args[1], type);
    auto number = [&](const APFloat &value) {
      return floatConstant(b, type, value.convertToDouble());
    };
    Value step = gradient;
    if (op.getBuffer())
      step = arith::AddFOp::create(
          b, arith::MulFOp::create(b, number(op.getMomentum()), args[3]), step);
    SmallVector<Value> results = {step};
    if (!op.getWeightDecay().isZero())
      step = arith::AddFOp::create(
          b, step,
          arith::MulFOp::create(b, number(op.getWeightDecay()), parameter));
    Value moved =
        arith::SubFOp::create(b, parameter, arith::MulFOp::create(b, lr, step));
    results.insert(results.begin(), moved);
    results.resize(op.getBuffer() ? 2 : 1);
    return results;
  }
};
} // namespace

namespace {
/// One pass over the parameter and its moments, in place; what depends on the
/// step alone is computed once, in f64.
struct LowerAdamW : OpRewritePattern<AdamWOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdamWOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    Type element = getElementTypeOrSelf(op.getParameter().getType());
    rewriter.replaceOp(
        op, updateWhole(emitter, op.getGradient(),
                        computeFactors(op, emitter, element),
                        {op.getParameter(), op.getFirst(), op.getSecond()},
                        [&](ImplicitLocOpBuilder &b, ValueRange args) {
                          return update(op, b, args);
                        }));
    return success();
  }

  /// lr / (1 - beta1^t), 1 / sqrt(1 - beta2^t) and lr weight_decay, each a
  /// scalar tensor of type `element`.
  static SmallVector<Value> computeFactors(AdamWOp op, LinalgEmitter &emitter,
                                           Type element) {
    AffineMap none = AffineMap::get(op.getContext());
    SmallVector<Access> inputs = {{op.getStep(), none}, {op.getLr(), none}};
    auto compute =
        [&](function_ref<Value(ImplicitLocOpBuilder &, Value, Value)> formula) {
          return emitter.map(
              inputs, {}, element,
              [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                Type wide = b.getF64Type();
                Value t = arith::AddFOp::create(
                    b, arith::SIToFPOp::create(b, wide, args[0]),
                    floatConstant(b, wide, 1.0));
                Value lr = convertFloat(b, args[1], wide);
                return convertFloat(b, formula(b, t, lr), element);
              });
        };
    auto correct = [](ImplicitLocOpBuilder &b, const APFloat &beta,
                      Value t) -> Value {
      Value power = math::PowFOp::create(
          b, floatConstant(b, t.getType(), beta.convertToDouble()), t);
      return arith::SubFOp::create(b, floatConstant(b, t.getType(), 1.0),
                                   power);
    };
    return {compute([&](ImplicitLocOpBuilder &b, Value t, Value lr) -> Value {
              return arith::DivFOp::create(b, lr, correct(b, op.getBeta1(), t));
            }),
            compute([&](ImplicitLocOpBuilder &b, Value t, Value) -> Value {
              return arith::DivFOp::create(
                  b, floatConstant(b, t.getType(), 1.0),
                  math::SqrtOp::create(b, correct(b, op.getBeta2(), t)));
            }),
            compute([&](ImplicitLocOpBuilder &b, Value t, Value lr) -> Value {
              return arith::MulFOp::create(
                  b, lr,
                  floatConstant(b, t.getType(),
                                op.getWeightDecay().convertToDouble()));
            })};
  }

  /// New parameter and moments from gradient, factors, parameter and moments.
  static SmallVector<Value> update(AdamWOp op, ImplicitLocOpBuilder &b,
                                   ValueRange args) {
    Value gradient = args[0], rate = args[1], root = args[2], decay = args[3];
    Value parameter = args[4], first = args[5], second = args[6];
    Type type = parameter.getType();
    auto times = [&](Value value, double factor) -> Value {
      return arith::MulFOp::create(b, floatConstant(b, type, factor), value);
    };
    double beta1 = op.getBeta1().convertToDouble();
    double beta2 = op.getBeta2().convertToDouble();
    first = arith::AddFOp::create(b, times(first, beta1),
                                  times(gradient, 1 - beta1));
    Value square = arith::MulFOp::create(b, gradient, gradient);
    second = arith::AddFOp::create(b, times(second, beta2),
                                   times(square, 1 - beta2));
    Value size = arith::AddFOp::create(
        b, arith::MulFOp::create(b, math::SqrtOp::create(b, second), root),
        floatConstant(b, type, op.getEpsilon().convertToDouble()));
    Value step =
        arith::DivFOp::create(b, arith::MulFOp::create(b, rate, first), size);
    if (!op.getWeightDecay().isZero())
      step = arith::AddFOp::create(b, step,
                                   arith::MulFOp::create(b, decay, parameter));
    return {arith::SubFOp::create(b, parameter, step), first, second};
  }
};
} // namespace

void cma::populateTrainingPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSGD, LowerAdamW>(patterns.getContext());
}
