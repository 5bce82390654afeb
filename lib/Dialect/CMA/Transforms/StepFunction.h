//===- StepFunction.h - Functions of a training step ------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how a function with roles, names and updates is put
// together.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_STEPFUNCTION_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_STEPFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <string>
#include <vector>

namespace cma {

/// A function outside of any module: its arguments are declared first, then
/// its body is built, then its results are told.
class StepFunction {
public:
  struct Argument {
    mlir::Type type;
    mlir::NamedAttrList attrs;
    mlir::Value value; ///< Once the body exists.
    std::string getName() const;
  };

  /// `like` gives the location and the discardable attributes.
  explicit StepFunction(mlir::func::FuncOp like);

  /// Declares an argument; nameless where `name` is empty.
  Argument *addArgument(mlir::Type type, llvm::StringRef role,
                        const llvm::Twine &name);
  /// Declares an argument as argument `index` of `func` is.
  Argument *copyArgument(mlir::func::FuncOp func, unsigned index);

  /// Opens the body: arguments have values now, and the builder stands in it.
  void begin(llvm::StringRef name);
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() { return like.getLoc(); }

  void addResult(mlir::Value value, mlir::DictionaryAttr attrs);
  /// A result that updates the argument.
  void addUpdate(mlir::Value value, const Argument *argument);
  void addRole(mlir::Value value, llvm::StringRef role);

  /// Returns the results and gives the function.
  mlir::func::FuncOp finish();

private:
  mlir::func::FuncOp like, function;
  mlir::OpBuilder builder;
  std::vector<std::unique_ptr<Argument>> arguments;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::DictionaryAttr> resultAttrs;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_STEPFUNCTION_H
