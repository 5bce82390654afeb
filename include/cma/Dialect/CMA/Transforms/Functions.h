//===- Functions.h - Model functions ----------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how passes and tools find a model function and read its
// argument and result attributes.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_FUNCTIONS_H
#define CMA_DIALECT_CMA_TRANSFORMS_FUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace cma {

/// The function called `name`; where `name` is empty, the only public function
/// of the module, else the one with a result of role "loss". Fails after an
/// error that lists the public functions.
mlir::FailureOr<mlir::func::FuncOp> selectFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name);

/// `cma.role` of an argument or result; empty where there is none.
llvm::StringRef getArgumentRole(mlir::func::FuncOp func, unsigned index);
llvm::StringRef getResultRole(mlir::func::FuncOp func, unsigned index);

/// `cma.name` of an argument, else its position: "0", "1", ...
std::string getArgumentName(mlir::func::FuncOp func, unsigned index);

/// The result of role "loss".
std::optional<unsigned> findLoss(mlir::func::FuncOp func);

/// The result that `cma-differentiate` differentiates: the loss, else the only
/// floating-point result. Fails after an error at the function.
mlir::FailureOr<unsigned> findDifferentiatedResult(mlir::func::FuncOp func);

/// Fails after an error unless `func` has a body of one block.
llvm::LogicalResult checkSingleBlock(mlir::func::FuncOp func);

/// Makes each parameter of `func` that is declared below f32 an f32 argument,
/// of which a cast at the entry has the declared type. Needs the cma dialect
/// loaded.
void createMasters(mlir::func::FuncOp func);

/// What `cma-specialize` does to public functions of `module`; `batch` may be 0
/// here. Needs the arith and tensor dialects loaded.
llvm::LogicalResult
specializeFunctions(mlir::ModuleOp module,
                    llvm::ArrayRef<mlir::func::FuncOp> functions,
                    int64_t batch);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_FUNCTIONS_H
