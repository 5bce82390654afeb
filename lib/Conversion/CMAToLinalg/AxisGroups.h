//===- AxisGroups.h - Axes that one loop can run over -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the folding of labelled axes: `bijk,ijkr->br` is the
// matrix product `bi,ir->br` once ijk is one axis. Fewer loops make faster code
// and shorter compilation, and reshapes cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_CMATOLINALG_AXISGROUPS_H
#define CMA_LIB_CONVERSION_CMATOLINALG_AXISGROUPS_H

#include "cma/Analysis/Einsum.h"

#include "mlir/IR/Builders.h"

namespace cma {

using Axes = llvm::SmallVector<LabelId>;

/// A tensor and the labels of its axes.
struct LabelledTensor {
  mlir::Value value;
  Axes axes;
};

/// Joins labels that stand side by side, in the same order, in every tensor
/// that holds one of them, and drops labels of extent 1. The first label of a
/// group stands for it.
class AxisGroups {
public:
  /// `keep` lists labels that are not joined with others.
  AxisGroups(llvm::ArrayRef<Axes> tensors, llvm::ArrayRef<int64_t> extents,
             llvm::ArrayRef<LabelId> keep);

  /// The groups along `axes`.
  Axes fold(llvm::ArrayRef<LabelId> axes) const;

  /// `tensor` with one axis per group.
  LabelledTensor fold(mlir::OpBuilder &builder, mlir::Location loc,
                      const LabelledTensor &tensor) const;

  /// `value`, whose axes are the groups along `axes`, with one axis per label.
  mlir::Value unfold(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, llvm::ArrayRef<LabelId> axes) const;

  /// Extents of groups.
  llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<LabelId> groups) const;

private:
  bool canJoin(LabelId label, LabelId next, llvm::ArrayRef<Axes> tensors) const;
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>>
  getReassociation(llvm::ArrayRef<LabelId> axes) const;

  llvm::SmallVector<int64_t> extents;
  /// Per label: product of the extents of its group where it stands for one.
  llvm::SmallVector<int64_t> groupExtents;
  /// Per label: whether it stands for a group.
  llvm::SmallVector<bool> isFirst;
};

} // namespace cma

#endif // CMA_LIB_CONVERSION_CMATOLINALG_AXISGROUPS_H
