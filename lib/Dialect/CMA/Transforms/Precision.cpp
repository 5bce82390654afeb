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
  return isa_and_nonnull<arith::ConstantOp, tensor::EmptyOp>(op) &&
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

/// The widest type, the first of equal ones, that `getFloat` finds; null
/// without floats.
static FloatType getWidestFloat(TypeRange types,
                                function_ref<FloatType(Type)> getFloat) {
  FloatType widest;
  for (Type type : types)
    if (FloatType element = getFloat(type);
        element && (!widest || element.getWidth() > widest.getWidth()))
      widest = element;
  return widest;
}

PrecisionAttr cma::describeWritten(Operation *op) {
  auto getAnyFloat = [](Type type) {
    return dyn_cast<FloatType>(getElementTypeOrSelf(type));
  };
  auto getFloat = [&](Type type) {
    return hasTensorFloats(op) ? getTensorFloat(type) : getAnyFloat(type);
  };
  FloatType operand = getWidestFloat(op->getOperandTypes(), getFloat);
  FloatType result = getWidestFloat(op->getResultTypes(), getFloat);
  if (!operand)
    operand = result;
  return PrecisionAttr::get(op->getContext(), operand,
                            PrecisionAttr::getDefaultAccumulate(operand),
                            result ? result : operand);
}

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

static bool hasTensorOf(TypeRange types, function_ref<bool(FloatType)> match) {
  return llvm::any_of(types, [&](Type type) {
    FloatType element = getTensorFloat(type);
    return element && match(element);
  });
}
static bool isF32(FloatType type) { return type.isF32(); }
static bool isF64(FloatType type) { return type.isF64(); }

/// What an op is that keeps the types in which it was written; empty for ops
/// whose types are decided.
static StringRef describeKeeper(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return "a terminator";
  if (isFreeConstant(op))
    return "a constant, whose uses have the types they ask for,";
  if (isa<cma::CastOp, arith::ExtFOp, arith::TruncFOp>(op))
    return "a conversion";
  if (!hasTensorFloats(op))
    return "an op on scalars";
  if (!carriesValues(op)) {
    if (!isa<PrecisionOpInterface>(op))
      return "an op without a precision class";
    if (!isLowerable(op))
      return "an op on scalars";
  }
  if (!hasTensorOf(op->getOperandTypes(), isF32) &&
      !hasTensorOf(op->getResultTypes(), isF32))
    return "an op without f32";
  return "";
}

namespace {
/// Refuses an annotation with both types, the expected one and the one it has.
struct AnnotationCheck {
  Operation *op;
  PrecisionAttr attr;

  InFlightDiagnostic refuse(const Twine &expected, Type got) const {
    return op->emitOpError() << "expected '" << kPrecisionAttr << "' "
                             << expected << ", got " << got;
  }
  LogicalResult checkF64() const;
  LogicalResult checkKeeper(StringRef keeper) const;
  LogicalResult checkContract() const;
  LogicalResult checkAccumulate() const;
  LogicalResult checkLowerable() const;
  LogicalResult check() const;
};
} // namespace

LogicalResult AnnotationCheck::checkF64() const {
  if (hasTensorOf(op->getOperandTypes(), isF64) && !attr.getOperand().isF64())
    return refuse("to leave f64 as it is", attr.getOperand());
  if (hasTensorOf(op->getResultTypes(), isF64) && !attr.getResult().isF64())
    return refuse("to leave f64 as it is", attr.getResult());
  return success();
}

LogicalResult AnnotationCheck::checkKeeper(StringRef keeper) const {
  PrecisionAttr written = describeWritten(op);
  for (auto [type, got] : {std::pair(written.getOperand(), attr.getOperand()),
                           std::pair(written.getResult(), attr.getResult())}) {
    if (type != got)
      return refuse("of " + keeper + " to be " + spell(type), got);
  }
  return success();
}

/// contract_c9 and the types that a contraction may mix.
LogicalResult AnnotationCheck::checkContract() const {
  Type operand = attr.getOperand(), result = attr.getResult();
  if (operand.isF64() != result.isF64())
    return refuse("to have f64 for the operands and the result of a "
                  "contraction or for neither",
                  operand)
           << " and " << result;
  if (operand.isF64())
    for (Type type : op->getOperandTypes())
      if (FloatType element = getTensorFloat(type); isLowFloat(element))
        return refuse("to have no f64 beside an operand of " + spell(element),
                      operand);
  auto own = cast<ContractOp>(op).getAccumulate();
  if (own && *own != attr.getAccumulate() &&
      attr.getAccumulate() != PrecisionAttr::getDefaultAccumulate(operand))
    return op->emitOpError()
           << "expected 'accumulate' of '" << kPrecisionAttr << "' to be "
           << *own << ", which the op has, got " << attr.getAccumulate();
  return success();
}

