//===- FunctionInfo.h - What a function says about itself -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the roles, names, types and initial values of a
// function's arguments and results, read from its attributes (DESIGN:
// cma.role, cma.name, cma.init).
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_FUNCTIONINFO_H
#define CMA_TOOLS_CMA_RUN_FUNCTIONINFO_H

#include "cma/Runtime/Initializer.h"
#include "cma/Runtime/StorageType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cma::run {

/// An extent that is not known yet.
inline constexpr int64_t kDynamic = -1;

struct ArgumentInfo {
  std::string name; ///< cma.name, else the decimal position.
  std::string role; ///< "" where there is none.
  StorageType type;
  std::vector<int64_t> shape; ///< kDynamic for `?`.
  std::optional<Initializer> init;
  std::string viewOf; ///< The parameter that it is a copy of; empty for none.

  bool isTrained() const { return role == "parameter"; }
  /// Parameters and state: what a model keeps between steps.
  bool isKept() const { return role == "parameter" || role == "state"; }
};

struct ResultInfo {
  std::string role;
  std::string gradient; ///< cma.gradient: the argument that it belongs to.
  StorageType type;
  std::vector<int64_t> shape;
};

struct FunctionInfo {
  std::string name;
  std::vector<ArgumentInfo> arguments;
  std::vector<ResultInfo> results;

  /// Refuses arguments and results that are not tensors of a storable type, and
  /// names that no file can hold or that two arguments share.
  static llvm::Expected<FunctionInfo> get(mlir::func::FuncOp function);

  const ArgumentInfo *find(llvm::StringRef argument) const;
  /// Adds the arguments of `other` that no argument here has the name of.
  void addArguments(const FunctionInfo &other);
  /// Position of the first result of that role.
  std::optional<unsigned> findResult(llvm::StringRef role) const;
};

bool isFloat(StorageType type);

/// "?x64" for messages.
std::string formatDynamicShape(const std::vector<int64_t> &shape);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_FUNCTIONINFO_H
