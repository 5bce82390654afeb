//===- ContractionNetwork.h - Tensor networks to be planned -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the contraction planner is told of a network: the
// labels of the operands and of the result, the extents, the element types and
// what shall be computed.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_ANALYSIS_CONTRACTIONNETWORK_H
#define CMA_ANALYSIS_CONTRACTIONNETWORK_H

#include "cma/Analysis/Einsum.h"
#include "cma/Analysis/U128.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cma {

/// Element types that the cost models know. TF32 is an operand precision with
/// the storage of f32.
enum class ElementType : uint8_t {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2
};
constexpr unsigned numElementTypes = 7;

/// Size in memory, in bytes.
unsigned getElementBytes(ElementType type);
/// The spelling in options and messages, for example `bf16`.
std::string_view getElementTypeName(ElementType type);
/// Finds a type by its spelling; false where there is none.
bool parseElementType(std::string_view name, ElementType &type);

/// Which of the network's targets a step computes: the result, and the
/// gradients of operands.
struct WantedTargets {
  bool result = true;
  /// One flag per operand; operands beyond the end are not wanted.
  std::vector<bool> operands;

  bool isOperandWanted(size_t operand) const {
    return operand < operands.size() && operands[operand];
  }
  static WantedTargets all(size_t numOperands) {
    return {true, std::vector<bool>(numOperands, true)};
  }
};

/// An einsum over operands of known extents.
struct ContractionNetwork {
  /// Labels of each operand, in axis order; a repeated label is a diagonal.
  std::vector<std::vector<LabelId>> operands;
  /// Labels of the result, in axis order, without repetition.
  std::vector<LabelId> result;
  /// Extent of each label; not negative.
  std::vector<int64_t> extents;
  /// Element type of each operand; operands beyond the end have `computeType`.
  std::vector<ElementType> operandTypes;
  /// Element type of the products, the intermediates and the result.
  ElementType computeType = ElementType::F32;
  WantedTargets wanted;

  ElementType getOperandType(size_t operand) const {
    return operand < operandTypes.size() ? operandTypes[operand] : computeType;
  }
};

/// Labels as an ascending list without repetition.
using LabelSet = std::vector<LabelId>;

LabelSet makeLabelSet(const std::vector<LabelId> &axes);
LabelSet unite(const LabelSet &a, const LabelSet &b);
/// Product of the extents; 1 for the empty set.
U128 countElements(const ContractionNetwork &network, const LabelSet &labels);

/// How many operands hold each label, plus one where the result has it.
std::vector<uint32_t> countHolders(const ContractionNetwork &network);

} // namespace cma

#endif // CMA_ANALYSIS_CONTRACTIONNETWORK_H
