//===- Differentiated.cpp - A function and its gradient, compiled ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the compilation and the calls of the gradient tests.
//
//===----------------------------------------------------------------------===//

#include "Differentiated.h"

#include "cma/Pipelines/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace cma;
using namespace cma::test;

static const char kPipeline[] =
    "cma-expand-layers,cma-plan-contractions{wanted=all},"
    "cma-differentiate{function=f},cma-to-cpu";

/// Names that parsePassPipeline knows; registered once a process.
static void registerOnce() {
  static const bool registered = [] {
    registerCMAPasses();
    registerCMAPipelines();
    return true;
  }();
  (void)registered;
}

static std::unique_ptr<CompiledModule> compile(StringRef text) {
  registerOnce();
  DialectRegistry registry;
  registerCMADialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PassManager pm = PassManager::on<ModuleOp>(&context);
  if (!module || failed(parsePassPipeline(kPipeline, pm)) ||
      failed(pm.run(*module))) {
    ADD_FAILURE() << "the module does not compile:\n" << text.str();
    return nullptr;
  }
  auto compiled = CompiledModule::create(*module);
  if (compiled)
    return std::move(*compiled);
  ADD_FAILURE() << llvm::toString(compiled.takeError());
  return nullptr;
}

static const cma_entry *lookup(CompiledModule &module, StringRef function) {
  auto entry = module.lookup(function);
  if (entry)
    return *entry;
  ADD_FAILURE() << llvm::toString(entry.takeError());
  return nullptr;
}

Differentiated::Differentiated(StringRef text) : module(compile(text)) {
  if (!module)
    return;
  forward = lookup(*module, "f");
  backward = lookup(*module, "f_backward");
}

static AlignedBuffer allocate(uint64_t bytes) {
  StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(bytes);
  if (buffer.ok())
    return std::move(*buffer);
  ADD_FAILURE() << buffer.message();
  return {};
}

static int64_t getWidth(int32_t dtype) {
  switch (dtype) {
  case CMA_DTYPE_F64:
  case CMA_DTYPE_I64:
    return 8;
  case CMA_DTYPE_F32:
  case CMA_DTYPE_I32:
    return 4;
  case CMA_DTYPE_I1:
    return 1;
  default:
    ADD_FAILURE() << "unexpected element type " << dtype;
    return 8;
  }
}

Invocation::Invocation(const cma_entry *entry)
    : entry(entry), workspace(allocate(entry->workspace_bytes)) {
  for (int i = 0; i < entry->num_buffers; ++i)
    buffers.push_back(allocate(elements(i) * getWidth(info(i).dtype)));
}

int64_t Invocation::elements(int buffer) const {
  int64_t count = 1;
  for (int32_t axis = 0; axis < info(buffer).rank; ++axis)
    count *= info(buffer).shape[axis];
  return count;
}

void Invocation::call() {
  std::vector<void *> pointers;
  for (AlignedBuffer &buffer : buffers)
    pointers.push_back(buffer.data());
  cma_status status = {};
  EXPECT_EQ(entry->call(pointers.data(), workspace.data(), &status), 0)
      << "at " << (status.location ? status.location : "?");
}
