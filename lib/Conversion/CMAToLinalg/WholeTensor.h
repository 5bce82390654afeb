//===- WholeTensor.h - Ops on all elements of tensors -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares ops on all elements of tensors of any shape: how a large
// one becomes one number, and how numbers change each element.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_WHOLETENSOR_H
#define CMA_LIB_CONVERSION_CMATOLINALG_WHOLETENSOR_H

#include "LinalgEmitter.h"

namespace cma {

/// A scalar tensor of type `element`: `term` of every element of `values` (and
/// of `scalars`, behind it), combined in an order that the shape fixes, from 0
/// on. `combine` takes the value so far and a new one. Threads share the rows
/// of a large tensor.
mlir::Value reduceWhole(LinalgEmitter &emitter, mlir::Value values,
                        llvm::ArrayRef<mlir::Value> scalars, mlir::Type element,
                        LinalgEmitter::ValueBody term,
                        LinalgEmitter::ValueBody combine);

/// `body` of every element of `values` and of a scalar tensor, behind it.
mlir::Value mapWithScalar(LinalgEmitter &emitter, mlir::Value values,
                          mlir::Value scalar, mlir::Type element,
                          LinalgEmitter::ValueBody body);

/// `body` of every element of `values`, of scalar tensors, and, behind them, of
/// the tensors of `state`, which it updates in place.
llvm::SmallVector<mlir::Value> updateWhole(LinalgEmitter &emitter,
                                           mlir::Value values,
                                           llvm::ArrayRef<mlir::Value> scalars,
                                           llvm::ArrayRef<mlir::Value> state,
                                           LinalgEmitter::Body body);

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_WHOLETENSOR_H
