//===- LinalgEmitter.cpp - Short spellings of linalg ops ------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the builder that the patterns share.
//
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"

#include "cma/Dialect/CMA/IR/CMADialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

Value cma::floatConstant(ImplicitLocOpBuilder &builder, Type type,
                         double number) {
  return arith::ConstantOp::create(builder, builder.getFloatAttr(type, number));
}

Type cma::getComputeType(Type element) {
  return isLowFloat(element) ? Float32Type::get(element.getContext()) : element;
}

Value cma::convertFloat(ImplicitLocOpBuilder &builder, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  // f16 and bf16, or two of 8 bits: each has values that the other lacks.
  if (from == to) {
    value = arith::ExtFOp::create(builder, builder.getF32Type(), value);
    return arith::TruncFOp::create(builder, type, value);
  }
  if (from < to)
    return arith::ExtFOp::create(builder, type, value);
  return arith::TruncFOp::create(builder, type, value);
}

Value LinalgEmitter::empty(ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(builder, shape, element);
}

Value LinalgEmitter::filled(ArrayRef<int64_t> shape, Type element,
                            double number) {
  Value scalar = floatConstant(builder, element, number);
  return linalg::FillOp::create(builder, scalar, empty(shape, element))
      .getResult(0);
}

/// Whether a loop that indexes `access` has no iteration.
static bool readsEmptyAxis(const Access &access) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(access.value.getType()).getShape();
  return llvm::is_contained(shape, 0);
}

SmallVector<Value>
LinalgEmitter::generic(ArrayRef<Access> inputs, ArrayRef<Access> inits,
                       ArrayRef<utils::IteratorType> iterators, Body body) {
  SmallVector<Value> inputValues, initValues;
  SmallVector<AffineMap> maps;
  for (const Access &access : inputs) {
    inputValues.push_back(access.value);
    maps.push_back(access.map);
  }
  for (const Access &access : inits) {
    initValues.push_back(access.value);
    maps.push_back(access.map);
  }
  if (llvm::any_of(inputs, readsEmptyAxis) ||
      llvm::any_of(inits, readsEmptyAxis))
    return initValues;
  auto op = linalg::GenericOp::create(
      builder, TypeRange(ValueRange(initValues)), inputValues, initValues, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange args) {
        ImplicitLocOpBuilder b(loc, nested);
        linalg::YieldOp::create(b, body(b, args));
      });
  return SmallVector<Value>(op.getResults());
}

Value LinalgEmitter::map(ArrayRef<Access> inputs, ArrayRef<int64_t> shape,
                         Type element, ValueBody body) {
  Access init{empty(shape, element),
              builder.getMultiDimIdentityMap(shape.size())};
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  return generic(inputs, init, iterators,
                 [&](ImplicitLocOpBuilder &b, ValueRange args) {
                   return SmallVector<Value>{body(b, args)};
                 })
      .front();
}

Value LinalgEmitter::convert(Value tensor, Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getElementType() == element)
    return tensor;
  return map({{tensor, builder.getMultiDimIdentityMap(type.getRank())}},
             type.getShape(), element,
             [&](ImplicitLocOpBuilder &b, ValueRange args) {
               return convertFloat(b, args[0], element);
             });
}

Value LinalgEmitter::widen(Value tensor) {
  return tensor
             ? convert(tensor,
                       getComputeType(getElementTypeOrSelf(tensor.getType())))
             : tensor;
}

Value LinalgEmitter::reduce(ArrayRef<Access> inputs, Access init,
                            ValueBody body) {
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0; dim < init.map.getNumDims(); ++dim)
    iterators.push_back(init.map.isFunctionOfDim(dim)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  return generic(inputs, init, iterators,
                 [&](ImplicitLocOpBuilder &b, ValueRange args) {
                   return SmallVector<Value>{body(b, args)};
                 })
      .front();
}
