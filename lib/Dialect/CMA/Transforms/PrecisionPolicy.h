//===- PrecisionPolicy.h - Policies and lists -------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what a user asks of cma-assign-precision, read and
// checked.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONPOLICY_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONPOLICY_H

#include "cma/Dialect/CMA/IR/CMAInterfaces.h"

#include "llvm/ADT/StringMap.h"

namespace cma {

/// Why a value has its type; the spelling in reports.
enum class PrecisionReason { Class, List, Range, Cost, Shape, User };
llvm::StringRef getSpelling(PrecisionReason reason);

/// The options of the pass, as text.
struct PrecisionRequest {
  std::string policy, type, solver, target;
  llvm::ArrayRef<std::string> allow, deny, follow;
};

class PrecisionPolicy {
public:
  /// Fails after an error at `loc` that names the option.
  static mlir::FailureOr<PrecisionPolicy> read(mlir::Location loc,
                                               const PrecisionRequest &request);

  /// The low type; null where nothing is lowered.
  mlir::Type getLow() const { return low; }
  bool isByMinCut() const { return byMinCut; }

  struct Verdict {
    PrecisionClass precisionClass;
    PrecisionReason reason;
  };
  /// What becomes of an op of f32 tensors.
  Verdict classify(PrecisionOpInterface op) const;

  /// What the target sums at a time in the low type: a contraction whose sums
  /// are no multiple of it does not read that type. 1 where any length will do.
  uint64_t getDepth() const { return depth; }

  /// Fails after an error at `op` where a list asks for an illegal type.
  llvm::LogicalResult checkLegal(PrecisionOpInterface op) const;

private:
  llvm::LogicalResult readType(mlir::Location loc,
                               const PrecisionRequest &request);
  llvm::LogicalResult readTarget(mlir::Location loc, llvm::StringRef target);
  llvm::LogicalResult readList(mlir::Location loc, llvm::StringRef name,
                               llvm::ArrayRef<std::string> entries,
                               PrecisionClass listed, PrecisionClass unlisted);

  mlir::Type low;
  bool byMinCut = true;
  uint64_t depth = 1;
  /// Whether ops have the class of their interface.
  bool useClasses = true;
  llvm::StringMap<PrecisionClass> lists;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONPOLICY_H
