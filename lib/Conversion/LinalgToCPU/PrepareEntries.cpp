//===- PrepareEntries.cpp - Public functions take buffers -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the cma-prepare-entries pass.
//
//===----------------------------------------------------------------------===//

#include "EntryTable.h"

#include "cma/Conversion/Passes.h"
#include "cma/Dialect/CMA/IR/CMAOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace cma {
#define GEN_PASS_DEF_PREPAREENTRIESPASS
#include "cma/Conversion/Passes.h.inc"
} // namespace cma

using namespace mlir;
using namespace cma;

//===----------------------------------------------------------------------===//
// What can be compiled
//===----------------------------------------------------------------------===//

/// Whether memory can hold a tensor of that static shape.
static bool isAddressable(TensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  std::optional<int64_t> count = checkedProduct(type.getShape());
  int64_t bytes;
  return count &&
         !llvm::MulOverflow<int64_t>(*count, llvm::divideCeil(bits, 8), bytes);
}

/// Reports a tensor type that the CPU lowering cannot hold.
static LogicalResult verifyTensorType(Type type,
                                      function_ref<InFlightDiagnostic()> emit) {
  auto shaped = dyn_cast<TensorType>(type);
  if (!shaped)
    return success();
  if (!shaped.hasRank() || !shaped.hasStaticShape())
    return emit() << "expected a static shape, got " << type;
  Type element = shaped.getElementType();
  if (!getEntryDtype(element) && !element.isIndex())
    return emit() << "expected elements of type f64, f32, f16, bf16, f8E4M3FN, "
                     "f8E5M2, i1, i8, i16, i32, i64 or index, got "
                  << type;
  if (!isAddressable(shaped))
    return emit() << "expected at most 2^63 - 1 bytes, got " << type;
  return success();
}

