//===- CMADialect.cpp - The dialect --------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file registers the dialect's contents and verifies the attributes that
// it puts on function arguments and results.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cma;

#include "cma/Dialect/CMA/IR/CMADialect.cpp.inc"

void CMADialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "cma/Dialect/CMA/IR/CMAOps.cpp.inc"
      >();
}

Operation *CMADialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

bool cma::isLowFloat(Type type) {
  return isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

bool cma::isStorageFloat(Type type) {
  return isa<Float64Type, Float32Type>(type) || isLowFloat(type);
}

std::optional<int64_t> cma::checkedProduct(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  bool overflow = false;
  for (int64_t extent : extents) {
    if (extent == 0)
      return 0;
    if (!ShapedType::isDynamic(extent))
      overflow |= llvm::MulOverflow(product, extent, product);
  }
  return overflow ? std::nullopt : std::optional<int64_t>(product);
}

LogicalResult cma::verifyCheckedSizes(Operation *op) {
  auto check = [&](Type type, StringRef kind, unsigned index) -> LogicalResult {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank() || checkedProduct(shaped.getShape()))
      return success();
    return op->emitOpError()
           << "expected " << kind << " #" << index
           << " to have at most 2^63 - 1 elements, got " << type;
  };
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "operand", i))) // cma_c1
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "result", i))) // cma_c1
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of ops, arguments and results
//===----------------------------------------------------------------------===//

/// Whether `value` can name something, in C as well.
static bool isName(Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  return name && !name.empty() && !name.getValue().contains('\0');
}

/// cma_c8: something of `op` can be rounded.
static LogicalResult verifyPrecision(Operation *op, Attribute value) {
  if (!isa<PrecisionAttr>(value))
    return op->emitOpError() << "expected '" << kPrecisionAttr
                             << "' to be a #cma.precision, got " << value;
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  if (llvm::any_of(op->getOperandTypes(), isFloat) ||
      llvm::any_of(op->getResultTypes(), isFloat))
    return success();
  return op->emitOpError()
         << "expected an operand or a result of floats beside '"
         << kPrecisionAttr << "'";
}

/// cma_c11: one type a result; floats for tensors of floats.
static LogicalResult verifyResultTypes(Operation *op, Attribute value) {
  auto types = dyn_cast<ArrayAttr>(value);
  bool good = types && types.size() == op->getNumResults();
  if (good)
    for (auto [type, result] : llvm::zip(types, op->getResultTypes())) {
      auto attr = dyn_cast<TypeAttr>(type);
      bool isFloat = isa<FloatType>(getElementTypeOrSelf(result));
      good &= attr && isStorageFloat(attr.getValue()) == isFloat;
    }
  if (good)
    return success();
  return op->emitOpError() << "expected '" << kResultTypesAttr
                           << "' to hold one element type for each of the "
                           << op->getNumResults() << " results, got " << value;
}

LogicalResult CMADialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  if (attr.getName() == kPrecisionAttr)
    return verifyPrecision(op, attr.getValue());
  if (attr.getName() == kResultTypesAttr)
    return verifyResultTypes(op, attr.getValue());
  if (attr.getName() == kResultRangeAttr || attr.getName() == kEntryAttr)
    return success();
  if (attr.getName() != kNameAttr) // cma_c13
    return op->emitOpError()
           << "unknown attribute '" << attr.getName().getValue()
           << "'; those of ops are '" << kNameAttr << "', '" << kPrecisionAttr
           << "', '" << kResultTypesAttr << "', '" << kResultRangeAttr
           << "' and '" << kEntryAttr << "'";
  if (isName(attr.getValue()))
    return success();
  return op->emitOpError() << "expected '" << kNameAttr // cma_c7
                           << "' to be a non-empty string without NUL, got "
                           << attr.getValue();
}

static bool isArgumentRole(StringRef role) {
  return llvm::StringSwitch<bool>(role)
      .Cases({"parameter", "state", "data", "lr", "step", "cotangent", "view"},
             true)
      .Default(false);
}

