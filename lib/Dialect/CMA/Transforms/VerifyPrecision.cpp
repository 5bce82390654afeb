//===- VerifyPrecision.cpp - Invariants of mixed precision ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements cma-verify-precision.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"

#include "cma/Analysis/ContractionTarget.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/Functions.h"
#include "cma/Dialect/CMA/Transforms/Passes.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace cma {
#define GEN_PASS_DEF_CMAVERIFYPRECISIONPASS
#include "cma/Dialect/CMA/Transforms/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

/// verify_precision_c1: what linalg sums, it sums in the type of its result.
static LogicalResult verifyAccumulator(Operation *op) {
  Type type;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    type = contract.getAccumulationType();
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
             linalgOp && linalgOp.getNumReductionLoops() != 0 &&
             linalgOp.getNumDpsInits() != 0) {
    type = getElementTypeOrSelf(linalgOp.getDpsInits()[0].getType());
  }
  if (!type || !isLowFloat(type))
    return success();
  return op->emitOpError()
         << "expected sums in f32 or wider, got an accumulator of " << type;
}

/// verify_precision_c4
static LogicalResult verifyCasts(Block &block) {
  std::map<std::tuple<void *, const void *, bool, int, int>, cma::CastOp> seen;
  for (auto cast : block.getOps<cma::CastOp>()) {
    if (cast.getInput().getType() == cast.getType() && !cast.getTf32())
      return cast.emitOpError() << "expected a cast to another type, got "
                                << cast.getType() << " for both";
    if (cast.getRound() == Rounding::Stochastic)
      continue; // a noise of its own
    auto [it, isNew] =
        seen.try_emplace({cast.getInput().getAsOpaquePointer(),
                          cast.getType().getAsOpaquePointer(), cast.getTf32(),
                          static_cast<int>(cast.getRound()),
                          static_cast<int>(cast.getOverflow())},
                         cast);
    if (isNew)
      continue;
    InFlightDiagnostic diag = cast.emitOpError()
                              << "expected one cast of a value to "
                              << cast.getType() << " in a block, got another";
    diag.attachNote(it->second.getLoc()) << "the first is here";
    return diag;
  }
  return success();
}

/// verify_precision_c5: of what a runner calls. What another function calls is
/// no model, and has the types of its calls.
static LogicalResult verifyArguments(func::FuncOp func) {
  if (!SymbolTable::symbolKnownUseEmpty(func, func->getParentOp()))
    return success();
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    StringRef role = getArgumentRole(func, index);
    FloatType element = getTensorFloat(argument);
    // State is what the user declares; an optimizer's is f32 by its ops.
    if (role == "parameter" && element && isLowFloat(element))
      return func.emitOpError()
             << "expected argument '" << getArgumentName(func, index)
             << "' of role \"parameter\" to be f32 or wider, got " << element;
  }
  return success();
}

/// verify_precision_c6
static LogicalResult verifyTarget(Operation *op, const TargetModel &target,
                                  bool legalized) {
  if (legalized) {
    bool computes =
        isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) &&
        !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op);
    auto isEmulated = [](Type type) {
      return isa<Float8E4M3FNType, Float8E5M2Type, FloatTF32Type>(
          getElementTypeOrSelf(type));
    };
    if (computes && (llvm::any_of(op->getOperandTypes(), isEmulated) ||
                     llvm::any_of(op->getResultTypes(), isEmulated)))
      return op->emitOpError() << "expected no arithmetic on f8 or tf32 behind "
                                  "cma-legalize-floats";
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getInputs().size() < 2 || target.name == "cpu")
    return success();
  for (Value input : contract.getInputs()) {
    Type type = getElementTypeOrSelf(input.getType());
    std::string spelling;
    llvm::raw_string_ostream(spelling) << type;
    ElementType element;
    if (isLowFloat(type) && parseElementType(spelling, element) &&
        target.matrixRate[static_cast<unsigned>(element)] == 0)
      return op->emitOpError()
             << "expected types that target " << StringRef(target.name)
             << " contracts, got " << type;
  }
  return success();
}

/// verify_precision_c7: twins differ in nothing but types.
static LogicalResult verifyTwins(Block &block) {
  std::map<std::vector<const void *>, Operation *> seen;
  for (Operation &op : block) {
    std::vector<const void *> key = getTwinKey(&op);
    if (key.empty())
      continue;
    FloatType element = getTensorFloat(op.getResult(0));
    auto [it, isNew] = seen.try_emplace(key, &op);
    if (isNew ||
        it->second->getResult(0).getType() == op.getResult(0).getType())
      continue;
    if (getTensorFloat(it->second->getResult(0)).getWidth() == 64)
      continue;
    InFlightDiagnostic diag =
        op.emitOpError() << "expected a value to be computed in one type, got "
                         << element;
    diag.attachNote(it->second->getLoc())
        << "computed in " << getTensorFloat(it->second->getResult(0))
        << " here";
    return diag;
  }
  return success();
}

/// verify_precision_c8
static LogicalResult verifyCarried(Operation *op) {
  if (!carriesValues(op))
    return success();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    FloatType written = getTensorFloat(result);
    if (!written || !isAccumulated(op, i))
      continue;
    Type annotated = getCarriedType(op, i);
    Type type = annotated && written.isF32() ? annotated : Type(written);
    if (isLowFloat(type))
      return op->emitOpError()
             << "expected carried value #" << i
             << ", which the body adds to, to be f32 or wider, got " << type;
  }
  return success();
}

namespace {
struct VerifyPrecisionPass
    : cma::impl::CMAVerifyPrecisionPassBase<VerifyPrecisionPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerPrecisionOpModels(registry);
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    const TargetModel *model = lookupTarget(target.getValue());
    if (!model) {
      emitError(module.getLoc()) << "invalid option 'target': expected one of "
                                 << listTargets() << ", got '" << target << "'";
      return signalPassFailure();
    }
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isDeclaration() && failed(verify(func, *model)))
        return signalPassFailure();
  }

  LogicalResult verify(func::FuncOp func, const TargetModel &model) {
    if (failed(verifyArguments(func)))
      return failure();
    bool isAnnotated = func.walk([](Operation *op) {
                             return getPrecision(op) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
                           })
                           .wasInterrupted();
    WalkResult result = func.walk([&](Operation *op) {
      return failed(verifyOp(op, isAnnotated, model)) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult verifyOp(Operation *op, bool isAnnotated,
                         const TargetModel &model) {
    PrecisionAttr attr = getPrecision(op);
    if (failed(checkAnnotations(op))) // c2, c3
      return failure();
    if (isAnnotated && !attr && needsPrecision(op)) // c9
      return op->emitOpError()
             << "expected a '" << kPrecisionAttr << "', which other ops have";
    if (failed(verifyAccumulator(op)) || failed(verifyCarried(op)) ||
        failed(verifyTarget(op, model, legalized)))
      return failure();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(verifyCasts(block)) || failed(verifyTwins(block)))
          return failure();
    return success();
  }
};
} // namespace
