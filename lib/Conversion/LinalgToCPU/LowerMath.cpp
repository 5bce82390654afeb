//===- LowerMath.cpp - Elementary functions -------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-lower-math pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cma {
#define GEN_PASS_DEF_LOWERMATHPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// The f32 functions whose polynomial stays within 5 ulp and is several times
/// as fast as libm. The one for sin loses relative accuracy near multiples of
/// pi.
static bool hasGoodPolynomial(StringRef name) {
  return name == math::ExpOp::getOperationName() ||
         name == math::TanhOp::getOperationName() ||
         name == math::ErfOp::getOperationName() ||
         name == math::LogOp::getOperationName();
}

namespace {
/// Writes an integer power as a power in f64, which holds the exponents of i32:
/// LLVM's own takes one exponent for a whole vector.
struct PowerOfInteger : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    auto withElement = [&](Type element) -> Type {
      auto vector = dyn_cast<VectorType>(op.getType());
      return vector ? vector.clone(element) : element;
    };
    Location loc = op.getLoc();
    Type wide = withElement(rewriter.getF64Type());
    Value base = op.getLhs(), exponent = op.getRhs();
    if (getElementTypeOrSelf(exponent).isIndex())
      exponent = arith::IndexCastOp::create(
          rewriter, loc, withElement(rewriter.getI64Type()), exponent);
    exponent = arith::SIToFPOp::create(rewriter, loc, wide, exponent);
    bool narrow = op.getType() != wide;
    if (narrow)
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
    Value power = math::PowFOp::create(rewriter, loc, base, exponent);
    if (narrow)
      power = arith::TruncFOp::create(rewriter, loc, op.getType(), power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

struct LowerMath : cma::impl::LowerMathPassBase<LowerMath> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet powers(context);
    powers.add<PowerOfInteger>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(powers))))
      return signalPassFailure();
    if (approximate) {
      RewritePatternSet polynomials(context);
      populateMathPolynomialApproximationPatterns(polynomials,
                                                  hasGoodPolynomial);
      if (failed(applyPatternsGreedily(getOperation(), std::move(polynomials))))
        return signalPassFailure();
    }
    // The rest becomes intrinsics of LLVM, which end in libm as well; these ops
    // have none, or one that is computed less exactly.
    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, func::FuncDialect,
                           LLVM::LLVMDialect, math::MathDialect,
                           vector::VectorDialect>();
    target.addIllegalOp<math::AcoshOp, math::AsinhOp, math::AtanhOp,
                        math::CbrtOp, math::ErfOp, math::ErfcOp, math::ExpM1Op,
                        math::Log1pOp>();
    RewritePatternSet libm(context);
    populateMathToLibmConversionPatterns(libm);
    if (failed(applyPartialConversion(getOperation(), target, std::move(libm))))
      signalPassFailure();
  }
};
} // namespace