/// cma_c10: bounds of floats.
static LogicalResult verifyRange(FunctionOpInterface func, unsigned index,
                                 Attribute value) {
  Type type = func.getArgumentTypes()[index];
  if (isa<RangeAttr>(value) && isa<FloatType>(getElementTypeOrSelf(type)))
    return success();
  return func.emitOpError()
         << "expected '" << kRangeAttr << "' of argument #" << index
         << " to be a #cma.range on floats, got " << value << " on " << type;
}

static bool isResultRole(StringRef role) {
  return llvm::StringSwitch<bool>(role)
      .Cases({"loss", "logits", "metric", "gradient", "found_inf"}, true)
      .Default(false);
}

static StringRef getString(DictionaryAttr attrs, StringRef name) {
  auto attr = attrs ? attrs.getAs<StringAttr>(name) : StringAttr();
  return attr ? attr.getValue() : StringRef();
}

/// cma_c12: the named argument exists, is a parameter, and has the same shape.
static LogicalResult verifyViewOf(FunctionOpInterface func, unsigned index,
                                  Attribute value) {
  auto view = dyn_cast<RankedTensorType>(func.getArgumentTypes()[index]);
  for (unsigned i = 0, e = func.getNumArguments(); i < e && view; ++i) {
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]);
    if (i != index && isName(value) && func.getArgAttr(i, kNameAttr) == value &&
        getString(func.getArgAttrDict(i), kRoleAttr) == "parameter" && type &&
        type.getShape() == view.getShape() &&
        isa<FloatType>(type.getElementType()) &&
        isa<FloatType>(view.getElementType()))
      return success();
  }
  return func.emitOpError()
         << "expected '" << kViewOfAttr << "' of argument #" << index
         << " to name a parameter of floats of the same shape, got " << value
         << " on " << func.getArgumentTypes()[index];
}

/// cma_c3: the name of argument `index` is a string that no earlier argument
/// has.
static LogicalResult verifyName(FunctionOpInterface func, unsigned index,
                                Attribute value) {
  if (!isName(value))
    return func.emitOpError()
           << "expected '" << kNameAttr << "' of argument #" << index
           << " to be a non-empty string without NUL, got " << value;
  for (unsigned i = 0; i < index; ++i)
    if (func.getArgAttr(i, kNameAttr) == value)
      return func.emitOpError()
             << "expected distinct argument names, got " << value
             << " for arguments #" << i << " and #" << index;
  return success();
}

/// cma_c4: floats take any rule, integers one that gives integers.
static bool canInitialise(Attribute value, Type type) {
  auto init = dyn_cast<InitAttr>(value);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!init || !shaped)
    return false;
  if (isa<FloatType>(shaped.getElementType()))
    return true;
  return shaped.getElementType().isSignlessInteger() &&
         (init.getKind() == InitKind::Zeros ||
          (init.getKind() == InitKind::Constant &&
           init.getFirst().isInteger()));
}

/// cma_c9: the named argument exists, is another one, and is a float scalar.
static LogicalResult verifyScaledBy(FunctionOpInterface func, unsigned index,
                                    Attribute value) {
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]);
    if (i != index && isName(value) && func.getArgAttr(i, kNameAttr) == value &&
        type && type.getRank() == 0 && isa<FloatType>(type.getElementType()))
      return success();
  }
  return func.emitOpError()
         << "expected '" << kScaledByAttr << "' of argument #" << index
         << " to name another argument, a scalar floating-point tensor, got "
         << value;
}

