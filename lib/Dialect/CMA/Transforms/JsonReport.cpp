//===- JsonReport.cpp - Reports on the functions of a module --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes the reports of passes.
//
//===----------------------------------------------------------------------===//

#include "JsonReport.h"

#include "cma/Runtime/AtomicFile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cma;

LogicalResult cma::writeJsonReport(
    Location loc, const std::string &path,
    function_ref<LogicalResult(llvm::json::OStream &)> writeFunctions) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  LogicalResult result = success();
  json.object([&] {
    json.attributeArray("functions", [&] { result = writeFunctions(json); });
  });
  stream << '\n';
  if (failed(result) || path.empty())
    return result;
  Status status = writeFileAtomically(path, text);
  if (status.ok())
    return success();
  return emitError(loc) << "invalid option 'report': " << status.message();
}
