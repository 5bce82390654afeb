//===- Casts.cpp - Rounding to linalg -------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lowers the cast to one elementwise op. What arith.truncf can say
// stays arith.truncf; saturation clamps in front of it. Stochastic rounding is
// written out, with the generator in the body.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "Patterns.h"

#include "cma/Conversion/FloatExpansion.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Runtime/Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

namespace {
/// Philox 4x32-10 on scalars, as Random.cpp computes it.
class PhiloxEmitter {
public:
  explicit PhiloxEmitter(ImplicitLocOpBuilder &b) : b(b) {}

  /// The first word for counter (element, step), both i64.
  Value firstWord(Value element, Value step, PhiloxKey key) {
    std::array<Value, 4> counter = {low(element), high(element), low(step),
                                    high(step)};
    for (int round = 0; round < 10; ++round) {
      auto [low0, high0] = multiply(counter[0], 0xD2511F53);
      auto [low1, high1] = multiply(counter[2], 0xCD9E8D57);
      counter = {
          exclusiveOr(exclusiveOr(high1, counter[1]), word(key[0])), low1,
          exclusiveOr(exclusiveOr(high0, counter[3]), word(key[1])), low0};
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    return counter[0];
  }

private:
  Value word(uint32_t value) {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value low(Value value) {
    return arith::TruncIOp::create(b, b.getI32Type(), value);
  }
  Value high(Value value) {
    Value half = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
    return low(arith::ShRUIOp::create(b, value, half));
  }
  std::pair<Value, Value> multiply(Value x, uint32_t factor) {
    auto product = arith::MulUIExtendedOp::create(b, x, word(factor));
    return {product.getLow(), product.getHigh()};
  }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(b, x, y); }

  ImplicitLocOpBuilder &b;
};
} // namespace

/// The row-major position of the current point, as an i64.
static Value getPosition(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape) {
  Value position = arith::ConstantIndexOp::create(b, 0);
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    Value size = arith::ConstantIndexOp::create(b, extent);
    position =
        arith::AddIOp::create(b, arith::MulIOp::create(b, position, size),
                              linalg::IndexOp::create(b, axis));
  }
  return arith::IndexCastOp::create(b, b.getI64Type(), position);
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

/// `value` with what lies beyond the finite values of `target` put on the
/// nearest one. A NaN passes.
static Value clamp(ImplicitLocOpBuilder &b, Value value, FloatType target) {
  auto type = cast<FloatType>(value.getType());
  auto bound = [&](bool negative) -> Value {
    APFloat largest = APFloat::getLargest(target.getFloatSemantics(), negative);
    bool losesInfo;
    largest.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return arith::ConstantOp::create(b, FloatAttr::get(type, largest));
  };
  auto limit = [&](arith::CmpFPredicate predicate, Value limit) {
    Value beyond = arith::CmpFOp::create(b, predicate, value, limit);
    value = arith::SelectOp::create(b, beyond, limit, value);
  };
  limit(arith::CmpFPredicate::OGT, bound(false));
  limit(arith::CmpFPredicate::OLT, bound(true));
  return value;
}

/// The element type that the values of the result fit.
static FloatType getTarget(CastOp op) {
  if (op.getTf32())
    return FloatTF32Type::get(op.getContext());
  return cast<FloatType>(op.getResult().getType().getElementType());
}

/// f64 where the cast has to do with it, else f32.
static FloatType getWideType(CastOp op) {
  Type from = getElementTypeOrSelf(op.getInput().getType());
  Builder b(op.getContext());
  return from.isF64() || getTarget(op).isF64() ? FloatType(b.getF64Type())
                                               : FloatType(b.getF32Type());
}

/// Nearest even or toward zero; stochastic where nothing is cut off.
static Value roundElement(CastOp op, ImplicitLocOpBuilder &b, Value value) {
  FloatType target = getTarget(op), wide = getWideType(op);
  value = convertFloat(b, value, wide);
  if (op.getOverflow() == Overflow::Saturate && !op.isExact())
    value = clamp(b, value, target);
  if (target != wide) {
    arith::RoundingModeAttr mode;
    if (op.getRound() == Rounding::TowardZero)
      mode = arith::RoundingModeAttr::get(op.getContext(),
                                          arith::RoundingMode::toward_zero);
    value = arith::TruncFOp::create(b, target, value, mode,
                                    arith::FastMathFlagsAttr());
  }
  return convertFloat(b, value, op.getResult().getType().getElementType());
}

/// `args`: the element and the step.
static Value roundStochastically(CastOp op, ImplicitLocOpBuilder &b,
                                 ValueRange args) {
  RandomStream stream(static_cast<uint64_t>(op.getSeedAttr().getInt()),
                      op.getStreamAttr().getValue());
  Value position = getPosition(b, op.getResult().getType().getShape());
  Value noise = PhiloxEmitter(b).firstWord(position, args[1], stream.getKey());
  Value value = convertFloat(b, args[0], getWideType(op));
  return FloatExpander(b).roundStochastically(
      value, getTarget(op), noise, op.getOverflow() == Overflow::Saturate);
}

/// Whether the target lacks values of the operand's type, infinities aside.
static bool cutsOff(CastOp op) {
  auto from = cast<FloatType>(getElementTypeOrSelf(op.getInput().getType()));
  return !APFloat::isRepresentableBy(from.getFloatSemantics(),
                                     getTarget(op).getFloatSemantics());
}

namespace {
struct LowerCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getResult().getType();
    int64_t rank = type.getRank();
    LinalgEmitter emitter(rewriter, op.getLoc());
    bool isStochastic = op.getRound() == Rounding::Stochastic && cutsOff(op);
    SmallVector<Access> inputs = {
        {op.getInput(), rewriter.getMultiDimIdentityMap(rank)}};
    if (isStochastic)
      inputs.push_back(
          {op.getStep(), AffineMap::get(rank, 0, rewriter.getContext())});
    rewriter.replaceOp(
        op, emitter.map(inputs, type.getShape(), type.getElementType(),
                        [&](ImplicitLocOpBuilder &b, ValueRange args) {
                          return isStochastic ? roundStochastically(op, b, args)
                                              : roundElement(op, b, args[0]);
                        }));
    return success();
  }
};
} // namespace

void cma::populateCastPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerCast>(patterns.getContext());
}
