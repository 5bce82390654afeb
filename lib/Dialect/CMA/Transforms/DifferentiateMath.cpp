//===- DifferentiateMath.cpp - Derivatives of math ops -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gives the floating-point ops of `math` their derivatives. Where the
// derivative is a function of the result, it is written so: the result is
// computed anyway.
//
//===----------------------------------------------------------------------===//

#include "DifferentiableOpModel.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

static Value expRule(math::ExpOp op, VJP &vjp) {
  return vjp.mul(vjp.cotangent, op.getResult());
}

static Value exp2Rule(math::Exp2Op op, VJP &vjp) {
  Value scaled =
      vjp.mul(vjp.cotangent, vjp.constant(llvm::numbers::ln2, vjp.cotangent));
  return vjp.mul(scaled, op.getResult());
}

static Value expM1Rule(math::ExpM1Op op, VJP &vjp) {
  return vjp.add(vjp.mul(vjp.cotangent, op.getResult()), vjp.cotangent);
}

static Value logRule(math::LogOp op, VJP &vjp) {
  return vjp.div(vjp.cotangent, op.getOperand());
}

static Value log1pRule(math::Log1pOp op, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  return vjp.div(vjp.cotangent, vjp.add(one, op.getOperand()));
}

/// Of a logarithm whose base has the natural logarithm `logBase`.
static Value scaledLogRule(Value operand, double logBase, VJP &vjp) {
  Value factor = vjp.constant(1.0 / logBase, vjp.cotangent);
  return vjp.div(vjp.mul(vjp.cotangent, factor), operand);
}

static Value log2Rule(math::Log2Op op, VJP &vjp) {
  return scaledLogRule(op.getOperand(), llvm::numbers::ln2, vjp);
}

