//===- CMABuilders.h - Short cuts for building IR ---------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what derivatives and passes build again and again.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMABUILDERS_H
#define CMA_DIALECT_CMA_IR_CMABUILDERS_H

#include "mlir/IR/Builders.h"

namespace cma {

/// An `arith.constant` of `type`, a float or a static tensor of floats, whose
/// elements are all `value`, rounded to the element type.
mlir::Value createFilled(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, double value);

/// Whether `type` is a float or a tensor of floats: what can have a gradient.
bool isDifferentiableType(mlir::Type type);

} // namespace cma

#endif // CMA_DIALECT_CMA_IR_CMABUILDERS_H
