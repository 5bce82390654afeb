//===- CMADialect.h - The dialect -------------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the dialect, its attributes and what its ops share.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMADIALECT_H
#define CMA_DIALECT_CMA_IR_CMADIALECT_H

#include "cma/Analysis/Einsum.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cma/Dialect/CMA/IR/CMADialect.h.inc"
#include "cma/Dialect/CMA/IR/CMAEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "cma/Dialect/CMA/IR/CMAAttributes.h.inc"

namespace cma {

/// Names of the argument and result attributes that make a module describe
/// itself.
inline constexpr llvm::StringLiteral kRoleAttr = "cma.role";
inline constexpr llvm::StringLiteral kNameAttr = "cma.name";
inline constexpr llvm::StringLiteral kInitAttr = "cma.init";
inline constexpr llvm::StringLiteral kUpdatesAttr = "cma.updates";
/// On any op: the types in which it computes, a PrecisionAttr.
inline constexpr llvm::StringLiteral kPrecisionAttr = "cma.precision";
/// On an argument: name of the loss scale that its values are multiplied by.
inline constexpr llvm::StringLiteral kScaledByAttr = "cma.scaled_by";
/// On an op that carries values through regions: the element types of its
/// results, an array of TypeAttr, where `cma.precision` does not say all.
inline constexpr llvm::StringLiteral kResultTypesAttr = "cma.result_types";
/// On an op of one result: the bounds that cma-range-analysis proved for it, a
/// RangeAttr.
inline constexpr llvm::StringLiteral kResultRangeAttr = "cma.result_range";
/// On a function: the table of its entry in compiled code.
inline constexpr llvm::StringLiteral kEntryAttr = "cma.entry";
/// On an argument: bounds of its values, a RangeAttr.
inline constexpr llvm::StringLiteral kRangeAttr = "cma.range";
/// On an argument of role "view": name of the parameter that it is a copy of.
inline constexpr llvm::StringLiteral kViewOfAttr = "cma.view_of";
/// On a gradient result: name (or decimal position) of the argument.
inline constexpr llvm::StringLiteral kGradientAttr = "cma.gradient";

/// Whether tensors of the dialect hold `type`: f64, f32, f16, bf16, f8E4M3FN or
/// f8E5M2.
bool isStorageFloat(mlir::Type type);

/// Whether `type` is a storage float below f32, in which nothing computes.
bool isLowFloat(mlir::Type type);

/// What `check_labels` writes: the status of the call.
struct LabelCheckResource
    : public mlir::SideEffects::Resource::Base<LabelCheckResource> {
  llvm::StringRef getName() override { return "cma.status"; }
};

/// Product of `extents`, or nothing where it exceeds 2^63 - 1. Dynamic extents
/// count as 1.
std::optional<int64_t> checkedProduct(llvm::ArrayRef<int64_t> extents);

/// cma_c1 for every ranked operand and result of `op`.
llvm::LogicalResult verifyCheckedSizes(mlir::Operation *op);

template <typename ConcreteType>
class CheckedSizes
    : public mlir::OpTrait::TraitBase<ConcreteType, CheckedSizes> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyCheckedSizes(op);
  }
};

} // namespace cma

#endif // CMA_DIALECT_CMA_IR_CMADIALECT_H
