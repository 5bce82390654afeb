//===- DifferentiableOpModels.cpp - Derivatives of upstream ops ----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file registers the derivatives of the upstream dialects.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/DifferentiableOpModels.h"
#include "DifferentiableOpModel.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace cma;

static void attachToArith(MLIRContext *context, arith::ArithDialect *) {
  attachArithRules(context);
}
static void attachToMath(MLIRContext *context, math::MathDialect *) {
  attachMathRules(context);
}
static void attachToTensor(MLIRContext *context, tensor::TensorDialect *) {
  attachTensorRules(context);
}

void cma::registerDifferentiableOpModels(DialectRegistry &registry) {
  // An extension is known by its function: adding it twice is adding it once.
  registry.addExtension(attachToArith);
  registry.addExtension(attachToMath);
  registry.addExtension(attachToTensor);
}
