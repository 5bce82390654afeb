//===- Training.cpp - Optimizers to linalg --------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the training ops.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
    auto type = cast<RankedTensorType>(op.getParameter().getType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    AffineMap scalar = AffineMap::get(type.getRank(), 0, rewriter.getContext());
    SmallVector<Access> inits = {{op.getParameter(), identity}};
    if (op.getBuffer())
      inits.push_back({op.getBuffer(), identity});
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    LinalgEmitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, emitter.generic(
                {{op.getGradient(), identity}, {op.getLr(), scalar}}, inits,
                iterators, [&](ImplicitLocOpBuilder &b, ValueRange args) {
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

void cma::populateTrainingPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSGD>(patterns.getContext());
}
