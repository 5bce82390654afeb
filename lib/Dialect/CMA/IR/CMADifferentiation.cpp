//===- CMADifferentiation.cpp - Vector-Jacobian products of the ops ------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements DifferentiableOpInterface for the ops of the dialect.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"

using namespace mlir;
using namespace cma;

#define UNSUPPORTED(OP)                                                        \
  LogicalResult OP::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,          \
                             MutableArrayRef<Value>) {                         \
    return emitOpError() << "has no derivative";                               \
  }
UNSUPPORTED(ContractOp)
UNSUPPORTED(BroadcastOp)
UNSUPPORTED(ReluOp)
UNSUPPORTED(GeluOp)
UNSUPPORTED(SoftmaxOp)
UNSUPPORTED(LayerNormOp)
UNSUPPORTED(MSEOp)
UNSUPPORTED(CrossEntropyOp)
