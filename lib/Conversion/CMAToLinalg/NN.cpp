//===- NN.cpp - Activations and norms to linalg ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers activations, softmax and layer normalisation. Each reduction
// over a row is one linalg.generic, and so is what happens to each element
// between two of them. Types below f32 compute in f32 and are rounded at the
// end.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"
#include "RowOps.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// One generic over equally shaped operands, which computes in f32 or wider.
static Value mapElements(OpBuilder &builder, Operation *op,
                         LinalgEmitter::ValueBody body) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<Access> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back({operand, identity});
  LinalgEmitter emitter(builder, op->getLoc());
  Type element = type.getElementType();
  return emitter.map(
      inputs, type.getShape(), element,
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        SmallVector<Value> wide;
        for (Value argument : args)
          wide.push_back(convertFloat(b, argument, getComputeType(element)));
        return convertFloat(b, body(b, wide), element);
      });
}

/// Written as the negation so that a NaN passes: it is not below 0.
static Value relu(ImplicitLocOpBuilder &b, ValueRange args) {
  Value zero = floatConstant(b, args[0].getType(), 0.0);
  Value negative =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, args[0], zero);
  return arith::SelectOp::create(b, negative, zero, args[0]);
}

namespace {
/// Arithmetic on scalars of one type, for the longer formulas.
struct Scalars {
  Scalars(ImplicitLocOpBuilder &b, Type type) : b(b), type(type) {}

  Value number(double value) { return floatConstant(b, type, value); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }

  ImplicitLocOpBuilder &b;
  Type type;
};
} // namespace

static constexpr double kInvSqrt2 = 0.70710678118654752440;
static constexpr double kInvSqrt2Pi = 0.39894228040143267794;
static constexpr double kSqrt2OverPi = 0.79788456080286535588;
static constexpr double kGeluCubic = 0.044715;

/// (1 + erf(x / sqrt 2)) / 2.
static Value normalCdf(Scalars &s, Value x) {
  Value erf = math::ErfOp::create(s.b, s.mul(x, s.number(kInvSqrt2)));
  return s.mul(s.number(0.5), s.add(s.number(1.0), erf));
}

/// tanh(sqrt(2 / pi) (x + 0.044715 x^3)), given x^2.
static Value geluTanh(Scalars &s, Value x, Value square) {
  Value cubic = s.add(s.number(1.0), s.mul(s.number(kGeluCubic), square));
  Value inner = s.mul(s.mul(s.number(kSqrt2OverPi), x), cubic);
  return math::TanhOp::create(s.b, inner);
}

static Value gelu(ImplicitLocOpBuilder &b, Value x, GeluApproximation form) {
  Scalars s(b, x.getType());
  if (form == GeluApproximation::None)
    return s.mul(x, normalCdf(s, x));
  Value tanh = geluTanh(s, x, s.mul(x, x));
  return s.mul(s.mul(s.number(0.5), x), s.add(s.number(1.0), tanh));
}

static Value geluDerivative(ImplicitLocOpBuilder &b, Value x,
                            GeluApproximation form) {
  Scalars s(b, x.getType());
  Value square = s.mul(x, x);
  if (form == GeluApproximation::None) {
    Value density =
        s.mul(s.number(kInvSqrt2Pi),
              math::ExpOp::create(b, s.mul(s.number(-0.5), square)));
    return s.add(normalCdf(s, x), s.mul(x, density));
  }
  Value tanh = geluTanh(s, x, square);
  Value one = s.number(1.0);
  Value half = s.number(0.5);
  // Derivative of tanh's argument.
  Value slope = s.mul(s.number(kSqrt2OverPi),
                      s.add(one, s.mul(s.number(3 * kGeluCubic), square)));
  Value bell = s.sub(one, s.mul(tanh, tanh));
  return s.add(s.mul(half, s.add(one, tanh)),
               s.mul(s.mul(s.mul(half, x), bell), slope));
}

namespace {
struct LowerRelu : OpRewritePattern<ReluOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReluOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, mapElements(rewriter, op, relu));
    return success();
  }
};

struct LowerGelu : OpRewritePattern<GeluOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GeluOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, mapElements(rewriter, op, [&](auto &b, auto args) {
                         return gelu(b, args[0], op.getApproximate());
                       }));
    return success();
  }
};

