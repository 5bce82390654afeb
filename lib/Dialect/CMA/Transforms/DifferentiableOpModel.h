//===- DifferentiableOpModel.h - Rules as external models -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file turns a plain function, the rule of an op, into an external model
// of DifferentiableOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODEL_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODEL_H

#include "cma/Dialect/CMA/IR/CMABuilders.h"
#include "cma/Dialect/CMA/IR/CMAInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cma {

/// What a rule sees of one vector-Jacobian product, and the arithmetic that it
/// writes. The upstream ops with a rule have one result.
struct VJP {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Cotangent of the result.
  mlir::Value cotangent;
  llvm::ArrayRef<bool> wanted;
  llvm::MutableArrayRef<mlir::Value> gradients;

  template <typename OpTy, typename... Args>
  mlir::Value create(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return create<mlir::arith::AddFOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return create<mlir::arith::SubFOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return create<mlir::arith::MulFOp>(a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return create<mlir::arith::DivFOp>(a, b);
  }
  mlir::Value negate(mlir::Value a) { return create<mlir::arith::NegFOp>(a); }
  /// A constant of the type of `like`.
  mlir::Value constant(double value, mlir::Value like) {
    return createFilled(builder, loc, like.getType(), value);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return create<mlir::arith::CmpFOp>(predicate, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return create<mlir::arith::SelectOp>(condition, a, b);
  }
};

template <typename OpTy, void (*rule)(OpTy, VJP &)>
struct DifferentiableOpModel : DifferentiableOpInterface::ExternalModel<
                                   DifferentiableOpModel<OpTy, rule>, OpTy> {
  llvm::LogicalResult
  buildVJP(mlir::Operation *op, mlir::OpBuilder &builder,
           mlir::ValueRange cotangents, llvm::ArrayRef<bool> wanted,
           llvm::MutableArrayRef<mlir::Value> gradients) const {
    VJP vjp{builder, op->getLoc(), cotangents[0], wanted, gradients};
    rule(llvm::cast<OpTy>(op), vjp);
    return llvm::success();
  }
};

/// Gives OpTy the derivative that `rule` builds.
template <typename OpTy, void (*rule)(OpTy, VJP &)>
void attachRule(mlir::MLIRContext *context) {
  OpTy::template attachInterface<DifferentiableOpModel<OpTy, rule>>(*context);
}

/// The same for an op of one operand, whose rule returns its gradient.
template <typename OpTy, mlir::Value (*rule)(OpTy, VJP &)>
void applyUnaryRule(OpTy op, VJP &vjp) {
  if (vjp.wanted[0])
    vjp.gradients[0] = rule(op, vjp);
}
template <typename OpTy, mlir::Value (*rule)(OpTy, VJP &)>
void attachUnaryRule(mlir::MLIRContext *context) {
  attachRule<OpTy, applyUnaryRule<OpTy, rule>>(context);
}

void attachArithRules(mlir::MLIRContext *context);
void attachMathRules(mlir::MLIRContext *context);
void attachTensorRules(mlir::MLIRContext *context);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_DIFFERENTIABLEOPMODEL_H
