//===- ContractionFlattening.cpp - Networks of a function -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file gathers nested contractions and finds what depends on parameters.
//
//===----------------------------------------------------------------------===//

#include "ContractionFlattening.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace cma;

/// Neither a step of a plan nor bound to a path of its own.
static bool isFree(ContractOp op) {
  return !op.getPlanned() && !op.getPathAttr();
}

bool cma::isAbsorbed(ContractOp op) {
  Value result = op.getResult();
  if (!isFree(op) || !result.hasOneUse())
    return false;
  auto user = dyn_cast<ContractOp>(*result.user_begin());
  // Steps round to the user's result type and sum in its type.
  return user && user->getBlock() == op->getBlock() && isFree(user) &&
         op.getResult().getType().getElementType() ==
             user.getResult().getType().getElementType() &&
         op.getAccumulationType() == user.getAccumulationType() &&
         op->getAttr(kPrecisionAttr) == user->getAttr(kPrecisionAttr);
}

namespace {
/// Walks down from the root. The labels of a contraction's result are given by
/// its user; those that it sums are new.
class Flattener {
public:
  Flattener(FlatNetwork &network, bool flatten)
      : network(network), flatten(flatten) {}

  void run() {
    Einsum einsum = network.root.getEinsum();
    // A network of one op keeps its spelling, and a larger one the root's.
    std::vector<LabelId> axes(einsum.result.size());
    for (auto [axis, label] : llvm::zip(axes, einsum.result))
      axis = addLabel(einsum.labels[label]);
    network.einsum.result = axes;
    visit(network.root, axes);
    renumber();
  }

private:
  struct Task {
    Value value;
    std::vector<LabelId> axes;
  };

  /// Depth first with a list of its own, for chains of any length.
  void visit(ContractOp root, const std::vector<LabelId> &axes) {
    SmallVector<Task> tasks;
    open(root, axes, tasks);
    while (!tasks.empty()) {
      Task task = std::move(tasks.back());
      tasks.pop_back();
      auto producer = task.value.getDefiningOp<ContractOp>();
      if (flatten && producer && isAbsorbed(producer)) {
        network.absorbed.push_back(producer);
        open(producer, task.axes, tasks);
        continue;
      }
      for (auto [label, extent] :
           llvm::zip(task.axes,
                     cast<RankedTensorType>(task.value.getType()).getShape()))
        network.extents[label] = extent;
      network.operands.push_back(task.value);
      network.einsum.operands.push_back(std::move(task.axes));
    }
  }

  /// Puts the operands of `op` on the stack, the first one on top.
  void open(ContractOp op, const std::vector<LabelId> &resultAxes,
            SmallVectorImpl<Task> &tasks) {
    Einsum einsum = op.getEinsum();
    constexpr LabelId unset = ~LabelId(0);
    std::vector<LabelId> renamed(einsum.labels.size(), unset);
    for (auto [label, axis] : llvm::zip(einsum.result, resultAxes))
      renamed[label] = axis;
    SmallVector<Task> inOrder;
    for (auto [axes, value] : llvm::zip(einsum.operands, op.getInputs())) {
      Task task = {value, {}};
      for (LabelId label : axes) {
        if (renamed[label] == unset)
          renamed[label] = addLabel(einsum.labels[label]);
        task.axes.push_back(renamed[label]);
      }
      inOrder.push_back(std::move(task));
    }
    for (Task &task : llvm::reverse(inOrder))
      tasks.push_back(std::move(task));
  }

  /// A new label, by the wanted name or the next free one.
  LabelId addLabel(StringRef wanted) {
    std::string name = wanted.str();
    while (!used.insert(name).second)
      name = nextName();
    network.einsum.labels.push_back(name);
    network.extents.push_back(0);
    return network.einsum.labels.size() - 1;
  }

  std::string nextName() {
    unsigned index = nextIndex++;
    if (index < 26)
      return std::string(1, 'a' + index);
    if (index < 52)
      return std::string(1, 'A' + (index - 26));
    return "l" + std::to_string(index);
  }

  /// Numbers the labels by first appearance, as the parser does.
  void renumber() {
    Einsum &einsum = network.einsum;
    constexpr LabelId unset = ~LabelId(0);
    std::vector<LabelId> numberOf(einsum.labels.size(), unset);
    std::vector<std::string> labels;
    std::vector<int64_t> extents;
    for (std::vector<LabelId> &axes : einsum.operands)
      for (LabelId &label : axes) {
        if (numberOf[label] == unset) {
          numberOf[label] = labels.size();
          labels.push_back(einsum.labels[label]);
          extents.push_back(network.extents[label]);
        }
        label = numberOf[label];
      }
    for (LabelId &label : einsum.result)
      label = numberOf[label];
    einsum.labels = std::move(labels);
    network.extents = std::move(extents);
  }

  FlatNetwork &network;
  bool flatten;
  llvm::StringSet<> used;
  unsigned nextIndex = 0;
};
} // namespace

FlatNetwork cma::flattenContraction(ContractOp root, bool flatten) {
  FlatNetwork network;
  network.root = root;
  Flattener(network, flatten && isFree(root)).run();
  return network;
}

DenseSet<Value> cma::findParameterDependents(Operation *scope) {
  DenseSet<Value> dependents;
  SmallVector<Value> worklist;
  auto add = [&](Value value) {
    if (dependents.insert(value).second)
      worklist.push_back(value);
  };
  scope->walk([&](FunctionOpInterface func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i) {
      auto role = func.getArgAttrOfType<StringAttr>(i, kRoleAttr);
      if (!func.isExternal() && role && role.getValue() == "parameter")
        add(func.getArgument(i));
    }
  });
  // What an op with regions passes on is not asked: all of its arguments and
  // results depend on any operand, and on what its regions yield.
  auto addAll = [&](Operation *op) {
    for (Value result : op->getResults())
      add(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          add(argument);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (Operation *user : value.getUsers()) {
      addAll(user);
      for (Block *successor : user->getSuccessors())
        for (Value argument : successor->getArguments())
          add(argument);
      Operation *parent = user->getParentOp();
      if (user->hasTrait<OpTrait::IsTerminator>() && parent &&
          !isa<FunctionOpInterface>(parent))
        addAll(parent);
    }
  }
  return dependents;
}