/// What is no contraction computes in the one way it has.
LogicalResult AnnotationCheck::checkAccumulate() const {
  Type expected = PrecisionAttr::getDefaultAccumulate(attr.getOperand());
  if (isa<ContractOp>(op) || attr.getAccumulate() == expected)
    return success();
  return op->emitOpError() << "expected 'accumulate' of '" << kPrecisionAttr
                           << "' to be " << expected
                           << " for what is no cma.contract, got "
                           << attr.getAccumulate();
}

LogicalResult AnnotationCheck::checkLowerable() const {
  auto iface = cast<PrecisionOpInterface>(op);
  for (Type type : {attr.getOperand(), attr.getResult()})
    if (!iface.isLegalPrecision(type))
      return refuse("to be a type that the op may have", type);
  bool hasResult =
      hasTensorOf(op->getResultTypes(), [](FloatType) { return true; });
  if (attr.getOperand() != attr.getResult() && !iface.hasFreeResult() &&
      hasResult)
    return refuse("to have one type for operands and result", attr.getResult());
  return success();
}

LogicalResult AnnotationCheck::check() const {
  if (failed(checkAccumulate()))
    return failure();
  StringRef keeper = describeKeeper(op);
  // Of what is carried, f64 keeps its type whatever the others have.
  if ((!keeper.empty() || !carriesValues(op)) && needsPrecision(op) &&
      failed(checkF64()))
    return failure();
  if (isa<ContractOp>(op) && failed(checkContract()))
    return failure();
  if (!keeper.empty())
    return checkKeeper(keeper);
  if (!carriesValues(op))
    return checkLowerable();
  if (attr.getOperand() != attr.getResult())
    return refuse("to have one type where values are carried",
                  attr.getResult());
  return success();
}

static LogicalResult checkResultTypes(Operation *op, ArrayAttr types) {
  if (!carriesValues(op))
    return op->emitOpError()
           << "expected '" << kResultTypesAttr
           << "' only on an scf.for or scf.if with results, got " << types;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Type written = getElementTypeOrSelf(result.getType());
    Type listed = cast<TypeAttr>(types[i]).getValue();
    bool isDecided = getTensorFloat(result) && written.isF32();
    if (isa<FloatType>(written) && !isDecided && listed != written)
      return op->emitOpError()
             << "expected '" << kResultTypesAttr << "' to leave value #" << i
             << " in " << written << ", got " << listed;
  }
  return success();
}

LogicalResult cma::checkAnnotations(Operation *op) {
  if (PrecisionAttr attr = getPrecision(op);
      attr && failed(AnnotationCheck{op, attr}.check()))
    return failure();
  auto types = op->getAttrOfType<ArrayAttr>(kResultTypesAttr);
  return types ? checkResultTypes(op, types) : success();
}

std::optional<uint64_t> cma::countSummed(ContractOp op) {
  Einsum einsum = op.getEinsum();
  SmallVector<int64_t> extents = op.getLabelExtents();
  uint64_t count = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    auto hasLabel = [&](const std::vector<LabelId> &labels) {
      return llvm::is_contained(labels, static_cast<LabelId>(i));
    };
    if (hasLabel(einsum.result) || !llvm::all_of(einsum.operands, hasLabel))
      continue;
    if (ShapedType::isDynamic(extents[i]))
      return std::nullopt;
    count = llvm::SaturatingMultiply(count, static_cast<uint64_t>(extents[i]));
  }
  return count;
}

std::string cma::spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::vector<const void *> cma::getTwinKey(Operation *op) {
  FloatType element =
      op->getNumResults() == 1 ? getTensorFloat(op->getResult(0)) : FloatType();
  // What makes floats of integers or scalars rounds where its author says.
  if (!element || op->getNumRegions() != 0 || !isa<PrecisionOpInterface>(op) ||
      llvm::none_of(op->getOperands(), [](Value operand) {
        return static_cast<bool>(getTensorFloat(operand));
      }))
    return {};
  // The precision itself is what twins differ in.
  NamedAttrList attrs(op->getAttrDictionary());
  attrs.erase(kPrecisionAttr);
  std::vector<const void *> key = {
      op->getName().getAsOpaquePointer(),
      attrs.getDictionary(op->getContext()).getAsOpaquePointer(),
      cast<RankedTensorType>(op->getResult(0).getType())
          .clone(Float32Type::get(op->getContext()))
          .getAsOpaquePointer()};
  for (Value operand : op->getOperands()) {
    while (auto cast = operand.getDefiningOp<cma::CastOp>())
      operand = cast.getInput();
    key.push_back(operand.getAsOpaquePointer());
  }
  return key;
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
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast_or_null<scf::ForOp>(parent)) {
      if (std::optional<APInt> trips = loop.getStaticTripCount())
        count = llvm::SaturatingMultiply(count, trips->getLimitedValue());
    } else if (auto body = dyn_cast_or_null<tensor::GenerateOp>(parent)) {
      for (int64_t extent : body.getType().getShape())
        if (!ShapedType::isDynamic(extent))
          count =
              llvm::SaturatingMultiply(count, static_cast<uint64_t>(extent));
    }
  }
  return count;
}

std::string ValueNames::get(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, state);
  return text;
}
