//===- Precision.h - What precision passes share ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how passes read the types in which an op is to compute.
// Only f32 is ever lowered: operands and results that were written in another
// type keep it.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISION_H
#define CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISION_H

#include "cma/Dialect/CMA/IR/CMAInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"

#include <optional>
#include <vector>

namespace cma {

class ContractOp;

/// The element type of a tensor of floats; null for other types.
mlir::FloatType getTensorFloat(mlir::Type type);
inline mlir::FloatType getTensorFloat(mlir::Value value) {
  return getTensorFloat(value.getType());
}

inline bool isF8(mlir::Type type) {
  return llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

/// Whether the op takes whatever type a use of it asks for.
bool isFreeConstant(mlir::Operation *op);

/// Whether the op reads or writes tensors of floats in a type that is decided:
/// no terminator, constant or conversion.
bool needsPrecision(mlir::Operation *op);

/// Whether `op` hands values through its region: scf.for, and scf.if.
bool carriesValues(mlir::Operation *op);
/// Operands, of the op itself and of its terminators, that become result
/// `index` of such an op, and the block arguments that have its type.
llvm::SmallVector<mlir::OpOperand *> getCarriedOperands(mlir::Operation *op,
                                                        unsigned index);
mlir::Value getCarriedArgument(mlir::Operation *op, unsigned index);

/// Whether the body of a loop adds to its value `index` and hands that on: such
/// a value is a sum, and is kept in f32.
bool isAccumulated(mlir::Operation *op, unsigned index);

/// Whether the types of `op` may be changed: it has a precision class and, of
/// floats, only tensors.
bool isLowerable(mlir::Operation *op);

/// The element type that `op` asks of an operand which was written as f32, and
/// gives a result, by its `cma.precision`.
PrecisionAttr getPrecision(mlir::Operation *op);
mlir::Type getCarriedType(mlir::Operation *op, unsigned index);

/// The types of an op that keeps what it has: of several, the widest.
PrecisionAttr describeWritten(mlir::Operation *op);

/// Checks the annotations of `op`, if it has any: that their types are legal
/// for it, lower only f32, and that none would be without effect.
llvm::LogicalResult checkAnnotations(mlir::Operation *op);

/// How many products an element of the result sums: the extents of the labels
/// that both operands have and the result has not. Nothing where one is `?`.
std::optional<uint64_t> countSummed(ContractOp op);

/// The type as it is printed.
std::string spell(mlir::Type type);

/// What two ops of a block have in common that compute the same value, whatever
/// their types; empty for ops that have no such twin.
std::vector<const void *> getTwinKey(mlir::Operation *op);

/// Bytes of a tensor type in element type `element`; `?` counts as 1.
uint64_t getTensorBytes(mlir::Type type, mlir::Type element);

/// How often the op runs for one run of the function, by the trip counts that
/// are known.
uint64_t countExecutions(mlir::Operation *op);

/// "%3 of cma.gelu", for reports: the name of a value as it is printed.
class ValueNames {
public:
  explicit ValueNames(mlir::func::FuncOp func) : state(func) {}
  std::string get(mlir::Value value);

private:
  mlir::AsmState state;
};

} // namespace cma

#endif // CMA_LIB_DIALECT_CMA_TRANSFORMS_PRECISION_H
