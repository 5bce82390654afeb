//===- CMAOps.td - All ops of the dialect ------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file includes the ops by theme.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMAOPS_TD
#define CMA_DIALECT_CMA_IR_CMAOPS_TD

include "cma/Dialect/CMA/IR/CMACastOp.td"
include "cma/Dialect/CMA/IR/CMALayerOps.td"
include "cma/Dialect/CMA/IR/CMALossScaleOps.td"
include "cma/Dialect/CMA/IR/CMANNOps.td"
include "cma/Dialect/CMA/IR/CMANetworkOps.td"
include "cma/Dialect/CMA/IR/CMATrainingOps.td"

#endif // CMA_DIALECT_CMA_IR_CMAOPS_TD