LogicalResult CMADialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argIndex,
                                                   NamedAttribute attr) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitOpError()
           << "expected a function to carry '" << attr.getName() << "'";
  StringRef name = attr.getName();
  Type type = func.getArgumentTypes()[argIndex];

  if (name == kRoleAttr) {
    auto role = dyn_cast<StringAttr>(attr.getValue());
    if (!role || !isArgumentRole(role)) // cma_c2
      return op->emitOpError()
             << "expected '" << kRoleAttr << "' of argument #" << argIndex
             << " to be \"parameter\", \"state\", \"data\", \"lr\", "
                "\"step\", \"cotangent\" or \"view\", got "
             << attr.getValue();
    if ((role == "parameter" || role == "state") &&
        !func.getArgAttr(argIndex, kNameAttr)) // cma_c3
      return op->emitOpError()
             << "expected argument #" << argIndex << " of role " << role
             << " to have a '" << kNameAttr << "'";
    return success();
  }
  if (name == kNameAttr)
    return verifyName(func, argIndex, attr.getValue());
  if (name == kInitAttr) {
    if (canInitialise(attr.getValue(), type)) // cma_c4
      return success();
    return op->emitOpError()
           << "expected '" << kInitAttr << "' of argument #" << argIndex
           << " to be a #cma.init on a floating-point tensor, or zeros or a "
              "whole constant on a tensor of integers, got "
           << attr.getValue() << " on " << type;
  }
  if (name == kScaledByAttr)
    return verifyScaledBy(func, argIndex, attr.getValue());
  if (name == kViewOfAttr)
    return verifyViewOf(func, argIndex, attr.getValue());
  if (name == kRangeAttr)
    return verifyRange(func, argIndex, attr.getValue());
  return op->emitOpError() << "unknown argument attribute '" << name << "'";
}

/// cma_c6: a scalar, and the only result of its role.
static LogicalResult verifyLoss(FunctionOpInterface func, unsigned index) {
  auto type = dyn_cast<RankedTensorType>(func.getResultTypes()[index]);
  if (!type || type.getRank() != 0 || !isa<FloatType>(type.getElementType()))
    return func.emitOpError()
           << "expected result #" << index
           << " of role \"loss\" to be a scalar floating-point tensor, got "
           << func.getResultTypes()[index];
  for (unsigned i = 0; i < index; ++i)
    if (getString(func.getResultAttrDict(i), kRoleAttr) == "loss")
      return func.emitOpError() << "expected one result of role \"loss\", got #"
                                << i << " and #" << index;
  return success();
}

/// cma_c5: the named argument exists, has the result's type, and is updated
/// once.
static LogicalResult verifyUpdates(FunctionOpInterface func, unsigned index,
                                   Attribute value) {
  Type type = func.getResultTypes()[index];
  for (unsigned i = 0; i < index; ++i)
    if (func.getResultAttr(i, kUpdatesAttr) == value)
      return func.emitOpError() << "expected one result that updates argument "
                                << value << ", got #" << i << " and #" << index;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    if (func.getArgAttr(i, kNameAttr) != value)
      continue;
    if (func.getArgumentTypes()[i] == type)
      return success();
    return func.emitOpError()
           << "expected result #" << index << " to have the type of argument "
           << value << ", which it updates: " << func.getArgumentTypes()[i]
           << ", got " << type;
  }
  return func.emitOpError() << "expected '" << kUpdatesAttr << "' of result #"
                            << index << " to name an argument, got " << value;
}

LogicalResult CMADialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned resultIndex,
                                                      NamedAttribute attr) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitOpError()
           << "expected a function to carry '" << attr.getName() << "'";
  StringRef name = attr.getName();
  if (name == kRoleAttr) {
    auto role = dyn_cast<StringAttr>(attr.getValue());
    if (!role || !isResultRole(role)) // cma_c2
      return op->emitOpError()
             << "expected '" << kRoleAttr << "' of result #" << resultIndex
             << " to be \"loss\", \"logits\", \"metric\", \"gradient\" or "
                "\"found_inf\", got "
             << attr.getValue();
    return role == "loss" ? verifyLoss(func, resultIndex) : success();
  }
  if (name == kUpdatesAttr)
    return verifyUpdates(func, resultIndex, attr.getValue());
  if (name == kNameAttr || name == kGradientAttr) {
    if (isName(attr.getValue()))
      return success();
    return op->emitOpError() // cma_c7
           << "expected '" << name << "' of result #" << resultIndex
           << " to be a non-empty string without NUL, got " << attr.getValue();
  }
  return op->emitOpError() << "unknown result attribute '" << name << "'";
}
