//===- AxisGroups.cpp - Axes that one loop can run over -------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the folding of labelled axes.
//
//===----------------------------------------------------------------------===//

#include "AxisGroups.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace cma;

static constexpr size_t kAbsent = ~size_t(0);

static size_t positionOf(ArrayRef<LabelId> axes, LabelId label) {
  const auto *it = llvm::find(axes, label);
  return it == axes.end() ? kAbsent : it - axes.begin();
}

/// Side by side in this order wherever one of them stands.
bool AxisGroups::canJoin(LabelId label, LabelId next,
                         ArrayRef<Axes> tensors) const {
  return llvm::all_of(tensors, [&](const Axes &axes) {
    size_t first = positionOf(axes, label), second = positionOf(axes, next);
    return first == kAbsent ? second == kAbsent : second == first + 1;
  });
}

AxisGroups::AxisGroups(ArrayRef<Axes> tensors, ArrayRef<int64_t> extents,
                       ArrayRef<LabelId> keep)
    : extents(extents), groupExtents(extents.size(), 1),
      isFirst(extents.size(), false) {
  SmallVector<Axes> wide;
  for (const Axes &axes : tensors)
    wide.push_back(Axes(llvm::make_filter_range(
        axes, [&](LabelId label) { return extents[label] != 1; })));

  // A label that an operand repeats is a diagonal, not a row of digits.
  Axes alone(keep);
  for (const Axes &axes : wide)
    for (auto [i, label] : llvm::enumerate(axes))
      if (positionOf(axes, label) != i)
        alone.push_back(label);

  Axes first = llvm::to_vector(llvm::seq<LabelId>(0, extents.size()));
  for (const Axes &axes : wide)
    for (size_t i = 0; i < axes.size(); ++i) {
      LabelId label = axes[i], previous = i ? axes[i - 1] : label;
      if (i && !llvm::is_contained(alone, label) &&
          !llvm::is_contained(alone, previous) &&
          canJoin(previous, label, wide))
        first[label] = first[previous];
      isFirst[label] = first[label] == label;
    }
  for (auto [label, extent] : llvm::enumerate(extents))
    groupExtents[first[label]] *= extent;
}

Axes AxisGroups::fold(ArrayRef<LabelId> axes) const {
  return Axes(llvm::make_filter_range(
      axes, [&](LabelId label) { return isFirst[label]; }));
}

SmallVector<int64_t> AxisGroups::getShape(ArrayRef<LabelId> groups) const {
  SmallVector<int64_t> shape;
  for (LabelId group : groups)
    shape.push_back(groupExtents[group]);
  return shape;
}

SmallVector<ReassociationIndices>
AxisGroups::getReassociation(ArrayRef<LabelId> axes) const {
  SmallVector<ReassociationIndices> groups;
  bool started = false;
  for (auto [i, label] : llvm::enumerate(axes)) {
    // Axes of extent 1 before the first group belong to it.
    if (groups.empty() || (started && isFirst[label]))
      groups.emplace_back();
    groups.back().push_back(i);
    started |= isFirst[label];
  }
  return started ? groups : SmallVector<ReassociationIndices>();
}

LabelledTensor AxisGroups::fold(OpBuilder &builder, Location loc,
                                const LabelledTensor &tensor) const {
  Axes groups = fold(tensor.axes);
  if (groups.size() == tensor.axes.size())
    return tensor;
  auto type = cast<RankedTensorType>(tensor.value.getType());
  Value folded = builder.createOrFold<tensor::CollapseShapeOp>(
      loc, RankedTensorType::get(getShape(groups), type.getElementType()),
      tensor.value, getReassociation(tensor.axes));
  return {folded, groups};
}

Value AxisGroups::unfold(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<LabelId> axes) const {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == static_cast<int64_t>(axes.size()))
    return value;
  SmallVector<int64_t> shape;
  for (LabelId label : axes)
    shape.push_back(extents[label]);
  return builder.createOrFold<tensor::ExpandShapeOp>(
      loc, RankedTensorType::get(shape, type.getElementType()), value,
      getReassociation(axes));
}
