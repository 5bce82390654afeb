//===- FunctionInfo.cpp - What a function says about itself ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the attributes and types of functions.
//
//===----------------------------------------------------------------------===//

#include "FunctionInfo.h"

#include "ExitCode.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "cma/Runtime/Safetensors.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cma;
using namespace cma::run;

bool cma::run::isFloat(StorageType type) {
  return type <= StorageType::F8_E5M2;
}

static std::optional<StorageType> toStorageType(Type type) {
  if (type.isSignlessInteger()) {
    switch (type.getIntOrFloatBitWidth()) {
    case 64:
      return StorageType::I64;
    case 32:
      return StorageType::I32;
    case 16:
      return StorageType::I16;
    case 8:
      return StorageType::I8;
    case 1:
      return StorageType::BOOL;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<StorageType>>(type)
      .Case([](Float64Type) { return StorageType::F64; })
      .Case([](Float32Type) { return StorageType::F32; })
      .Case([](Float16Type) { return StorageType::F16; })
      .Case([](BFloat16Type) { return StorageType::BF16; })
      .Case([](Float8E4M3FNType) { return StorageType::F8_E4M3; })
      .Case([](Float8E5M2Type) { return StorageType::F8_E5M2; })
      .Default([](Type) { return std::nullopt; });
}

static Initializer toInitializer(InitAttr attr) {
  using Kind = Initializer::Kind;
  switch (attr.getKind()) {
  case InitKind::Zeros:
    return {Kind::Constant, 0};
  case InitKind::Constant:
    return {Kind::Constant, attr.getValue()};
  case InitKind::Normal:
    return {Kind::Normal, attr.getStd()};
  case InitKind::Uniform:
    return {Kind::Uniform, attr.getLow(), attr.getHigh()};
  case InitKind::TTCore:
    return {Kind::TTCore, attr.getStd(), 0, attr.getCores()};
  }
  llvm_unreachable("all rules are listed");
}

/// Type and shape of argument or result `what`; an error for anything but a
/// tensor that a file can hold.
static llvm::Expected<std::pair<StorageType, std::vector<int64_t>>>
readType(Type type, func::FuncOp function, StringRef what, unsigned position) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<StorageType> element;
  if (tensor)
    element = toStorageType(tensor.getElementType());
  if (!element) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return userError(
        "@" + function.getName() + ": " + what + " " + Twine(position) +
        ": expected a ranked tensor of floats or integers, got " + text);
  }
  std::vector<int64_t> shape;
  for (int64_t extent : tensor.getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? kDynamic : extent);
  return std::make_pair(*element, std::move(shape));
}

static std::string readString(Attribute attr) {
  auto text = dyn_cast_or_null<StringAttr>(attr);
  return text ? text.str() : "";
}

/// Finds what would else fail only when the results are written, and names that
/// a position takes away.
static llvm::Error checkNames(const FunctionInfo &info) {
  if (!llvm::json::isUTF8(info.name))
    return userError("expected the name of a function in UTF-8, got " +
                     quoteForMessage(info.name));
  for (auto [i, argument] : llvm::enumerate(info.arguments)) {
    std::string place = "@" + info.name + ": argument " + std::to_string(i);
    if (!llvm::json::isUTF8(argument.name))
      return userError(place + ": expected a name in UTF-8, got " +
                       quoteForMessage(argument.name));
    if (argument.name == "__metadata__")
      return userError(place + ": safetensors files keep the name " +
                       quoteForMessage(argument.name) + " for themselves");
    if (info.find(argument.name) != &argument)
      return userError(place + ": the name " + quoteForMessage(argument.name) +
                       " is taken by an argument before it; without a "
                       "cma.name, the position is the name");
  }
  return llvm::Error::success();
}

llvm::Expected<FunctionInfo> FunctionInfo::get(func::FuncOp function) {
  FunctionInfo info;
  info.name = function.getName().str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto read = readType(type, function, "argument", i);
    if (!read)
      return read.takeError();
    ArgumentInfo argument;
    std::tie(argument.type, argument.shape) = *read;
    argument.name = readString(function.getArgAttr(i, kNameAttr));
    if (argument.name.empty())
      argument.name = std::to_string(i);
    argument.role = readString(function.getArgAttr(i, kRoleAttr));
    argument.viewOf = readString(function.getArgAttr(i, kViewOfAttr));
    if (auto init = function.getArgAttrOfType<InitAttr>(i, kInitAttr))
      argument.init = toInitializer(init);
    info.arguments.push_back(std::move(argument));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto read = readType(type, function, "result", i);
    if (!read)
      return read.takeError();
    ResultInfo result;
    std::tie(result.type, result.shape) = *read;
    result.role = readString(function.getResultAttr(i, kRoleAttr));
    result.gradient = readString(function.getResultAttr(i, kGradientAttr));
    info.results.push_back(std::move(result));
  }
  if (llvm::Error error = checkNames(info))
    return error;
  return info;
}

const ArgumentInfo *FunctionInfo::find(StringRef argument) const {
  for (const ArgumentInfo &candidate : arguments)
    if (candidate.name == argument)
      return &candidate;
  return nullptr;
}

void FunctionInfo::addArguments(const FunctionInfo &other) {
  for (const ArgumentInfo &argument : other.arguments)
    if (!find(argument.name))
      arguments.push_back(argument);
}

std::optional<unsigned> FunctionInfo::findResult(StringRef role) const {
  for (auto [i, result] : llvm::enumerate(results))
    if (result.role == role)
      return i;
  return std::nullopt;
}

std::string cma::run::formatDynamicShape(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape) {
    text += text.empty() ? "" : "x";
    text += extent == kDynamic ? "?" : std::to_string(extent);
  }
  return text;
}
