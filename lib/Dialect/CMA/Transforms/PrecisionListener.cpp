//===- PrecisionListener.cpp - Pass an annotation on ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the inheritance of a user's precision.
//
//===----------------------------------------------------------------------===//

#include "PrecisionListener.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cma;

/// Whether `op` multiplies or sums, and rounds to a type of its own.
static bool hasFreeResult(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  Einsum einsum = contract.getEinsum();
  return contract.getInputs().size() > 1 ||
         einsum.result.size() != einsum.labels.size();
}

static bool computes(Operation *op) {
  return isa<ContractOp, BroadcastOp, GeluGradOp, LayerNormOp, LayerNormGradOp>(
             op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          !op->hasTrait<OpTrait::ConstantLike>() &&
          !isa<arith::ExtFOp, arith::TruncFOp>(op));
}

void cma::passPrecisionOn(Operation *source, Operation *made) {
  auto precision = source->getAttrOfType<PrecisionAttr>(kPrecisionAttr);
  bool hasFloat = llvm::any_of(made->getResultTypes(), [](Type type) {
    return isa<RankedTensorType>(type) &&
           isa<FloatType>(getElementTypeOrSelf(type));
  });
  if (!precision || !hasFloat || !computes(made) ||
      made->hasAttr(kPrecisionAttr))
    return;
  made->setAttr(kPrecisionAttr,
                hasFreeResult(made)
                    ? precision
                    : PrecisionAttr::get(precision.getResult()));
}
