//===- Interpreter.h - Runs functions on numbers ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares an interpreter of functions on small f32 tensors, for
// comparison with what an analysis says of them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_RANGES_INTERPRETER_H
#define CMA_UNITTESTS_RANGES_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <vector>

namespace cma::test {

using Numbers = std::vector<float>;

class Interpreter {
public:
  /// Called with every float tensor that is computed; may round its elements.
  using Observer = std::function<void(mlir::Value, Numbers &)>;

  explicit Interpreter(Observer observe) : observe(std::move(observe)) {}

  /// Runs the body on `arguments`. False where an op is not known.
  bool run(mlir::func::FuncOp func, const std::vector<Numbers> &arguments);

private:
  bool runBlock(mlir::Block &block);
  bool runOp(mlir::Operation &op);
  bool runLoop(mlir::Operation &op);
  bool runBranch(mlir::Operation &op);
  /// Casts, conversions and ops that move data.
  bool runMove(mlir::Operation &op, mlir::ArrayRef<const Numbers *> operands,
               Numbers &result);
  void define(mlir::Value value, Numbers numbers);

  Observer observe;
  llvm::DenseMap<mlir::Value, Numbers> values;
};

/// `value` rounded to nearest in the format of `semantics`.
float roundTo(float value, const llvm::fltSemantics &semantics);

} // namespace cma::test

#endif // CMA_UNITTESTS_RANGES_INTERPRETER_H
