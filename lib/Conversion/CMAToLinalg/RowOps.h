//===- RowOps.h - linalg ops on the rows of a tensor ------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the builder for ops that work along the last axis.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_ROWOPS_H
#define CMA_LIB_CONVERSION_CMATOLINALG_ROWOPS_H

#include "LinalgEmitter.h"

namespace cma {

/// Builds ops over tensors of one shape ("elements"), over one value for each
/// of their rows ("rows", the shape without the last axis), one for each
/// position in a row ("columns") and over scalars. Bodies take elements, then
/// rows, then columns, then scalars.
class RowOps {
public:
  using Body = LinalgEmitter::ValueBody;
  using Values = llvm::ArrayRef<mlir::Value>;

  RowOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like);

  mlir::Value map(Values elements, Values rows, Values columns, Body body) {
    return mapAll(elements, rows, columns, {}, body);
  }
  mlir::Value mapAll(Values elements, Values rows, Values columns,
                     Values scalars, Body body);

  /// One value per row from values per row.
  mlir::Value mapRows(Values rows, Body body);

  /// Sum along each row, of the elements themselves or of `term`.
  mlir::Value sum(mlir::Value elements);
  mlir::Value sum(Values elements, Values rows, Body term);

  /// Largest element of each row that is not a NaN; -inf where there is none.
  mlir::Value maximum(mlir::Value elements);

  /// A row sum divided by the row's length.
  mlir::Value mean(mlir::Value sums);

  LinalgEmitter &getEmitter() { return emitter; }
  mlir::Type getElementType() const { return elementType; }

private:
  mlir::Value reduceRows(Values elements, Values rows, double start, Body body);

  LinalgEmitter emitter;
  llvm::SmallVector<int64_t> shape, rowShape;
  mlir::Type elementType;
  /// What a point of the elements reads.
  mlir::AffineMap elementMap, rowMap, columnMap, scalarMap;
};

/// Sum in f64 of `term` over all elements of `values`, which have one shape. A
/// loss is a mean over many rows: in f32 the sum itself would lose digits as
/// the batch grows.
mlir::Value sumInDouble(LinalgEmitter &emitter,
                        llvm::ArrayRef<mlir::Value> values,
                        LinalgEmitter::ValueBody term);

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_ROWOPS_H
