//===- BatchLabels.cpp - Which contractions run over the batch ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the analysis that finds the batch axis of contractions.
//
//===----------------------------------------------------------------------===//

#include "BatchLabels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cma;

/// Extent of the first axis; none for a scalar or another type.
static std::optional<int64_t> getFirstExtent(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() == 0)
    return std::nullopt;
  return type.getDimSize(0);
}

/// Whether an argument may hold one row per sample.
static bool isData(func::FuncOp func, unsigned index) {
  auto role = func.getArgAttrOfType<StringAttr>(index, kRoleAttr);
  return !role || role == "data" || role == "cotangent";
}

BatchLabels::BatchLabels(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments())
    if (isData(func, argument.getArgNumber()) && getFirstExtent(argument))
      batched.insert(argument);
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

ArrayRef<LabelId> BatchLabels::getLabels(Operation *op) const {
  auto it = labels.find(op);
  return it == labels.end() ? ArrayRef<LabelId>() : it->second;
}

void BatchLabels::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ContractOp contract) {
        visitNetwork(op, contract.getEinsum(), contract.getInputs());
      })
      .Case([&](BroadcastOp broadcast) {
        visitNetwork(op, broadcast.getEinsum(), broadcast.getInput());
      })
      .Default([&](Operation *) {
        // Elementwise ops, norms and reshapes keep the axis where they keep its
        // extent.
        for (Value operand : op->getOperands())
          for (Value result : op->getResults())
            if (batched.contains(operand) &&
                getFirstExtent(operand) == getFirstExtent(result))
              batched.insert(result);
      });
}

/// How many of the equation's tensors start with `label`.
static unsigned countFirst(const Einsum &einsum, LabelId label) {
  auto startsWith = [&](const std::vector<LabelId> &axes) {
    return !axes.empty() && axes.front() == label;
  };
  return llvm::count_if(einsum.operands, startsWith) +
         startsWith(einsum.result);
}

void BatchLabels::visitNetwork(Operation *op, const Einsum &einsum,
                               ValueRange inputs) {
  SmallVector<LabelId> found;
  for (auto [axes, input] : llvm::zip(einsum.operands, inputs)) {
    if (!batched.contains(input))
      continue;
    // Without roles a weight looks like data; its first axis differs in that no
    // other tensor starts with it.
    LabelId label = axes.front();
    if (!llvm::is_contained(found, label) &&
        (inputs.size() == 1 || countFirst(einsum, label) >= 2))
      found.push_back(label);
  }
  if (found.empty())
    return;
  if (!einsum.result.empty() &&
      llvm::is_contained(found, einsum.result.front()))
    batched.insert(op->getResult(0));
  labels.try_emplace(op, std::move(found));
}