struct LowerGeluGrad : OpRewritePattern<GeluGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GeluGradOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, mapElements(rewriter, op, [&](auto &b, auto args) -> Value {
          Value slope = geluDerivative(b, args[0], op.getApproximate());
          return arith::MulFOp::create(b, args[1], slope);
        }));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Softmax and layer normalisation
//===----------------------------------------------------------------------===//

struct LowerSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    Value input = emitter.widen(op.getInput());
    RowOps rows(rewriter, op.getLoc(), input);
    Value maximum = rows.maximum(input);
    Value exponential =
        rows.map({input}, {maximum}, {},
                 [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                   return math::ExpOp::create(
                       b, arith::SubFOp::create(b, args[0], args[1]));
                 });
    Value total = rows.sum({exponential});
    Value result =
        rows.map({exponential}, {total}, {},
                 [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                   return arith::DivFOp::create(b, args[0], args[1]);
                 });
    rewriter.replaceOp(
        op, emitter.convert(result, getElementTypeOrSelf(op.getType())));
    return success();
  }
};

/// Mean and 1 / sqrt(variance + epsilon) of each row.
struct RowMoments {
  Value mean, scale;
};
} // namespace

static RowMoments getMoments(RowOps &rows, Value input,
                             const APFloat &epsilon) {
  Value mean = rows.mean(rows.sum({input}));
  // Two passes: the mean of squares minus the squared mean cancels.
  Value squares = rows.sum(
      {input}, {mean}, [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value deviation = arith::SubFOp::create(b, args[0], args[1]);
        return arith::MulFOp::create(b, deviation, deviation);
      });
  Value scale = rows.mapRows(
      {rows.mean(squares)},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Type type = args[0].getType();
        Value shifted = arith::AddFOp::create(
            b, args[0], floatConstant(b, type, epsilon.convertToDouble()));
        return arith::DivFOp::create(b, floatConstant(b, type, 1.0),
                                     math::SqrtOp::create(b, shifted));
      });
  return {mean, scale};
}

/// (x - mean) scale.
static Value normalise(ImplicitLocOpBuilder &b, Value x, Value mean,
                       Value scale) {
  return arith::MulFOp::create(b, arith::SubFOp::create(b, x, mean), scale);
}

namespace {
struct LowerLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    Value input = emitter.widen(op.getInput());
    RowOps rows(rewriter, op.getLoc(), input);
    RowMoments moments = getMoments(rows, input, op.getEpsilon());
    SmallVector<Value> columns;
    if (op.getScale())
      columns.push_back(emitter.widen(op.getScale()));
    if (op.getShift())
      columns.push_back(emitter.widen(op.getShift()));
    Value result =
        rows.map({input}, {moments.mean, moments.scale}, columns,
                 [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                   Value y = normalise(b, args[0], args[1], args[2]);
                   if (op.getScale())
                     y = arith::MulFOp::create(b, y, args[3]);
                   if (op.getShift())
                     y = arith::AddFOp::create(b, y, args[2 + columns.size()]);
                   return y;
                 });
    rewriter.replaceOp(
        op, emitter.convert(result, getElementTypeOrSelf(op.getType())));
    return success();
  }
};

struct LowerLayerNormGrad : OpRewritePattern<LayerNormGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormGradOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    Value input = emitter.widen(op.getInput());
    Value cotangent = emitter.widen(op.getCotangent());
    RowOps rows(rewriter, op.getLoc(), input);
    RowMoments moments = getMoments(rows, input, op.getEpsilon());
    Value mean = rows.mean(rows.sum({cotangent}));
    Value product = rows.mean(
        rows.sum({input, cotangent}, {moments.mean, moments.scale},
                 [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                   return arith::MulFOp::create(
                       b, args[1], normalise(b, args[0], args[2], args[3]));
                 }));
    Value result = rows.map(
        {input, cotangent}, {moments.mean, moments.scale, mean, product}, {},
        [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value h = normalise(b, args[0], args[2], args[3]);
          Value centred = arith::SubFOp::create(
              b, arith::SubFOp::create(b, args[1], args[4]),
              arith::MulFOp::create(b, h, args[5]));
          return arith::MulFOp::create(b, centred, args[3]);
        });
    rewriter.replaceOp(
        op, emitter.convert(result, getElementTypeOrSelf(op.getType())));
    return success();
  }
};
} // namespace

void cma::populateNNPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRelu, LowerGelu, LowerGeluGrad, LowerSoftmax,
               LowerLayerNorm, LowerLayerNormGrad>(patterns.getContext());
}