static LogicalResult verifyBody(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("expected a body of one block, got ")
           << func.getBody().getBlocks().size();
  WalkResult result = func.walk([&](Operation *op) -> WalkResult {
    auto emit = [&] { return op->emitOpError(); };
    if (isa<func::CallOp>(op))
      return emit() << "expected calls to be inlined";
    if (isa<CMADialect>(op->getDialect()) && !isa<CheckLabelsOp>(op))
      return emit() << "expected the op to be lowered to linalg";
    if (isa<scf::WhileOp>(op) &&
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      return emit() << "expected a loop with a counter (scf.for) where tensors "
                       "are carried";
    for (Type type : op->getResultTypes())
      if (failed(verifyTensorType(type, emit)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(verifyTensorType(argument.getType(), emit)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyBoundaryType(func::FuncOp func, StringRef kind,
                                        unsigned index, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !getEntryDtype(tensor.getElementType()))
    return func.emitOpError()
           << "expected " << kind << " #" << index
           << " to be a tensor of static shape with elements of type f64, "
              "f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got "
           << type;
  if (!isAddressable(tensor))
    return func.emitOpError()
           << "expected " << kind << " #" << index
           << " to have at most 2^63 - 1 bytes, got " << type;
  return success();
}

static LogicalResult verifyEntry(func::FuncOp func) {
  if (func.isDeclaration())
    return func.emitOpError("expected a body");
  if (func.getSymName().contains('\0'))
    return func.emitOpError("expected a name without NUL");
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (failed(verifyBoundaryType(func, "argument", index, type)))
      return failure();
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (failed(verifyBoundaryType(func, "result", index, type)))
      return failure();
  return verifyBody(func);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string getStringOr(Attribute attr, StringRef otherwise) {
  auto string = dyn_cast_if_present<StringAttr>(attr);
  return string ? string.str() : otherwise.str();
}

/// The argument that result `result` updates, if any. The dialect has verified
/// that there is one argument of that name and type, and one such result.
static std::optional<unsigned> getUpdatedArgument(func::FuncOp func,
                                                  unsigned result) {
  Attribute updates = func.getResultAttr(result, kUpdatesAttr);
  for (unsigned i = 0; updates && i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, kNameAttr) == updates)
      return i;
  return std::nullopt;
}

static EntryTable buildTable(func::FuncOp func) {
  EntryTable table;
  table.name = func.getSymName().str();
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    table.buffers.push_back(
        {getStringOr(func.getArgAttr(i, kNameAttr), std::to_string(i)),
         getStringOr(func.getArgAttr(i, kRoleAttr), ""),
         cast<RankedTensorType>(func.getArgumentTypes()[i])});
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    if (std::optional<unsigned> updated = getUpdatedArgument(func, i)) {
      table.buffers[*updated].donated = true;
      table.resultBuffers.push_back(*updated);
      continue;
    }
    Attribute gradientOf = func.getResultAttr(i, kGradientAttr);
    std::string name = getStringOr(gradientOf, std::to_string(i));
    table.resultBuffers.push_back(table.buffers.size());
    table.buffers.push_back(
        {getStringOr(func.getResultAttr(i, kNameAttr), name),
         getStringOr(func.getResultAttr(i, kRoleAttr),
                     gradientOf ? "gradient" : ""),
         cast<RankedTensorType>(func.getResultTypes()[i]),
         /*isResult=*/true});
  }
  return table;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

static MemRefType getBufferType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Turns the arguments into memrefs and reads each of them once.
static void rewriteArguments(func::FuncOp func, const EntryTable &table) {
  Block &block = func.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (auto [argument, buffer] :
       llvm::zip(block.getArguments(), table.buffers)) {
    argument.setType(getBufferType(buffer.type));
    auto tensor = bufferization::ToTensorOp::create(
        builder, argument.getLoc(), buffer.type, argument, /*restrict=*/true,
        /*writable=*/buffer.donated);
    argument.replaceAllUsesExcept(tensor, tensor);
  }
}

/// Writes every returned tensor to its buffer. An updated argument comes last:
/// its old value may be returned as well.
static void rewriteReturn(func::FuncOp func, const EntryTable &table) {
  Block &block = func.getBody().front();
  auto ret = cast<func::ReturnOp>(block.getTerminator());
  OpBuilder builder(ret);
  for (bool donated : {false, true})
    for (auto [value, buffer] :
         llvm::zip_equal(ret.getOperands(), table.resultBuffers)) {
      if (table.buffers[buffer].donated != donated)
        continue;
      bufferization::MaterializeInDestinationOp::create(
          builder, ret.getLoc(), /*result=*/Type(), value,
          block.getArgument(buffer), /*restrict=*/true, /*writable=*/true);
    }
  ret->setOperands({});
}

static void rewriteFunction(func::FuncOp func, const EntryTable &table) {
  Block &block = func.getBody().front();
  MLIRContext *context = func.getContext();
  rewriteArguments(func, table);
  for (const EntryBuffer &buffer : table.buffers)
    if (buffer.isResult)
      block.addArgument(getBufferType(buffer.type), func.getLoc());
  block.addArgument(
      MemRefType::get({StatusWord::kCount}, IntegerType::get(context, 64)),
      func.getLoc());
  rewriteReturn(func, table);
  func.setAllArgAttrs(ArrayRef<DictionaryAttr>());
  func.setAllResultAttrs(ArrayRef<DictionaryAttr>());
  func.setType(
      FunctionType::get(context, block.getArgumentTypes(), TypeRange()));
  func->setAttr(kEntryAttr, table.toAttr(context));
}

namespace {
struct PrepareEntries : cma::impl::PrepareEntriesPassBase<PrepareEntries> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!func.isPublic() || func->hasAttr(kEntryAttr))
        continue;
      if (failed(verifyEntry(func)))
        return signalPassFailure();
      EntryTable table = buildTable(func);
      rewriteFunction(func, table);
      // A user's function may be called `main` or `expf`; only the entry's name
      // is seen from outside.
      std::string bodyName = "cma_body_" + table.name;
      while (symbols.lookup(bodyName))
        bodyName += '_';
      (void)symbols.rename(func, bodyName);
    }
  }
};
} // namespace
