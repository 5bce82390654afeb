//===- PrecisionOpModel.h - Classes and ranges as external models --*- C++
//-*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file turns a class and a plain function, which bounds an op's result,
// into an external model of PrecisionOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODEL_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODEL_H

#include "cma/Dialect/CMA/IR/CMAInterfaces.h"

namespace cma {

/// Bounds the only result from the operands.
template <typename OpTy>
using RangeRule = Interval (*)(OpTy, llvm::ArrayRef<Interval>);

template <typename OpTy>
Interval inferNothing(OpTy, llvm::ArrayRef<Interval>) {
  return Interval::unbounded();
}
template <typename OpTy>
Interval inferFirst(OpTy, llvm::ArrayRef<Interval> operands) {
  return operands[0];
}
/// Of ops that pick from all their operands.
template <typename OpTy>
Interval inferJoin(OpTy, llvm::ArrayRef<Interval> operands) {
  Interval all = operands.empty() ? Interval::unbounded() : operands[0];
  for (const Interval &operand : operands.drop_front(!operands.empty()))
    all = join(all, operand);
  return all;
}
template <typename OpTy, Interval (*function)(Interval)>
Interval inferUnary(OpTy, llvm::ArrayRef<Interval> operands) {
  return function(operands[0]);
}
template <typename OpTy, Interval (*function)(Interval, Interval)>
Interval inferBinary(OpTy, llvm::ArrayRef<Interval> operands) {
  return function(operands[0], operands[1]);
}

template <typename OpTy, PrecisionClass precisionClass, RangeRule<OpTy> rule>
struct PrecisionOpModel
    : PrecisionOpInterface::ExternalModel<
          PrecisionOpModel<OpTy, precisionClass, rule>, OpTy> {
  PrecisionClass getPrecisionClass(mlir::Operation *, mlir::Type) const {
    return precisionClass;
  }
  bool isLegalPrecision(mlir::Operation *, mlir::Type type) const {
    // Upstream ops take what they are written in; CMA's own are f32 inside and
    // outside.
    bool isWide = precisionClass == PrecisionClass::Deny &&
                  OpTy::getOperationName().starts_with("cma.");
    return isStorageFloat(type) && !(isWide && isLowFloat(type));
  }
  void inferRange(mlir::Operation *op, llvm::ArrayRef<Interval> operands,
                  llvm::MutableArrayRef<Interval> results) const {
    if (results.size() == 1)
      results[0] = rule(llvm::cast<OpTy>(op), operands);
  }
};

/// An op whose result may be far larger than its operand, or turns a small
/// error of it into a large one: denied f16 and f8 unless its range is proved.
template <typename OpTy, RangeRule<OpTy> rule>
struct SensitiveOpModel
    : PrecisionOpInterface::ExternalModel<SensitiveOpModel<OpTy, rule>, OpTy> {
  PrecisionClass getPrecisionClass(mlir::Operation *, mlir::Type low) const {
    return low.isBF16() ? PrecisionClass::Follow : PrecisionClass::Deny;
  }
  bool isSafeInRange(mlir::Operation *) const { return true; }
  bool isLegalPrecision(mlir::Operation *, mlir::Type type) const {
    return isStorageFloat(type);
  }
  void inferRange(mlir::Operation *op, llvm::ArrayRef<Interval> operands,
                  llvm::MutableArrayRef<Interval> results) const {
    results[0] = rule(llvm::cast<OpTy>(op), operands);
  }
};

template <typename OpTy, PrecisionClass precisionClass,
          RangeRule<OpTy> rule = inferNothing<OpTy>>
void attachPrecision(mlir::MLIRContext *context) {
  OpTy::template attachInterface<PrecisionOpModel<OpTy, precisionClass, rule>>(
      *context);
}
template <typename OpTy, RangeRule<OpTy> rule>
void attachSensitive(mlir::MLIRContext *context) {
  OpTy::template attachInterface<SensitiveOpModel<OpTy, rule>>(*context);
}

void attachCMAPrecision(mlir::MLIRContext *context);
void attachArithPrecision(mlir::MLIRContext *context);
void attachMathPrecision(mlir::MLIRContext *context);
void attachTensorPrecision(mlir::MLIRContext *context);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONOPMODEL_H
