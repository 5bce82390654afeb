//===- WholeTensor.h - Reductions of all elements ---------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how a large tensor of any shape becomes one number.
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

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_WHOLETENSOR_H
