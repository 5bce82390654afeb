//===- EntryTable.cpp - What a compiled entry takes and gives -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file converts entry descriptions to attributes and back.
//
//===----------------------------------------------------------------------===//

#include "EntryTable.h"

#include "cma/Runtime/Entry.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cma;

std::optional<int32_t> cma::getEntryDtype(Type elementType) {
  if (elementType.isF64())
    return CMA_DTYPE_F64;
  if (elementType.isF32())
    return CMA_DTYPE_F32;
  if (elementType.isF16())
    return CMA_DTYPE_F16;
  if (elementType.isBF16())
    return CMA_DTYPE_BF16;
  if (isa<Float8E4M3FNType>(elementType))
    return CMA_DTYPE_F8E4M3FN;
  if (isa<Float8E5M2Type>(elementType))
    return CMA_DTYPE_F8E5M2;
  if (elementType.isSignlessInteger(64))
    return CMA_DTYPE_I64;
  if (elementType.isSignlessInteger(32))
    return CMA_DTYPE_I32;
  if (elementType.isSignlessInteger(16))
    return CMA_DTYPE_I16;
  if (elementType.isSignlessInteger(8))
    return CMA_DTYPE_I8;
  if (elementType.isSignlessInteger(1))
    return CMA_DTYPE_I1;
  return std::nullopt;
}

static StringRef getKind(const EntryBuffer &buffer) {
  if (buffer.isResult)
    return "result";
  return buffer.donated ? "donated" : "argument";
}

DictionaryAttr EntryTable::toAttr(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<Attribute> rows;
  for (const EntryBuffer &buffer : buffers)
    rows.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("kind", builder.getStringAttr(getKind(buffer))),
         builder.getNamedAttr("name", builder.getStringAttr(buffer.name)),
         builder.getNamedAttr("role", builder.getStringAttr(buffer.role)),
         builder.getNamedAttr("type", TypeAttr::get(buffer.type))}));
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("buffers", builder.getArrayAttr(rows)),
       builder.getNamedAttr("name", builder.getStringAttr(name)),
       builder.getNamedAttr("results",
                            builder.getDenseI32ArrayAttr(resultBuffers)),
       builder.getNamedAttr("workspace",
                            builder.getI64IntegerAttr(workspaceBytes))});
}

static std::optional<EntryBuffer> rowFromAttr(Attribute attr) {
  auto row = dyn_cast<DictionaryAttr>(attr);
  if (!row)
    return std::nullopt;
  auto kind = row.getAs<StringAttr>("kind");
  auto name = row.getAs<StringAttr>("name");
  auto role = row.getAs<StringAttr>("role");
  auto type = row.getAs<TypeAttr>("type");
  auto tensor =
      type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
  if (!kind || !name || !role || !tensor)
    return std::nullopt;
  return EntryBuffer{name.str(), role.str(), tensor, kind == "result",
                     kind == "donated"};
}

std::optional<EntryTable> EntryTable::fromAttr(Attribute attr) {
  auto table = dyn_cast_if_present<DictionaryAttr>(attr);
  if (!table)
    return std::nullopt;
  auto name = table.getAs<StringAttr>("name");
  auto rows = table.getAs<ArrayAttr>("buffers");
  auto results = table.getAs<DenseI32ArrayAttr>("results");
  auto workspace = table.getAs<IntegerAttr>("workspace");
  if (!name || !rows || !results || !workspace)
    return std::nullopt;
  EntryTable entry;
  entry.name = name.str();
  for (Attribute row : rows) {
    std::optional<EntryBuffer> buffer = rowFromAttr(row);
    if (!buffer)
      return std::nullopt;
    entry.buffers.push_back(std::move(*buffer));
  }
  entry.resultBuffers.assign(results.asArrayRef().begin(),
                             results.asArrayRef().end());
  entry.workspaceBytes = workspace.getInt();
  return entry;
}
