//===- MemRefUtils.h - Which buffer does a memref show? ---------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares helpers that trace memrefs to the buffers behind them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_MEMREFUTILS_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_MEMREFUTILS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

namespace cma {

/// The values at which `memref` may have been created: allocations, block
/// arguments, globals. Views, casts and the branches of scf.if and arith.select
/// are looked through; any other op that gives a memref is a root itself.
llvm::SmallVector<mlir::Value> getMemRefRoots(mlir::Value memref);

/// Whether two memrefs may share memory, given that distinct roots do not.
bool mayShareBuffer(mlir::Value a, mlir::Value b);

/// `memref` without the casts that change only its static type.
mlir::Value stripMemRefCasts(mlir::Value memref);

/// Whether the views are known to show the same elements, counted from the same
/// address; their shapes and strides may differ.
bool isSameView(mlir::Value a, mlir::Value b);

/// Whether `op`, or an op in its regions, names the buffer behind `memref`.
bool usesBuffer(mlir::Operation *op, mlir::Value memref);

/// Whether `op` may read or write the buffer behind `memref`.
bool mayTouch(mlir::Operation *op, mlir::Value memref);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_MEMREFUTILS_H
