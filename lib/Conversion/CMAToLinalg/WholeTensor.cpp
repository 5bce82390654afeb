//===- WholeTensor.cpp - Reductions of all elements -----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements reductions of whole tensors.
//
//===----------------------------------------------------------------------===//

#include "WholeTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cma;

/// Fewer elements are not worth threads, and so not worth rows.
static constexpr int64_t kMinElements = 1 << 14;

/// Shorter rows spend more on their partial result than on themselves.
static constexpr int64_t kMinRow = 1024;

/// How many leading axes count rows; 0 where all elements are one row.
static unsigned countRowAxes(RankedTensorType type) {
  if (type.getNumElements() < kMinElements)
    return 0;
  int64_t row = 1;
  unsigned axis = type.getRank();
  while (axis > 0 && row < kMinRow)
    row *= type.getDimSize(--axis);
  return axis;
}

/// `values` as rows, or as one row; of rank 2 or 1.
static Value collapse(ImplicitLocOpBuilder &builder, Value values) {
  auto type = cast<RankedTensorType>(values.getType());
  unsigned rowAxes = countRowAxes(type);
  SmallVector<ReassociationIndices> groups(rowAxes == 0 ? 1 : 2);
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    groups[rowAxes != 0 && axis >= rowAxes].push_back(axis);
  if (static_cast<int64_t>(groups.size()) >= type.getRank())
    return values;
  return tensor::CollapseShapeOp::create(builder, values, groups);
}

static Value createZeros(LinalgEmitter &emitter, ArrayRef<int64_t> shape,
                         Type element) {
  ImplicitLocOpBuilder &builder = emitter.getBuilder();
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(element));
  return linalg::FillOp::create(builder, zero, emitter.empty(shape, element))
      .getResult(0);
}

Value cma::reduceWhole(LinalgEmitter &emitter, Value values,
                       ArrayRef<Value> scalars, Type element,
                       LinalgEmitter::ValueBody term,
                       LinalgEmitter::ValueBody combine) {
  MLIRContext *context = element.getContext();
  values = collapse(emitter.getBuilder(), values);
  auto type = cast<RankedTensorType>(values.getType());
  unsigned rank = type.getRank();
  SmallVector<Access> inputs = {
      {values, AffineMap::getMultiDimIdentityMap(rank, context)}};
  for (Value scalar : scalars)
    inputs.push_back({scalar, AffineMap::get(rank, 0, context)});
  SmallVector<int64_t> rows;
  if (rank == 2)
    rows.push_back(type.getDimSize(0));
  AffineMap rowMap = rows.empty()
                         ? AffineMap::get(rank, 0, context)
                         : AffineMap::get(2, 0, getAffineDimExpr(0, context));
  Value sums = emitter.reduce(
      inputs, {createZeros(emitter, rows, element), rowMap},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        return combine(b, {args.back(), term(b, args.drop_back())});
      });
  if (rows.empty())
    return sums;
  return emitter.reduce(
      {{sums, AffineMap::getMultiDimIdentityMap(1, context)}},
      {createZeros(emitter, {}, element), AffineMap::get(1, 0, context)},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        return combine(b, {args[1], args[0]});
      });
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// `values` element by element, and `scalars` for each of them.
static SmallVector<Access> accessAll(Value values, ArrayRef<Value> scalars) {
  MLIRContext *context = values.getContext();
  unsigned rank = cast<RankedTensorType>(values.getType()).getRank();
  SmallVector<Access> accesses = {
      {values, AffineMap::getMultiDimIdentityMap(rank, context)}};
  for (Value scalar : scalars)
    accesses.push_back({scalar, AffineMap::get(rank, 0, context)});
  return accesses;
}

Value cma::mapWithScalar(LinalgEmitter &emitter, Value values, Value scalar,
                         Type element, LinalgEmitter::ValueBody body) {
  return emitter.map(accessAll(values, scalar),
                     cast<RankedTensorType>(values.getType()).getShape(),
                     element, body);
}

SmallVector<Value> cma::updateWhole(LinalgEmitter &emitter, Value values,
                                    ArrayRef<Value> scalars,
                                    ArrayRef<Value> state,
                                    LinalgEmitter::Body body) {
  SmallVector<Access> inputs = accessAll(values, scalars), inits;
  AffineMap identity = inputs.front().map;
  for (Value value : state)
    inits.push_back({value, identity});
  SmallVector<utils::IteratorType> iterators(identity.getNumDims(),
                                             utils::IteratorType::parallel);
  return emitter.generic(inputs, inits, iterators, body);
}
