//===- PlanContractions.h - Planning the contractions of a module -*- C++ -*-=//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what cma-plan-contractions does, for programs that want
// the plans' figures and not only the planned module.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_PLANCONTRACTIONS_H
#define CMA_DIALECT_CMA_TRANSFORMS_PLANCONTRACTIONS_H

#include "cma/Analysis/ContractionPlanner.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cma {

/// The targets that a user asks for, for every network of a module.
struct WantedRequest {
  enum Kind {
    /// The result, and every operand that depends on a parameter.
    Auto,
    /// The result and every operand.
    All,
    /// What `result` and `operands` say.
    List
  };
  Kind kind = Auto;
  bool result = false;
  /// Ascending, without repetition.
  std::vector<size_t> operands;

  /// Reads `auto`, `all`, or a comma list of `result` and operand numbers. On
  /// failure returns false and fills `error`.
  static bool parse(llvm::StringRef text, WantedRequest &request,
                    std::string &error);
};

struct PlanContractionsConfig {
  PlannerOptions planner;
  /// In place of the networks' own element types.
  std::optional<ElementType> computeType;
  WantedRequest wanted;
  /// Plan a contraction together with those that only it uses.
  bool flatten = true;
};

/// A network of a module, its operands in order of use, and its plan.
struct PlannedNetwork {
  std::string function;
  /// `cma.name` of the op, else `<function>/<n>`.
  std::string name;
  Einsum einsum;
  ContractionNetwork network;
  Objective objective = Objective::Time;
  ContractionPlan plan;
  double searchMilliseconds = 0;
};

/// Splits every contraction of `module` that has no `planned` mark into planned
/// steps, and appends the networks in module order. Fails after an error at an
/// op.
llvm::LogicalResult planContractions(mlir::ModuleOp module,
                                     const PlanContractionsConfig &config,
                                     std::vector<PlannedNetwork> &networks);

/// The report of docs/Passes: `{"networks": [...]}` and a final newline.
std::string writePlanReport(llvm::ArrayRef<PlannedNetwork> networks);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_PLANCONTRACTIONS_H
