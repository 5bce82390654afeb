//===- GlobalStrings.cpp - Text in compiled modules -----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file puts C strings into a module of the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "GlobalStrings.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cma;

FlatSymbolRefAttr cma::getStringGlobal(ModuleOp module, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  unsigned count = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with("cma_string_"))
      continue;
    ++count;
    auto value = dyn_cast_if_present<StringAttr>(global.getValueOrNull());
    if (value && value.getValue() == bytes)
      return FlatSymbolRefAttr::get(global);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      builder, module.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Private, "cma_string_" + std::to_string(count),
      builder.getStringAttr(bytes));
  return FlatSymbolRefAttr::get(global);
}

Value cma::createString(OpBuilder &builder, Location loc, ModuleOp module,
                        StringRef text) {
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      getStringGlobal(module, text).getAttr());
}

std::string cma::getLocationText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    loc->print(os);
  return text;
}
