//===- Precision.cpp - What precision passes share ------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads precisions.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

FloatType cma::getTensorFloat(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
}

static bool hasTensorFloats(Operation *op) {
  auto isTensorFloat = [](Type type) { return bool(getTensorFloat(type)); };
  return llvm::any_of(op->getOperandTypes(), isTensorFloat) ||
         llvm::any_of(op->getResultTypes(), isTensorFloat);
}

bool cma::isFreeConstant(Operation *op) {
  return op && isa<arith::ConstantOp, tensor::EmptyOp>(op) &&
         getTensorFloat(op->getResult(0));
}

bool cma::needsPrecision(Operation *op) {
  return hasTensorFloats(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isFreeConstant(op) &&
         !isa<cma::CastOp, arith::ExtFOp, arith::TruncFOp>(op);
}

bool cma::carriesValues(Operation *op) {
  return isa<scf::ForOp, scf::IfOp>(op) && op->getNumResults() != 0;
}

SmallVector<OpOperand *> cma::getCarriedOperands(Operation *op,
                                                 unsigned index) {
  SmallVector<OpOperand *> operands;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    operands.push_back(&loop.getInitArgsMutable()[index]);
  for (Region &region : op->getRegions())
    operands.push_back(&region.front().getTerminator()->getOpOperand(index));
  return operands;
}

Value cma::getCarriedArgument(Operation *op, unsigned index) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop ? Value(loop.getRegionIterArg(index)) : Value();
}

bool cma::isAccumulated(Operation *op, unsigned index) {
  Value argument = getCarriedArgument(op, index);
  if (!argument)
    return false;
  Operation *yield = op->getRegion(0).front().getTerminator();
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  SmallVector<std::pair<Value, unsigned>> work = {{argument, 0}};
  while (!work.empty()) {
    auto [value, isAdded] = work.pop_back_val();
    if (!seen.insert({value, isAdded}).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user == yield && use.getOperandNumber() == index && isAdded != 0)
        return true;
      // What an inner op yields is its result; what an inner loop starts from,
      // its body reads.
      Operation *parent = user->getParentOp();
      unsigned number = use.getOperandNumber();
      if (user->hasTrait<OpTrait::IsTerminator>()) {
        if (parent != op && number < parent->getNumResults())
          work.push_back({parent->getResult(number), isAdded});
        continue;
      }
      if (carriesValues(user)) {
        for (unsigned i = 0; i < user->getNumResults(); ++i)
          if (llvm::is_contained(getCarriedOperands(user, i), &use)) {
            work.push_back({user->getResult(i), isAdded});
            if (Value inner = getCarriedArgument(user, i))
              work.push_back({inner, isAdded});
          }
        continue;
      }
      auto iface = dyn_cast<PrecisionOpInterface>(user);
      if (!iface || iface.hasFreeResult() ||
          iface.getPrecisionClass(Float16Type::get(op->getContext())) ==
              PrecisionClass::Always)
        continue;
      bool adds = isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(user);
      for (Value result : user->getResults())
        work.push_back({result, isAdded != 0 || adds});
    }
  }
  return false;
}

bool cma::isLowerable(Operation *op) {
  if (!isa<PrecisionOpInterface>(op))
    return false;
  auto isScalar = [](Type type) { return isa<FloatType>(type); };
  return llvm::none_of(op->getOperandTypes(), isScalar) &&
         llvm::none_of(op->getResultTypes(), isScalar);
}

PrecisionAttr cma::getPrecision(Operation *op) {
  return op->getAttrOfType<PrecisionAttr>(kPrecisionAttr);
}

Type cma::getCarriedType(Operation *op, unsigned index) {
  if (auto types = op->getAttrOfType<ArrayAttr>(kResultTypesAttr))
    return cast<TypeAttr>(types[index]).getValue();
  PrecisionAttr attr = getPrecision(op);
  return attr ? attr.getResult() : Type();
}

LogicalResult cma::checkPrecision(Operation *op, PrecisionAttr attr) {
  auto refuse = [&](const Twine &expected, Type got) {
    return op->emitOpError() << "expected '" << kPrecisionAttr << "' "
                             << expected << ", got " << got;
  };
  for (Type type : op->getOperandTypes())
    if (FloatType element = getTensorFloat(type);
        element && element.isF64() && !attr.getOperand().isF64())
      return refuse("to leave f64 as it is", attr.getOperand());
  for (Type type : op->getResultTypes())
    if (FloatType element = getTensorFloat(type);
        element && element.isF64() && !attr.getResult().isF64())
      return refuse("to leave f64 as it is", attr.getResult());
  if (carriesValues(op))
    return attr.getOperand() == attr.getResult()
               ? success()
               : refuse("to have one type where values are carried",
                        attr.getResult());
  if (!isLowerable(op)) {
    for (Type type : {attr.getOperand(), attr.getResult()})
      if (!type.isF32() && !type.isF64() &&
          llvm::any_of(op->getOperandTypes(), [](Type type) {
            FloatType element = getTensorFloat(type);
            return element && element.isF32();
          }))
        return refuse("of an op without a precision class to be f32", type);
    return success();
  }
  auto iface = cast<PrecisionOpInterface>(op);
  for (Type type : {attr.getOperand(), attr.getResult()})
    if (!iface.isLegalPrecision(type))
      return refuse("to be a type that the op may have", type);
  if (attr.getOperand() != attr.getResult() && !iface.hasFreeResult() &&
      llvm::any_of(op->getResultTypes(),
                   [](Type type) { return bool(getTensorFloat(type)); }))
    return refuse("to have one type for operands and result", attr.getResult());
  return success();
}

uint64_t cma::getTensorBytes(Type type, Type element) {
  uint64_t bytes = element.isTF32() ? 4 : element.getIntOrFloatBitWidth() / 8;
  for (int64_t extent : cast<RankedTensorType>(type).getShape())
    if (!ShapedType::isDynamic(extent))
      bytes = llvm::SaturatingMultiply(bytes, static_cast<uint64_t>(extent));
  return bytes;
}

uint64_t cma::countExecutions(Operation *op) {
  uint64_t count = 1;
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp())
    if (auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp()))
      if (std::optional<APInt> trips = loop.getStaticTripCount())
        count = llvm::SaturatingMultiply(count, trips->getLimitedValue());
  return count;
}

std::string ValueNames::get(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, state);
  return text;
}
