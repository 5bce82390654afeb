//===- ContractionFlattening.h - Networks of a function ---------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how contractions are gathered into networks.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_CONTRACTIONFLATTENING_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_CONTRACTIONFLATTENING_H

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "llvm/ADT/DenseSet.h"

namespace cma {

/// A contraction with those that only it uses, as one equation.
struct FlatNetwork {
  ContractOp root;
  /// All others, users before producers.
  llvm::SmallVector<ContractOp> absorbed;
  /// Labels by first appearance, operands depth first, left to right.
  Einsum einsum;
  llvm::SmallVector<mlir::Value> operands;
  /// By label.
  std::vector<int64_t> extents;
};

/// Whether the contraction disappears in the network of its user: one use, by a
/// contraction of the same block, and neither fixes its order.
bool isAbsorbed(ContractOp op);

/// The network of `root`; of `root` alone where `flatten` is false. All shapes
/// must be static.
FlatNetwork flattenContraction(ContractOp root, bool flatten);

/// Values that depend on an argument of role "parameter" of the functions
/// within `scope`.
llvm::DenseSet<mlir::Value> findParameterDependents(mlir::Operation *scope);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_CONTRACTIONFLATTENING_H
