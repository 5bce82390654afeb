//===- Program.cpp - A parsed .mlir file ----------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses models and picks functions of them.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Dialects.h"
#include "ExitCode.h"
#include "cma/Dialect/CMA/IR/CMADialect.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace cma;
using namespace cma::run;

Program::Program(StringRef path)
    : path(path.str()),
      context(createRegistry(), MLIRContext::Threading::DISABLED),
      diagnostics(sources, &context) {
  // The line at fault says more to a user than the generic form of an op.
  context.printOpOnDiagnostic(false);
}

/// A device or a pipe may never end.
static llvm::Error checkRegular(StringRef path) {
  llvm::sys::fs::file_status status;
  if (path == "-" || llvm::sys::fs::status(path, status) ||
      llvm::sys::fs::is_regular_file(status))
    return llvm::Error::success();
  return userError("cannot read '" + path + "': expected a regular file");
}

llvm::Expected<std::unique_ptr<Program>> Program::load(StringRef path) {
  if (llvm::Error error = checkRegular(path))
    return error;
  // The buffer that LLVM makes ends with a NUL, which MLIR's lexer needs.
  auto buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/true);
  if (!buffer)
    return userError("cannot read '" + path +
                     "': " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  size_t nul = text.find('\0');
  if (nul != StringRef::npos && !isBytecode(**buffer)) {
    size_t line = text.take_front(nul).count('\n') + 1;
    return userError("'" + path + "':" + Twine(line) +
                     ": expected text, got a NUL character");
  }
  std::unique_ptr<Program> program(new Program(path));
  program->sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  program->module =
      parseSourceFile<ModuleOp>(program->sources, &program->context);
  if (!program->module)
    return userError("cannot parse '" + path + "'");
  return program;
}

static bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// The text without comments, and with blanks only where they part two words.
static std::string normalise(StringRef text) {
  std::string result;
  bool blank = false;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
      blank = true;
      continue;
    }
    char c = text.front();
    if (llvm::isSpace(c)) {
      text = text.drop_front();
      blank = true;
      continue;
    }
    if (blank && !result.empty() && isNameChar(result.back()) && isNameChar(c))
      result += ' ';
    blank = false;
    // A string stands as it is, escaped quotes included.
    size_t size = 1;
    if (c == '"') {
      while (size < text.size() && text[size] != '"')
        size += text[size] == '\\' ? 2 : 1;
      size = std::min(size + 1, text.size());
    }
    result += text.take_front(size);
    text = text.drop_front(size);
  }
  return result;
}

std::string Program::getFingerprint() const {
  StringRef text =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  return llvm::utohexstr(llvm::xxh3_64bits(normalise(text)), /*LowerCase=*/true,
                         /*Width=*/16);
}

static bool hasLoss(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto role = function.getResultAttrOfType<StringAttr>(i, kRoleAttr);
    if (role && role == "loss")
      return true;
  }
  return false;
}

/// Public functions with a body, in module order.
static SmallVector<func::FuncOp> publicFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  return functions;
}

static SmallVector<func::FuncOp>
keepWithLoss(ArrayRef<func::FuncOp> functions) {
  SmallVector<func::FuncOp> kept;
  llvm::copy_if(functions, std::back_inserter(kept), hasLoss);
  return kept;
}

static std::string listNames(ArrayRef<func::FuncOp> functions) {
  if (functions.empty())
    return "none";
  return llvm::join(llvm::map_range(functions,
                                    [](func::FuncOp function) {
                                      return ("@" + function.getName()).str();
                                    }),
                    ", ");
}

llvm::Expected<func::FuncOp> Program::findTrainedFunction() {
  SmallVector<func::FuncOp> functions = publicFunctions(*module);
  SmallVector<func::FuncOp> withLoss = keepWithLoss(functions);
  if (withLoss.size() == 1)
    return withLoss.front();
  if (withLoss.empty())
    return userError("'" + path +
                     "': expected a public function with a result of role "
                     "\"loss\"; public functions: " +
                     listNames(functions));
  return userError("'" + path +
                   "': expected one public function with a loss, got " +
                   listNames(withLoss));
}

llvm::Expected<func::FuncOp> Program::findFunction(StringRef name) {
  SmallVector<func::FuncOp> functions = publicFunctions(*module);
  if (!name.empty()) {
    for (func::FuncOp function : functions)
      if (function.getName() == name)
        return function;
    return userError("'" + path + "': no public function @" + name +
                     "; public functions: " + listNames(functions));
  }
  if (functions.size() == 1)
    return functions.front();
  SmallVector<func::FuncOp> withLoss = keepWithLoss(functions);
  if (withLoss.size() == 1)
    return withLoss.front();
  if (functions.empty())
    return userError("'" + path + "': no public function");
  return userError("'" + path + "': name one of the public functions with " +
                   "--function: " + listNames(functions));
}