static Value log10Rule(math::Log10Op op, VJP &vjp) {
  return scaledLogRule(op.getOperand(), llvm::numbers::ln10, vjp);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Value sqrtRule(math::SqrtOp op, VJP &vjp) {
  Value half = vjp.constant(0.5, vjp.cotangent);
  return vjp.div(vjp.mul(vjp.cotangent, half), op.getResult());
}

static Value rsqrtRule(math::RsqrtOp op, VJP &vjp) {
  // -1/2 x^(-3/2), from y = x^(-1/2) without another division.
  Value y = op.getResult();
  Value scaled = vjp.mul(vjp.cotangent, vjp.constant(-0.5, vjp.cotangent));
  return vjp.mul(scaled, vjp.mul(y, vjp.mul(y, y)));
}

static Value cbrtRule(math::CbrtOp op, VJP &vjp) {
  Value y = op.getResult();
  Value third = vjp.constant(1.0 / 3.0, vjp.cotangent);
  return vjp.div(vjp.mul(vjp.cotangent, third), vjp.mul(y, y));
}

static void powRule(math::PowFOp op, VJP &vjp) {
  Value base = op.getLhs(), exponent = op.getRhs();
  Value zero, one;
  if (vjp.wanted[0] || vjp.wanted[1]) {
    zero = vjp.constant(0.0, vjp.cotangent);
    one = vjp.constant(1.0, vjp.cotangent);
  }
  if (vjp.wanted[0]) {
    // b a^(b-1). With b = 0 it is 0, also at a = 0, where a^(b-1) is infinite.
    Value constant = vjp.compare(arith::CmpFPredicate::OEQ, exponent, zero);
    Value lower = vjp.select(constant, one, vjp.sub(exponent, one));
    Value power = vjp.create<math::PowFOp>(base, lower);
    vjp.gradients[0] = vjp.mul(vjp.cotangent, vjp.mul(exponent, power));
  }
  if (vjp.wanted[1]) {
    // a^b log a, whose limit at a = 0 is 0 for b > 0.
    Value atZero = vjp.compare(arith::CmpFPredicate::OEQ, base, zero);
    Value log = vjp.create<math::LogOp>(vjp.select(atZero, one, base));
    vjp.gradients[1] = vjp.mul(vjp.cotangent, vjp.mul(op.getResult(), log));
  }
}

static void integerPowerRule(math::FPowIOp op, VJP &vjp) {
  if (!vjp.wanted[0])
    return;
  // n a^(n-1). With n = 0 it is 0, also at a = 0, where a^(n-1) is infinite.
  // In i64, so that n - 1 does not wrap around.
  Value exponent = op.getRhs();
  Type type = vjp.builder.getI64Type(), given = exponent.getType();
  if (auto shaped = dyn_cast<ShapedType>(given))
    type = shaped.clone(type);
  if (getElementTypeOrSelf(given).isIndex())
    exponent = vjp.create<arith::IndexCastOp>(type, exponent);
  else if (getElementTypeOrSelf(given).getIntOrFloatBitWidth() < 64)
    exponent = vjp.create<arith::ExtSIOp>(type, exponent);
  else
    type = given;
  auto integer = [&](int64_t value) {
    Attribute number =
        vjp.builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    auto shaped = dyn_cast<ShapedType>(type);
    return vjp.create<arith::ConstantOp>(
        shaped ? cast<TypedAttr>(DenseElementsAttr::get(shaped, number))
               : cast<TypedAttr>(number));
  };
  Value zero = integer(0);
  Value isZero =
      vjp.create<arith::CmpIOp>(arith::CmpIPredicate::eq, exponent, zero);
  Value lower = vjp.create<arith::SubIOp>(exponent, integer(1));
  lower = vjp.select(isZero, zero, lower);
  Value power = vjp.create<math::FPowIOp>(op.getLhs(), lower);
  Value factor = vjp.create<arith::SIToFPOp>(vjp.cotangent.getType(), exponent);
  vjp.gradients[0] = vjp.mul(vjp.cotangent, vjp.mul(factor, power));
}

//===----------------------------------------------------------------------===//
// Trigonometric and hyperbolic functions
//===----------------------------------------------------------------------===//

static Value sinRule(math::SinOp op, VJP &vjp) {
  return vjp.mul(vjp.cotangent, vjp.create<math::CosOp>(op.getOperand()));
}

static Value cosRule(math::CosOp op, VJP &vjp) {
  Value sine = vjp.create<math::SinOp>(op.getOperand());
  return vjp.negate(vjp.mul(vjp.cotangent, sine));
}

static Value tanRule(math::TanOp op, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  Value square = vjp.mul(op.getResult(), op.getResult());
  return vjp.mul(vjp.cotangent, vjp.add(one, square));
}

static Value atanRule(math::AtanOp op, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  Value square = vjp.mul(op.getOperand(), op.getOperand());
  return vjp.div(vjp.cotangent, vjp.add(one, square));
}

static void atan2Rule(math::Atan2Op op, VJP &vjp) {
  if (!vjp.wanted[0] && !vjp.wanted[1])
    return;
  Value y = op.getLhs(), x = op.getRhs();
  Value radius = vjp.add(vjp.mul(x, x), vjp.mul(y, y));
  Value scaled = vjp.div(vjp.cotangent, radius);
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.mul(scaled, x);
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.negate(vjp.mul(scaled, y));
}

/// 1 - x^2 as a product, which is exact where x is close to 1.
static Value oneMinusSquare(Value x, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  return vjp.mul(vjp.sub(one, x), vjp.add(one, x));
}

static Value asinRule(math::AsinOp op, VJP &vjp) {
  Value root = vjp.create<math::RsqrtOp>(oneMinusSquare(op.getOperand(), vjp));
  return vjp.mul(vjp.cotangent, root);
}

static Value acosRule(math::AcosOp op, VJP &vjp) {
  Value root = vjp.create<math::RsqrtOp>(oneMinusSquare(op.getOperand(), vjp));
  return vjp.negate(vjp.mul(vjp.cotangent, root));
}

static Value asinhRule(math::AsinhOp op, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  Value square = vjp.mul(op.getOperand(), op.getOperand());
  Value root = vjp.create<math::RsqrtOp>(vjp.add(square, one));
  return vjp.mul(vjp.cotangent, root);
}

static Value acoshRule(math::AcoshOp op, VJP &vjp) {
  Value root = vjp.create<math::RsqrtOp>(
      vjp.negate(oneMinusSquare(op.getOperand(), vjp)));
  return vjp.mul(vjp.cotangent, root);
}

static Value atanhRule(math::AtanhOp op, VJP &vjp) {
  return vjp.div(vjp.cotangent, oneMinusSquare(op.getOperand(), vjp));
}

static Value sinhRule(math::SinhOp op, VJP &vjp) {
  return vjp.mul(vjp.cotangent, vjp.create<math::CoshOp>(op.getOperand()));
}

static Value coshRule(math::CoshOp op, VJP &vjp) {
  return vjp.mul(vjp.cotangent, vjp.create<math::SinhOp>(op.getOperand()));
}

static Value tanhRule(math::TanhOp op, VJP &vjp) {
  Value one = vjp.constant(1.0, vjp.cotangent);
  Value square = vjp.mul(op.getResult(), op.getResult());
  return vjp.mul(vjp.cotangent, vjp.sub(one, square));
}

/// Of erf (`sign` 1) and erfc (`sign` -1): 2 / sqrt(pi) exp(-x^2).
static Value gaussianRule(Value x, double sign, VJP &vjp) {
  Value factor =
      vjp.constant(sign * 2.0 * llvm::numbers::inv_sqrtpi, vjp.cotangent);
  Value density = vjp.create<math::ExpOp>(vjp.negate(vjp.mul(x, x)));
  return vjp.mul(vjp.mul(vjp.cotangent, factor), density);
}

static Value erfRule(math::ErfOp op, VJP &vjp) {
  return gaussianRule(op.getOperand(), 1.0, vjp);
}

static Value erfcRule(math::ErfcOp op, VJP &vjp) {
  return gaussianRule(op.getOperand(), -1.0, vjp);
}

//===----------------------------------------------------------------------===//
// Piecewise linear functions
//===----------------------------------------------------------------------===//

static Value absRule(math::AbsFOp op, VJP &vjp) {
  // 0 at 0.
  Value zero = vjp.constant(0.0, vjp.cotangent);
  Value positive =
      vjp.compare(arith::CmpFPredicate::UGT, op.getOperand(), zero);
  Value negative =
      vjp.compare(arith::CmpFPredicate::OLT, op.getOperand(), zero);
  Value otherwise = vjp.select(negative, vjp.negate(vjp.cotangent), zero);
  return vjp.select(positive, vjp.cotangent, otherwise);
}

/// The magnitude of the first operand under the sign of the second, which is
/// constant between its steps.
static void copySignRule(math::CopySignOp op, VJP &vjp) {
  if (!vjp.wanted[0])
    return;
  Value kept =
      vjp.compare(arith::CmpFPredicate::OEQ, op.getLhs(), op.getResult());
  vjp.gradients[0] = vjp.select(kept, vjp.cotangent, vjp.negate(vjp.cotangent));
}

static void fmaRule(math::FmaOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.mul(vjp.cotangent, op.getB());
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.mul(op.getA(), vjp.cotangent);
  if (vjp.wanted[2])
    vjp.gradients[2] = vjp.cotangent;
}

/// Functions that are constant between their steps.
template <typename OpTy>
static void stepRule(OpTy, VJP &) {}

void cma::attachMathRules(MLIRContext *context) {
  attachUnaryRule<math::ExpOp, expRule>(context);
  attachUnaryRule<math::Exp2Op, exp2Rule>(context);
  attachUnaryRule<math::ExpM1Op, expM1Rule>(context);
  attachUnaryRule<math::LogOp, logRule>(context);
  attachUnaryRule<math::Log1pOp, log1pRule>(context);
  attachUnaryRule<math::Log2Op, log2Rule>(context);
  attachUnaryRule<math::Log10Op, log10Rule>(context);
  attachUnaryRule<math::SqrtOp, sqrtRule>(context);
  attachUnaryRule<math::RsqrtOp, rsqrtRule>(context);
  attachUnaryRule<math::CbrtOp, cbrtRule>(context);
  attachRule<math::PowFOp, powRule>(context);
  attachRule<math::FPowIOp, integerPowerRule>(context);
  attachUnaryRule<math::SinOp, sinRule>(context);
  attachUnaryRule<math::CosOp, cosRule>(context);
  attachUnaryRule<math::TanOp, tanRule>(context);
  attachUnaryRule<math::AtanOp, atanRule>(context);
  attachUnaryRule<math::AsinOp, asinRule>(context);
  attachUnaryRule<math::AcosOp, acosRule>(context);
  attachUnaryRule<math::AsinhOp, asinhRule>(context);
  attachUnaryRule<math::AcoshOp, acoshRule>(context);
  attachUnaryRule<math::AtanhOp, atanhRule>(context);
  attachRule<math::Atan2Op, atan2Rule>(context);
  attachUnaryRule<math::SinhOp, sinhRule>(context);
  attachUnaryRule<math::CoshOp, coshRule>(context);
  attachUnaryRule<math::TanhOp, tanhRule>(context);
  attachUnaryRule<math::ErfOp, erfRule>(context);
  attachUnaryRule<math::ErfcOp, erfcRule>(context);
  attachUnaryRule<math::AbsFOp, absRule>(context);
  attachRule<math::CopySignOp, copySignRule>(context);
  attachRule<math::FmaOp, fmaRule>(context);
  attachRule<math::FloorOp, stepRule<math::FloorOp>>(context);
  attachRule<math::CeilOp, stepRule<math::CeilOp>>(context);
  attachRule<math::RoundOp, stepRule<math::RoundOp>>(context);
  attachRule<math::RoundEvenOp, stepRule<math::RoundEvenOp>>(context);
  attachRule<math::TruncOp, stepRule<math::TruncOp>>(context);
}
