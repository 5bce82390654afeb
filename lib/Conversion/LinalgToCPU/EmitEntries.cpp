//===- EmitEntries.cpp - The C side of a compiled function ----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-emit-entries pass: the table and the call of
// include/cma/Runtime/Entry.h as ops of the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "EntryTable.h"
#include "GlobalStrings.h"
#include "KernelBuilder.h"

#include "cma/Conversion/Passes.h"
#include "cma/Runtime/Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace cma {
#define GEN_PASS_DEF_EMITENTRIESPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

namespace {
/// Writes the entry of one function.
class EntryEmitter {
public:
  EntryEmitter(LLVM::LLVMFuncOp body, const EntryTable &table)
      : body(body), table(table), module(body->getParentOfType<ModuleOp>()),
        builder(body.getContext()), loc(body.getLoc()),
        pointer(LLVM::LLVMPointerType::get(body.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  LogicalResult run();

private:
  LogicalResult verifySignature();
  void annotateBody();
  LLVM::LLVMFuncOp emitCall();
  LLVM::GlobalOp emitArray(const Twine &name, Type element, unsigned size,
                           Attribute value);
  FlatSymbolRefAttr emitShape(unsigned number);
  FlatSymbolRefAttr emitBuffers();
  FlatSymbolRefAttr emitResultBuffers();
  void emitTable(LLVM::LLVMFuncOp call);

  Value integer(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  /// The address of a global or function; the null pointer for none.
  Value address(FlatSymbolRefAttr symbol) {
    if (!symbol)
      return LLVM::ZeroOp::create(builder, loc, pointer);
    return LLVM::AddressOfOp::create(builder, loc, pointer, symbol.getAttr());
  }
  Value string(StringRef text) {
    return address(getStringGlobal(module, text));
  }
  /// A struct or array value with the given members.
  Value aggregate(Type type, ArrayRef<Value> members) {
    Value result = LLVM::UndefOp::create(builder, loc, type);
    for (auto [position, member] : llvm::enumerate(members))
      result = LLVM::InsertValueOp::create(builder, loc, result, member,
                                           ArrayRef<int64_t>(position));
    return result;
  }
  /// Globals and functions are made in front of the body.
  void atModuleLevel() { builder.setInsertionPoint(body); }
  LLVM::GlobalOp emitGlobal(Type type, const Twine &name, LLVM::Linkage linkage,
                            function_ref<Value()> makeValue);

  LLVM::LLVMFuncOp body;
  const EntryTable &table;
  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Type pointer, i32, i64;
};
} // namespace

/// The body takes every buffer, the status and the workspace, as pointers.
LogicalResult EntryEmitter::verifySignature() {
  size_t expected = table.buffers.size() + 2;
  if (body.getNumArguments() != expected ||
      !llvm::all_of(body.getArgumentTypes(),
                    llvm::IsaPred<LLVM::LLVMPointerType>))
    return body.emitOpError("expected ")
           << expected << " pointer arguments, got " << body.getFunctionType();
  return success();
}

/// Tells LLVM what the ABI promises, and hides the body.
void EntryEmitter::annotateBody() {
  body.setLinkage(LLVM::Linkage::Internal);
  unsigned status = table.buffers.size();
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    builder.getUnitAttr());
    if (i != status)
      body.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(CMA_BUFFER_ALIGNMENT));
    if (i < status && !table.buffers[i].isResult && !table.buffers[i].donated)
      body.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                      builder.getUnitAttr());
  }
  body->removeAttr(kEntryAttr);
}

/// int32_t call(void *const *buffers, void *workspace, cma_status *status)
LLVM::LLVMFuncOp EntryEmitter::emitCall() {
  atModuleLevel();
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer});
  auto call = LLVM::LLVMFuncOp::create(builder, loc, "cma_call_" + table.name,
                                       type, LLVM::Linkage::Internal);
  Block *block = call.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  Value buffers = block->getArgument(0);
  Value status = block->getArgument(2);
  auto element = [&](Value base, Type elementType, int32_t index) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, elementType, base,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  for (int32_t word = 0; word < StatusWord::kArgument; ++word)
    LLVM::StoreOp::create(builder, loc, integer(i64, 0),
                          element(status, i64, word));
  for (int32_t word : {StatusWord::kArgument, StatusWord::kLocation})
    LLVM::StoreOp::create(builder, loc, string(""), element(status, i64, word));
  SmallVector<Value> arguments;
  for (int32_t i = 0, e = table.buffers.size(); i < e; ++i)
    arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer,
                                             element(buffers, pointer, i)));
  arguments.append({status, block->getArgument(1)});
  LLVM::CallOp::create(builder, loc, body, arguments);
  LLVM::ReturnOp::create(builder, loc,
                         LLVM::LoadOp::create(builder, loc, i32, status));
  return call;
}

