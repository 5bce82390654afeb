//===- CMABuilders.cpp - Short cuts for building IR ----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements what derivatives and passes build again and again.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMABuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

Value cma::createFilled(OpBuilder &builder, Location loc, Type type,
                        double value) {
  TypedAttr attr = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(builder, loc, attr);
}

bool cma::isDifferentiableType(Type type) {
  return isa<FloatType, RankedTensorType>(type) &&
         isa<FloatType>(getElementTypeOrSelf(type));
}
