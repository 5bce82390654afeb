//===- RangeAnalysis.h - Bounds of the values of a function -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares an analysis that bounds every float of a function, from
// bounds on its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_RANGEANALYSIS_H
#define CMA_DIALECT_CMA_TRANSFORMS_RANGEANALYSIS_H

#include "cma/Analysis/Interval.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace cma {

/// The format of a float type; that of f64 where it is none of CMA's.
FloatFormat getFloatFormat(mlir::Type element);

struct RangeOptions {
  /// Values may be rounded to this type, wherever they fit it; null for f32.
  mlir::Type low;
  /// Bounds of arguments by name, before those of `cma.range`.
  llvm::StringMap<Interval> arguments;
  /// The value of the loss's cotangent, or of the state `loss_scale`.
  std::optional<double> lossScale;
};

/// Intervals hold for every execution on arguments within their bounds in which
/// values are rounded to their type, or to `low`. An argument without bounds is
/// unbounded. Needs PrecisionOpInterface on the ops (PrecisionOpModels.h).
class RangeAnalysis {
public:
  RangeAnalysis(mlir::func::FuncOp func, const RangeOptions &options);

  /// Of a float or a tensor of floats; unbounded for others.
  Interval getInterval(mlir::Value value) const;

private:
  void setInterval(mlir::Value value, Interval interval);
  void visitArguments(mlir::func::FuncOp func);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp loop);
  void visitUnknown(mlir::Operation *op);
  Interval round(Interval interval, mlir::Type element) const;
  Interval store(Interval interval, mlir::Operation *op,
                 mlir::Type element) const;

  const RangeOptions &options;
  llvm::DenseMap<mlir::Value, Interval> intervals;
};

/// The largest power of two as loss scale (from 1 on) for which every value
/// that depends on it is proved to fit `low`; nothing where no scale is proved.
/// `dependents` are those values.
std::optional<double>
findLargestLossScale(mlir::func::FuncOp func, RangeOptions options,
                     llvm::ArrayRef<mlir::Value> dependents);

/// The argument or constant that the loss is scaled by: the argument of role
/// "cotangent", or the state `loss_scale`; null where there is none.
mlir::Value findLossScaleArgument(mlir::func::FuncOp func);

/// Floats that depend on `source`, itself included, in program order.
llvm::SmallVector<mlir::Value> collectDependents(mlir::func::FuncOp func,
                                                 mlir::Value source);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_RANGEANALYSIS_H
