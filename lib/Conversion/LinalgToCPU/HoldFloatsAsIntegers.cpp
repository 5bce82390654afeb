//===- HoldFloatsAsIntegers.cpp - Integers in the place of low floats -----===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-hold-floats-as-integers pass.
//
//===----------------------------------------------------------------------===//

#include "cma/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace cma {
#define GEN_PASS_DEF_HOLDFLOATSASINTEGERSPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
struct HoldFloatsAsIntegers
    : cma::impl::HoldFloatsAsIntegersPassBase<HoldFloatsAsIntegers> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (module.walk([&](Operation *op) { return refuseArithmetic(op); })
            .wasInterrupted())
      return signalPassFailure();
    AttrTypeReplacer replacer = getReplacer();
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

private:
  bool isHeld(Type type) const {
    type = getElementTypeOrSelf(type);
    return type.isBF16() || (type.isF16() && !f16Instructions);
  }

  /// What reads a number, and not only bits, would read an integer.
  WalkResult refuseArithmetic(Operation *op) const {
    if (!llvm::any_of(op->getOperandTypes(),
                      [&](Type type) { return isHeld(type); }) &&
        !llvm::any_of(op->getResultTypes(),
                      [&](Type type) { return isHeld(type); }))
      return WalkResult::advance();
    if (isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp,
            LLVM::FRemOp, LLVM::FNegOp, LLVM::FCmpOp, LLVM::FPExtOp,
            LLVM::FPTruncOp, LLVM::FPToSIOp, LLVM::FPToUIOp, LLVM::SIToFPOp,
            LLVM::UIToFPOp>(op) ||
        op->getName().getStringRef().starts_with("llvm.intr.")) {
      op->emitOpError() << "expected no arithmetic on low floats after "
                           "cma-legalize-floats, got operands of "
                        << op->getOperandTypes();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  }

  AttrTypeReplacer getReplacer() const {
    AttrTypeReplacer replacer;
    replacer.addReplacement([this](FloatType type) -> std::optional<Type> {
      if (!isHeld(type))
        return std::nullopt;
      return IntegerType::get(type.getContext(), type.getWidth());
    });
    // The bits of constants; attributes do not follow the type that they hold.
    replacer.addReplacement([this](FloatAttr attr) -> std::optional<Attribute> {
      if (!isHeld(attr.getType()))
        return std::nullopt;
      APInt bits = attr.getValue().bitcastToAPInt();
      return IntegerAttr::get(
          IntegerType::get(attr.getContext(), bits.getBitWidth()), bits);
    });
    replacer.addReplacement(
        [this](DenseElementsAttr attr)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          Type element = attr.getElementType();
          if (!isHeld(element))
            return std::nullopt;
          auto integer = IntegerType::get(element.getContext(),
                                          element.getIntOrFloatBitWidth());
          return std::pair(Attribute(attr.bitcast(integer)),
                           WalkResult::skip());
        });
    // Tensors are left in the tables of entries alone, which name the types of
    // the caller's buffers.
    replacer.addReplacement([](RankedTensorType type)
                                -> std::optional<std::pair<Type, WalkResult>> {
      return std::pair(Type(type), WalkResult::skip());
    });
    return replacer;
  }
};
} // namespace
