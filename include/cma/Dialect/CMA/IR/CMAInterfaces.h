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

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "cma/Dialect/CMA/IR/CMAInterfaces.h.inc"

#endif // CMA_DIALECT_CMA_IR_CMAINTERFACES_H
