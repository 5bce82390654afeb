//===- Einsum.h - Einsum equations ------------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the parsed form of an einsum equation. It knows nothing of
// MLIR: the planner, the dialect and the tools share it.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_EINSUM_H
#define CMA_ANALYSIS_EINSUM_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cma {

/// Position of a label in `Einsum::labels`.
using LabelId = uint32_t;

/// A parsed equation such as `bi,ij->bj`. Labels are single ASCII letters or
/// `{name}` with letters, digits and underscores; they are numbered by first
/// appearance, operands before result. The arrow is required, and blanks are
/// not significant.
struct Einsum {
  /// Spelling of each label without braces.
  std::vector<std::string> labels;
  /// Labels of each operand, in axis order.
  std::vector<std::vector<LabelId>> operands;
  /// Labels of the result, in axis order.
  std::vector<LabelId> result;

  /// The equation in canonical spelling: no blanks, braces only where needed.
  std::string str() const;

  /// Spelling of one axis list, for example `bi` or `{row}{col}`.
  std::string spell(const std::vector<LabelId> &axes) const;
};

/// Where and why an equation was refused.
struct EinsumError {
  std::string message;
  /// 0-based byte column in the text.
  size_t column = 0;
};

/// What a parse allows beyond the syntax.
enum class EinsumRules {
  /// The syntax alone.
  Syntax,
  /// `contract`: each result label stands once, and in some operand.
  Contract,
  /// `broadcast`: one operand without repeated labels; a result label may be
  /// new, or repeated.
  Broadcast,
};

/// Parses `text`. On failure returns false and fills `error`.
bool parseEinsum(std::string_view text, EinsumRules rules, Einsum &einsum,
                 EinsumError &error);

} // namespace cma

#endif // CMA_ANALYSIS_EINSUM_H
