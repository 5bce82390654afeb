//===- RowOps.cpp - linalg ops on the rows of a tensor --------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the builder for ops that work along the last axis.
//
//===----------------------------------------------------------------------===//

#include "RowOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace cma;

RowOps::RowOps(OpBuilder &builder, Location loc, Value like)
    : emitter(builder, loc) {
  auto type = cast<RankedTensorType>(like.getType());
  MLIRContext *context = type.getContext();
  unsigned rank = type.getRank();
  shape.assign(type.getShape().begin(), type.getShape().end());
  rowShape.assign(shape.begin(), shape.end() - 1);
  elementType = type.getElementType();
  elementMap = AffineMap::getMultiDimIdentityMap(rank, context);
  rowMap = elementMap.dropResult(rank - 1);
  columnMap =
      AffineMap::get(rank, 0, getAffineDimExpr(rank - 1, context), context);
  scalarMap = AffineMap::get(rank, 0, context);
}

static void addAll(SmallVectorImpl<Access> &inputs, ArrayRef<Value> values,
                   AffineMap map) {
  for (Value value : values)
    inputs.push_back({value, map});
}

Value RowOps::mapAll(Values elements, Values rows, Values columns,
                     Values scalars, Body body) {
  SmallVector<Access> inputs;
  addAll(inputs, elements, elementMap);
  addAll(inputs, rows, rowMap);
  addAll(inputs, columns, columnMap);
  addAll(inputs, scalars, scalarMap);
  return emitter.map(inputs, shape, elementType, body);
}

Value RowOps::mapRows(Values rows, Body body) {
  SmallVector<Access> inputs;
  addAll(inputs, rows,
         AffineMap::getMultiDimIdentityMap(rowShape.size(),
                                           elementType.getContext()));
  return emitter.map(inputs, rowShape, elementType, body);
}

Value RowOps::reduceRows(Values elements, Values rows, double start,
                         Body body) {
  SmallVector<Access> inputs;
  addAll(inputs, elements, elementMap);
  addAll(inputs, rows, rowMap);
  Value init = emitter.filled(rowShape, elementType, start);
  return emitter.reduce(inputs, {init, rowMap}, body);
}

Value RowOps::sum(Value elements) {
  return reduceRows(elements, {}, 0.0,
                    [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                      return arith::AddFOp::create(b, args[1], args[0]);
                    });
}

Value RowOps::sum(Values elements, Values rows, Body term) {
  return reduceRows(elements, rows, 0.0,
                    [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                      return arith::AddFOp::create(b, args.back(),
                                                   term(b, args.drop_back()));
                    });
}

Value RowOps::maximum(Value elements) {
  return reduceRows(elements, {}, -std::numeric_limits<double>::infinity(),
                    [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                      return arith::MaxNumFOp::create(b, args[1], args[0]);
                    });
}

Value RowOps::mean(Value sums) {
  double length = static_cast<double>(shape.back());
  return mapRows(sums, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
    return arith::DivFOp::create(b, args[0],
                                 floatConstant(b, elementType, length));
  });
}

Value cma::sumInDouble(LinalgEmitter &emitter, ArrayRef<Value> values,
                       LinalgEmitter::ValueBody term) {
  MLIRContext *context = values.front().getContext();
  unsigned rank = cast<RankedTensorType>(values.front().getType()).getRank();
  SmallVector<Access> inputs;
  addAll(inputs, values, AffineMap::getMultiDimIdentityMap(rank, context));
  Type wide = Float64Type::get(context);
  Value init = emitter.filled({}, wide, 0.0);
  return emitter.reduce(inputs, {init, AffineMap::get(rank, 0, context)},
                        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                          Value value =
                              convertFloat(b, term(b, args.drop_back()), wide);
                          return arith::AddFOp::create(b, args.back(), value);
                        });
}
