//===- InterpreterMoves.cpp - Casts and moves of numbers ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs the ops that convert numbers or move them.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace cma;
using namespace cma::test;

static float convert(float value, const llvm::fltSemantics &semantics,
                     APFloat::roundingMode mode) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, mode, &losesInfo);
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
}

float cma::test::roundTo(float value, const llvm::fltSemantics &semantics) {
  return convert(value, semantics, APFloat::rmNearestTiesToEven);
}

/// Any of both neighbours stands for the stochastic one.
static float castNumber(CastOp op, float value, bool goesUp) {
  auto type = cast<FloatType>(op.getType().getElementType());
  if (type.getWidth() > 32 || std::isnan(value))
    return value;
  const llvm::fltSemantics &semantics =
      op.getTf32() ? APFloat::FloatTF32() : type.getFloatSemantics();
  APFloat::roundingMode mode = APFloat::rmNearestTiesToEven;
  if (op.getRound() == Rounding::TowardZero)
    mode = APFloat::rmTowardZero;
  else if (op.getRound() == Rounding::Stochastic)
    mode = goesUp ? APFloat::rmTowardPositive : APFloat::rmTowardNegative;
  float result = convert(value, semantics, mode);
  if (op.getOverflow() == Overflow::Saturate && !std::isfinite(result))
    result =
        std::copysign(APFloat::getLargest(semantics).convertToFloat(), value);
  return result;
}

/// Where row-major `indices` of a 4 x 4 tensor lead.
static size_t getOffset(ValueRange indices) {
  size_t offset = 0;
  for (Value index : indices)
    offset = offset * 4 + *getConstantIntValue(index);
  return offset;
}

bool Interpreter::runMove(Operation &op, ArrayRef<const Numbers *> operands,
                          Numbers &result) {
  const Numbers &a = operands.empty() ? result : *operands[0];
  if (auto cast = dyn_cast<CastOp>(op)) {
    for (auto [i, x] : llvm::enumerate(a))
      result.push_back(castNumber(cast, x, i % 2));
  } else if (isa<arith::ExtFOp, arith::TruncFOp, tensor::CastOp,
                 tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 arith::SIToFPOp>(op)) {
    // Of an i1 that is set, the only bit is the sign.
    bool negates = isa<arith::SIToFPOp>(op) &&
                   getElementTypeOrSelf(op.getOperand(0)).isInteger(1);
    for (float x : a)
      result.push_back(negates ? -x : x);
  } else if (isa<arith::UIToFPOp>(op)) {
    for (float x : a)
      result.push_back(x < 0 ? x + 256 : x);
  } else if (isa<tensor::ConcatOp, tensor::FromElementsOp>(op)) {
    for (const Numbers *operand : operands)
      llvm::append_range(result, *operand);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    result.assign(a.begin(), a.begin() + slice.getType().getNumElements());
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    result = *operands[1];
    std::copy(a.begin(), a.end(),
              result.begin() + insert.getStaticOffset(0) * 4);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    result = {a[getOffset(extract.getIndices())]};
  } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    result = *operands[1];
    result[getOffset(insert.getIndices())] = a[0];
  } else if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    result.assign(splat.getType().getNumElements(), a[0]);
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value around = pad.getConstantPaddingValue();
    result.assign(pad.getType().getNumElements(), values[around].front());
    std::copy(a.begin(), a.end(), result.begin() + 4);
  } else {
    return false;
  }
  return true;
}
