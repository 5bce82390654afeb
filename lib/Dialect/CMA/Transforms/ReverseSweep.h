//===- ReverseSweep.h - Reverse mode over one block -------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the engine of cma-differentiate.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_REVERSESWEEP_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_REVERSESWEEP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace cma {

/// Carries cotangents backwards through a list of ops of one block.
///
/// A value is active when it depends, through floating-point values, on one
/// whose gradient is wanted. Only active values have cotangents; a missing
/// cotangent is zero. Contributions are added in the order in which the sweep
/// meets them: users last to first, operands left to right.
class ReverseSweep {
public:
  /// Reverse ops are made at the insertion point of `builder`. A sweep over the
  /// body of a loop has the sweep around it as `parent`.
  explicit ReverseSweep(mlir::OpBuilder &builder,
                        const ReverseSweep *parent = nullptr)
      : builder(builder), parent(parent) {}

  /// Asks for the gradient of `value`.
  void activate(mlir::Value value) { active.insert(value); }
  bool isActive(mlir::Value value) const {
    return active.contains(value) || (parent && parent->isActive(value));
  }

  /// Marks what depends on active values. Returns whether any op is new.
  bool propagate(llvm::ArrayRef<mlir::Operation *> ops);

  /// Adds to the cotangent of `value`.
  void addCotangent(mlir::Value value, mlir::Value cotangent);
  /// The cotangent of `value` so far; null is zero.
  mlir::Value getCotangent(mlir::Value value) const {
    return cotangents.lookup(value);
  }

  /// Sweeps over `ops`, last to first. A loop may be replaced by one that also
  /// returns what its reverse needs.
  llvm::LogicalResult run(llvm::ArrayRef<mlir::Operation *> ops);

private:
  bool propagateLoop(mlir::scf::ForOp loop);
  llvm::LogicalResult differentiate(mlir::Operation *op);
  llvm::LogicalResult differentiateLoop(mlir::scf::ForOp loop);
  /// Active values from outside that the regions of `op` use, by first use.
  llvm::SmallVector<mlir::Value> getActiveCaptures(mlir::Operation *op) const;
  /// Drops what is known of a loop that is about to be replaced.
  void forget(mlir::scf::ForOp loop);

  mlir::OpBuilder &builder;
  const ReverseSweep *parent;
  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;

  friend class LoopReversal;
};

/// The ops of `block` without its terminator.
llvm::SmallVector<mlir::Operation *> getBodyOps(mlir::Block &block);

/// Erases the ops of `block`, and those nested in it, whose results nothing
/// uses.
void eraseDeadOps(mlir::Block &block);

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_REVERSESWEEP_H
