//===- PrecisionListener.h - Pass an annotation on --------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how what replaces an op, or is its derivative, inherits
// the precision that a user has asked for. Constants and reshapes take whatever
// type their use needs.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONLISTENER_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONLISTENER_H

#include "mlir/IR/Builders.h"

namespace cma {

/// Gives `made` the `cma.precision` of `source`, if any. An op that does not
/// sum has one type: that of the result asked for.
void passPrecisionOn(mlir::Operation *source, mlir::Operation *made);

/// Does so for every op that `builder` makes in its lifetime.
class PrecisionListener : public mlir::OpBuilder::Listener {
public:
  PrecisionListener(mlir::OpBuilder &builder, mlir::Operation *source)
      : builder(builder), outer(builder.getListener()), source(source) {
    builder.setListener(this);
  }
  ~PrecisionListener() override { builder.setListener(outer); }

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override {
    passPrecisionOn(source, op);
    if (outer)
      outer->notifyOperationInserted(op, previous);
  }

private:
  mlir::OpBuilder &builder;
  mlir::OpBuilder::Listener *outer;
  mlir::Operation *source;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISIONLISTENER_H
