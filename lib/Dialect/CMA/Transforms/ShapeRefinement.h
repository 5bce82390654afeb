//===- ShapeRefinement.h - Static shapes, op by op --------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how cma-specialize gives the values of a function static
// shapes once its arguments have them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_SHAPEREFINEMENT_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_SHAPEREFINEMENT_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cma {

/// Gives the results of the ops in `block`, in order, the static types that
/// follow from their operands; block arguments have theirs. A `?` that no
/// operand explains is `batch`. Fails after an error at the op whose shape
/// cannot be told.
llvm::LogicalResult refineShapes(mlir::Block &block, int64_t batch);

/// Refines the result of an op of `tensor`. Sizes that are operands are
/// constants by now, and become attributes. Returns the op that makes the
/// result, which may be another one; null where it is a block argument.
mlir::Operation *refineTensorOp(mlir::Operation *op);

/// `type` with another shape.
mlir::RankedTensorType withShape(mlir::Type type,
                                 llvm::ArrayRef<int64_t> shape);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_SHAPEREFINEMENT_H
