//===- LinalgEmitter.h - Short spellings of linalg ops ----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the builder that the patterns share. All types are static.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_LINALGEMITTER_H
#define CMA_LIB_CONVERSION_CMATOLINALG_LINALGEMITTER_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cma {

/// A tensor operand of a linalg op: a value and which element a point reads.
struct Access {
  mlir::Value value;
  mlir::AffineMap map;
};

/// Builds linalg ops on tensors.
class LinalgEmitter {
public:
  /// Computes the yielded values from one element of each input and, behind
  /// them, of each init.
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>;
  /// The same for an op with one result.
  using ValueBody = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                                   mlir::ValueRange)>;

  LinalgEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(loc, builder) {}

  mlir::ImplicitLocOpBuilder &getBuilder() { return builder; }

  /// A tensor whose contents do not matter.
  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type element);

  /// A tensor of one repeated number.
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                     double number);

  /// The general form. Returns the inits, untouched, where a loop has no
  /// iteration.
  llvm::SmallVector<mlir::Value>
  generic(llvm::ArrayRef<Access> inputs, llvm::ArrayRef<Access> inits,
          llvm::ArrayRef<mlir::utils::IteratorType> iterators, Body body);

  /// One result of shape `shape`, each element from one element per input.
  mlir::Value map(llvm::ArrayRef<Access> inputs, llvm::ArrayRef<int64_t> shape,
                  mlir::Type element, ValueBody body);

  /// Combines elements into `init`; the loops that its map lacks are reduced.
  mlir::Value reduce(llvm::ArrayRef<Access> inputs, Access init,
                     ValueBody body);

  /// `tensor` with its elements converted, by an op of its own.
  mlir::Value convert(mlir::Value tensor, mlir::Type element);

  /// `tensor`, which may be null, in a type that ops compute in.
  mlir::Value widen(mlir::Value tensor);

private:
  mlir::ImplicitLocOpBuilder builder;
};

/// `number` as a constant of a floating-point type.
mlir::Value floatConstant(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                          double number);

/// The type in which ops on `element` compute: f32 for the types below it.
mlir::Type getComputeType(mlir::Type element);

/// `value` converted between floating-point types, to nearest even; itself
/// where they agree.
mlir::Value convertFloat(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                         mlir::Type type);

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_LINALGEMITTER_H
