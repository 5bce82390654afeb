//===- Clipping.cpp - Clipping by the global norm to linalg ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers clipping: squares are summed in f64, one gradient after the
// other.
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

/// Keeps the quotient finite where the norm is 0.
static constexpr double kNormEpsilon = 1e-6;

static Value square(ImplicitLocOpBuilder &b, ValueRange args) {
  Value wide = convertFloat(b, args[0], b.getF64Type());
  return arith::MulFOp::create(b, wide, wide);
}

static Value createSum(ImplicitLocOpBuilder &b, ValueRange args) {
  return arith::AddFOp::create(b, args[0], args[1]);
}

static Value multiplyElement(ImplicitLocOpBuilder &b, ValueRange args) {
  return arith::MulFOp::create(b, args[0], args[1]);
}

namespace {
struct LowerClipByGlobalNorm : OpRewritePattern<ClipByGlobalNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ClipByGlobalNormOp op,
                                PatternRewriter &rewriter) const override {
    LinalgEmitter emitter(rewriter, op.getLoc());
    AffineMap none = AffineMap::get(rewriter.getContext());
    Value norm = computeNorm(emitter, op.getGradients());
    SmallVector<Value> results;
    for (Value gradient : op.getGradients()) {
      Type element = getElementTypeOrSelf(gradient.getType());
      // Of each type there is one, after CSE.
      Value coefficient =
          emitter.map({{norm, none}}, {}, element,
                      [&](ImplicitLocOpBuilder &b, ValueRange args) {
                        return computeCoefficient(op, b, args[0], element);
                      });
      results.push_back(mapWithScalar(emitter, gradient, coefficient, element,
                                      multiplyElement));
    }
    Type type = op.getNorm().getType().getElementType();
    results.push_back(
        emitter.map({{norm, none}}, {}, type,
                    [&](ImplicitLocOpBuilder &b, ValueRange args) {
                      return convertFloat(b, args[0], type);
                    }));
    rewriter.replaceOp(op, results);
    return success();
  }

  /// A scalar of f64.
  static Value computeNorm(LinalgEmitter &emitter, ValueRange gradients) {
    Type wide = emitter.getBuilder().getF64Type();
    if (gradients.empty())
      return emitter.filled({}, wide, 0.0);
    SmallVector<Access> sums;
    for (Value gradient : gradients)
      sums.push_back(
          {reduceWhole(emitter, gradient, {}, wide, square, createSum),
           AffineMap::get(emitter.getBuilder().getContext())});
    return emitter.map(sums, {}, wide,
                       [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         Value total = args.front();
                         for (Value sum : args.slice(1, args.size() - 2))
                           total = arith::AddFOp::create(b, total, sum);
                         return math::SqrtOp::create(b, total);
                       });
  }

  /// A NaN stays one, so that it is seen.
  static Value computeCoefficient(ClipByGlobalNormOp op,
                                  ImplicitLocOpBuilder &b, Value norm,
                                  Type type) {
    Type wide = norm.getType();
    Value quotient = arith::DivFOp::create(
        b, floatConstant(b, wide, op.getMaxNorm().convertToDouble()),
        arith::AddFOp::create(b, norm, floatConstant(b, wide, kNormEpsilon)));
    return convertFloat(
        b, arith::MinimumFOp::create(b, quotient, floatConstant(b, wide, 1.0)),
        type);
  }
};
} // namespace

void cma::populateClippingPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerClipByGlobalNorm>(patterns.getContext());
}
