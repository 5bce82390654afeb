//===- PrecisionGraph.h - A function as a precision problem -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file turns a function into a problem of PrecisionSolver.h, and the
// answer into annotations.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONGRAPH_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONGRAPH_H

#include "Precision.h"
#include "PrecisionPolicy.h"

#include "cma/Analysis/PrecisionSolver.h"
#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace cma {

/// What is decided for one op.
struct PrecisionDecision {
  mlir::Operation *op;
  PrecisionAttr attr;
  PrecisionReason reason;
  /// Element types of carried values; empty for other ops.
  llvm::SmallVector<mlir::Type> carried;
  /// Where ranges kept the op from the low type: the bound that was too large.
  std::optional<double> excess;
};

struct PrecisionGraphOptions {
  /// Lower only what is proved to fit.
  bool requireProof = false;
};

class PrecisionGraph {
public:
  PrecisionGraph(mlir::func::FuncOp func, const PrecisionPolicy &policy,
                 const RangeAnalysis &ranges,
                 const PrecisionGraphOptions &options);

  /// Fails after an error at an op whose annotation, or list, is wrong.
  llvm::LogicalResult build();

  /// Decides all ops, in program order.
  std::vector<PrecisionDecision> solve() const;

private:
  /// The nodes of an op; `reason` is that of what is not free.
  struct Entry {
    mlir::Operation *op;
    size_t operands, result;
    PrecisionReason reason;
    PrecisionAttr kept;
    std::optional<double> excess;
    llvm::SmallVector<size_t> carried;
  };

  size_t addNode(std::optional<PrecisionSide> fixed);
  std::optional<size_t> getNodeOf(mlir::Type type) const;
  void addValue(mlir::Value value, std::optional<size_t> node);
  void addUse(mlir::Value value, std::optional<size_t> node);
  llvm::LogicalResult addOps(mlir::Block &block);
  llvm::LogicalResult addOp(mlir::Operation *op);
  llvm::LogicalResult addRegions(mlir::Operation *op);
  void addFixed(mlir::Operation *op);
  void addAnnotated(mlir::Operation *op, PrecisionAttr attr,
                    PrecisionReason reason);
  bool lacksDepth(mlir::Operation *op,
                  const PrecisionPolicy::Verdict &verdict) const;
  llvm::LogicalResult addLowerable(PrecisionOpInterface op);
  void tieTwins(const Entry &entry);
  llvm::LogicalResult addCarrier(mlir::Operation *op);
  void applyRanges(PrecisionOpInterface op, PrecisionPolicy::Verdict &verdict,
                   Entry &entry, bool &resultOverflows) const;
  std::optional<double> findExcess(mlir::ValueRange values) const;
  bool isProved(PrecisionOpInterface op) const;
  mlir::Type getType(PrecisionSide side, bool isOperand) const;
  PrecisionDecision decide(const Entry &entry,
                           const std::vector<PrecisionSide> &sides) const;

  mlir::func::FuncOp func;
  mlir::MLIRContext *context;
  const PrecisionPolicy &policy;
  const RangeAnalysis &ranges;
  PrecisionGraphOptions options;
  PrecisionProblem problem;
  size_t lowNode, highNode;
  std::vector<Entry> entries;
  llvm::DenseMap<mlir::Value, size_t> values;
  /// Entries by block and twin key; looked up only, so that order is none.
  std::map<std::vector<const void *>, size_t> twins;
  /// What the user wrote on one of such ops.
  std::map<std::vector<const void *>, PrecisionAttr> annotatedTwins;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONGRAPH_H
