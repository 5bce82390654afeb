//===- CMAInterfaces.h - Op interfaces --------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the op interfaces of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMAINTERFACES_H
#define CMA_DIALECT_CMA_IR_CMAINTERFACES_H

#include "cma/Analysis/Interval.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace cma {

/// What an op does where a low type is asked for.
enum class PrecisionClass {
  /// Takes low operands: where the time goes.
  Always,
  /// Computes in the type of its operands.
  Follow,
  /// Moves or selects values and changes none.
  Data,
  /// The same, from several operands, which take one type.
  Promote,
  /// Stays in the type in which it was written.
  Deny
};

} // namespace cma

#include "cma/Dialect/CMA/IR/CMAInterfaces.h.inc"

#endif // CMA_DIALECT_CMA_IR_CMAINTERFACES_H
