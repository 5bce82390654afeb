//===- CMAOps.h - The ops of the dialect ------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the ops.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMAOPS_H
#define CMA_DIALECT_CMA_IR_CMAOPS_H

#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/IR/CMAInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "cma/Dialect/CMA/IR/CMAOps.h.inc"

#endif // CMA_DIALECT_CMA_IR_CMAOPS_H