LLVM::GlobalOp EntryEmitter::emitArray(const Twine &name, Type element,
                                       unsigned size, Attribute value) {
  atModuleLevel();
  return LLVM::GlobalOp::create(
      builder, loc, LLVM::LLVMArrayType::get(element, size),
      /*isConstant=*/true, LLVM::Linkage::Private, name.str(), value);
}

/// A constant with an initialiser that `makeValue` builds.
LLVM::GlobalOp EntryEmitter::emitGlobal(Type type, const Twine &name,
                                        LLVM::Linkage linkage,
                                        function_ref<Value()> makeValue) {
  atModuleLevel();
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, linkage,
                             name.str(), /*value=*/Attribute());
  builder.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, makeValue());
  return global;
}

FlatSymbolRefAttr EntryEmitter::emitShape(unsigned number) {
  ArrayRef<int64_t> shape = table.buffers[number].type.getShape();
  if (shape.empty())
    return {};
  return FlatSymbolRefAttr::get(
      emitArray("cma_shape_" + table.name + "_" + Twine(number), i64,
                shape.size(), builder.getI64TensorAttr(shape)));
}

FlatSymbolRefAttr EntryEmitter::emitBuffers() {
  if (table.buffers.empty())
    return {};
  SmallVector<FlatSymbolRefAttr> shapes;
  for (unsigned i = 0; i < table.buffers.size(); ++i)
    shapes.push_back(emitShape(i));
  auto row = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {pointer, pointer, i32, i32, pointer, i32, i32});
  auto type = LLVM::LLVMArrayType::get(row, table.buffers.size());
  auto makeRows = [&]() -> Value {
    SmallVector<Value> rows;
    for (auto [buffer, shape] : llvm::zip_equal(table.buffers, shapes))
      rows.push_back(aggregate(
          row, {string(buffer.name), string(buffer.role),
                integer(i32, *getEntryDtype(buffer.type.getElementType())),
                integer(i32, buffer.type.getRank()), address(shape),
                integer(i32, buffer.isResult), integer(i32, buffer.donated)}));
    return aggregate(type, rows);
  };
  return FlatSymbolRefAttr::get(emitGlobal(type, "cma_buffers_" + table.name,
                                           LLVM::Linkage::Private, makeRows));
}

FlatSymbolRefAttr EntryEmitter::emitResultBuffers() {
  if (table.resultBuffers.empty())
    return {};
  return FlatSymbolRefAttr::get(
      emitArray("cma_results_" + table.name, i32, table.resultBuffers.size(),
                builder.getI32TensorAttr(table.resultBuffers)));
}

void EntryEmitter::emitTable(LLVM::LLVMFuncOp call) {
  FlatSymbolRefAttr buffers = emitBuffers();
  FlatSymbolRefAttr results = emitResultBuffers();
  int64_t arguments = llvm::count_if(
      table.buffers, [](const EntryBuffer &row) { return !row.isResult; });
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      {i32, i32, i32, i32, pointer, pointer, pointer, i64, pointer});
  auto makeEntry = [&]() -> Value {
    return aggregate(
        type,
        {integer(i32, CMA_ENTRY_ABI_VERSION),
         integer(i32, table.buffers.size()), integer(i32, arguments),
         integer(i32, table.resultBuffers.size()), string(table.name),
         address(buffers), address(results), integer(i64, table.workspaceBytes),
         address(FlatSymbolRefAttr::get(call))});
  };
  emitGlobal(type, "cma_entry_" + table.name, LLVM::Linkage::External,
             makeEntry);
}

LogicalResult EntryEmitter::run() {
  if (failed(verifySignature()))
    return failure();
  annotateBody();
  emitTable(emitCall());
  return success();
}

/// Reports the first op that the conversions left behind.
static LogicalResult verifyLowered(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (op == module || isa_and_present<LLVM::LLVMDialect, omp::OpenMPDialect>(
                            op->getDialect()))
      return WalkResult::advance();
    return op->emitOpError("has no lowering to the LLVM dialect");
  });
  return failure(result.wasInterrupted());
}

/// Hands on what was said about a loop: the conversions from scf keep it on the
/// jump, but under a name that the translation to LLVM IR does not read.
static void adoptLoopAnnotations(ModuleOp module) {
  StringRef name = kLoopAnnotation;
  auto adopt = [&](auto jump) {
    if (Attribute annotation = jump->removeDiscardableAttr(name))
      jump.setLoopAnnotationAttr(cast<LLVM::LoopAnnotationAttr>(annotation));
  };
  module.walk([&](Operation *op) {
    if (auto jump = dyn_cast<LLVM::BrOp>(op))
      adopt(jump);
    else if (auto branch = dyn_cast<LLVM::CondBrOp>(op))
      adopt(branch);
  });
}

namespace {
struct EmitEntries : cma::impl::EmitEntriesPassBase<EmitEntries> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyLowered(module)))
      return signalPassFailure();
    adoptLoopAnnotations(module);
    for (auto body : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>())) {
      std::optional<EntryTable> table =
          EntryTable::fromAttr(body->getAttr(kEntryAttr));
      if (table && failed(EntryEmitter(body, *table).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
