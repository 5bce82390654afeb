//===- BackwardModel.h - A backward function by roles -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what cma-build-train-step reads from a backward function.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_BACKWARDMODEL_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_BACKWARDMODEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace cma {

/// Arguments and results of a backward function, sorted by role.
struct BackwardModel {
  struct Parameter {
    unsigned argument; ///< Position of the argument.
    unsigned gradient; ///< Position of the gradient's result.
    std::string name;
    mlir::RankedTensorType type;
  };
  /// A result that updates a named argument.
  struct Update {
    unsigned result;
    unsigned argument;
  };

  mlir::func::FuncOp func;
  llvm::SmallVector<Parameter> parameters;
  llvm::SmallVector<unsigned> states, data;
  unsigned cotangent = 0;
  /// By argument.
  llvm::SmallVector<Update> updates;
  /// The other results: loss, logits, metrics, then what has no role.
  llvm::SmallVector<unsigned> outputs;

  /// Fails after an error where the function cannot be trained.
  static mlir::FailureOr<BackwardModel> get(mlir::func::FuncOp func);

  /// Whether an argument has the name.
  bool hasName(llvm::StringRef name) const;
  /// Fails after an error where an argument has the name that is wanted `use`,
  /// such as "for a momentum buffer".
  llvm::LogicalResult checkFree(llvm::StringRef name,
                                llvm::StringRef use) const;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_BACKWARDMODEL_H
