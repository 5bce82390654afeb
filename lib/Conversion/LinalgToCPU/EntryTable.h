//===- EntryTable.h - What a compiled entry takes and gives -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the description of an entry that the passes hand on from
// the function's tensor signature to the C table of
// include/cma/Runtime/Entry.h.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_CONVERSION_LINALGTOCPU_ENTRYTABLE_H
#define CMA_LIB_CONVERSION_LINALGTOCPU_ENTRYTABLE_H

#include "cma/Dialect/CMA/IR/CMADialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <string>
#include <vector>

namespace cma {

/// Words of 64 bits in a cma_status. The reserved half of the first word is
/// zero.
struct StatusWord {
  static constexpr int32_t kCode = 0;
  static constexpr int32_t kIndex = 1;
  static constexpr int32_t kValue = 2;
  static constexpr int32_t kLimit = 3;
  static constexpr int32_t kArgument = 4;
  static constexpr int32_t kLocation = 5;
  static constexpr int32_t kCount = 6;
};

/// One row of cma_entry::buffers.
struct EntryBuffer {
  std::string name;
  std::string role;
  mlir::RankedTensorType type;
  bool isResult = false;
  bool donated = false;
};

/// A cma_entry at compile time. It travels as a dictionary in the function's
/// `cma.entry`, so that every stage prints as valid IR.
struct EntryTable {
  /// Name of the public function that the entry was made of.
  std::string name;
  /// The arguments, then every result that does not update an argument.
  std::vector<EntryBuffer> buffers;
  /// Buffer of each result.
  std::vector<int32_t> resultBuffers;
  int64_t workspaceBytes = 0;

  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
  /// The table in `attr`; nothing if that is not one.
  static std::optional<EntryTable> fromAttr(mlir::Attribute attr);
};

/// The cma_dtype of an element type; nothing where an entry cannot take it.
std::optional<int32_t> getEntryDtype(mlir::Type elementType);

} // namespace cma

#endif // CMA_LIB_CONVERSION_LINALGTOCPU_ENTRYTABLE_H
