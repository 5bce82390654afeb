//===- DifferentiateArith.cpp - Derivatives of arith ops -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gives the floating-point ops of `arith` their derivatives. Ops
// whose result or operands are integers (comparisons, conversions) need none:
// no gradient flows through an integer.
//
//===----------------------------------------------------------------------===//

#include "DifferentiableOpModel.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cma;

static void addRule(arith::AddFOp, VJP &vjp) {
  for (unsigned i = 0; i < 2; ++i)
    if (vjp.wanted[i])
      vjp.gradients[i] = vjp.cotangent;
}

static void subRule(arith::SubFOp, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.cotangent;
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.negate(vjp.cotangent);
}

static void mulRule(arith::MulFOp op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.mul(vjp.cotangent, op.getRhs());
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.mul(op.getLhs(), vjp.cotangent);
}

static void divRule(arith::DivFOp op, VJP &vjp) {
  if (!vjp.wanted[0] && !vjp.wanted[1])
    return;
  Value quotient = vjp.div(vjp.cotangent, op.getRhs());
  if (vjp.wanted[0])
    vjp.gradients[0] = quotient;
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.negate(vjp.mul(quotient, op.getResult()));
}

static void remRule(arith::RemFOp op, VJP &vjp) {
  // a - b trunc(a / b), whose quotient is constant between its steps.
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.cotangent;
  if (!vjp.wanted[1])
    return;
  Value whole = vjp.sub(op.getLhs(), op.getResult());
  Value quotient = vjp.create<math::RoundEvenOp>(vjp.div(whole, op.getRhs()));
  vjp.gradients[1] = vjp.negate(vjp.mul(vjp.cotangent, quotient));
}

static Value negRule(arith::NegFOp, VJP &vjp) {
  return vjp.negate(vjp.cotangent);
}

/// Maxima and minima: the operand that the result equals has the gradient, the
/// first one where they are equal.
template <typename OpTy>
static void extremumRule(OpTy op, VJP &vjp) {
  if (!vjp.wanted[0] && !vjp.wanted[1])
    return;
  Value first =
      vjp.compare(arith::CmpFPredicate::OEQ, op.getLhs(), op.getResult());
  Value zero = vjp.constant(0.0, vjp.cotangent);
  if (vjp.wanted[0])
    vjp.gradients[0] = vjp.select(first, vjp.cotangent, zero);
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.select(first, zero, vjp.cotangent);
}

static void selectRule(arith::SelectOp op, VJP &vjp) {
  if (!vjp.wanted[1] && !vjp.wanted[2])
    return;
  Value zero = vjp.constant(0.0, vjp.cotangent);
  if (vjp.wanted[1])
    vjp.gradients[1] = vjp.select(op.getCondition(), vjp.cotangent, zero);
  if (vjp.wanted[2])
    vjp.gradients[2] = vjp.select(op.getCondition(), zero, vjp.cotangent);
}

static Value extRule(arith::ExtFOp op, VJP &vjp) {
  return vjp.create<arith::TruncFOp>(op.getIn().getType(), vjp.cotangent);
}

static Value truncRule(arith::TruncFOp op, VJP &vjp) {
  return vjp.create<arith::ExtFOp>(op.getIn().getType(), vjp.cotangent);
}

void cma::attachArithRules(MLIRContext *context) {
  attachRule<arith::AddFOp, addRule>(context);
  attachRule<arith::SubFOp, subRule>(context);
  attachRule<arith::MulFOp, mulRule>(context);
  attachRule<arith::DivFOp, divRule>(context);
  attachRule<arith::RemFOp, remRule>(context);
  attachUnaryRule<arith::NegFOp, negRule>(context);
  attachRule<arith::MaximumFOp, extremumRule<arith::MaximumFOp>>(context);
  attachRule<arith::MinimumFOp, extremumRule<arith::MinimumFOp>>(context);
  attachRule<arith::MaxNumFOp, extremumRule<arith::MaxNumFOp>>(context);
  attachRule<arith::MinNumFOp, extremumRule<arith::MinNumFOp>>(context);
  attachRule<arith::SelectOp, selectRule>(context);
  attachUnaryRule<arith::ExtFOp, extRule>(context);
  attachUnaryRule<arith::TruncFOp, truncRule>(context);
}
