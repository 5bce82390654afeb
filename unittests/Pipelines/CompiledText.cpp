//===- CompiledText.cpp - Compile and call .mlir text in a test -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the helpers of the tests of cma-to-cpu.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "cma/Pipelines/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace cma;
using namespace cma::test;

static constexpr unsigned char kFill = 0xA5;

static OwningOpRef<ModuleOp> lower(MLIRContext &context, StringRef text,
                                   const char *options,
                                   const char *train = nullptr) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {};
  PassManager pm = PassManager::on<ModuleOp>(&context);
  if (train)
    buildTrainPipeline(pm, *TrainOptions::createFromString(train));
  std::unique_ptr<ToCPUOptions> parsed =
      ToCPUOptions::createFromString(options);
  buildToCPUPipeline(pm, *parsed);
  if (failed(pm.run(*module)))
    return {};
  return module;
}

/// What an embedding compiler has to register, and no more.
static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerCMADialects(registry);
  return registry;
}

CompiledText::CompiledText(StringRef text, const char *options,
                           const char *train) {
  MLIRContext context(makeRegistry());
  OwningOpRef<ModuleOp> lowered = lower(context, text, options, train);
  if (!lowered) {
    ADD_FAILURE() << "the module does not compile";
    return;
  }
  auto compiled = CompiledModule::create(*lowered);
  if (!compiled)
    ADD_FAILURE() << llvm::toString(compiled.takeError());
  else
    module = std::move(*compiled);
}

const cma_entry *CompiledText::lookup(StringRef function) {
  auto entry = module->lookup(function);
  if (entry)
    return *entry;
  ADD_FAILURE() << llvm::toString(entry.takeError());
  return nullptr;
}

std::string cma::test::compileErrors(StringRef text) {
  MLIRContext context(makeRegistry());
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
  });
  if (!lower(context, text, "") && errors.empty())
    errors = "failed without a diagnostic";
  return errors;
}

static AlignedBuffer makeBuffer(uint64_t bytes) {
  StatusOr<AlignedBuffer> buffer = AlignedBuffer::create(bytes);
  if (!buffer.ok()) {
    ADD_FAILURE() << buffer.message();
    return {};
  }
  std::memset(buffer->data(), kFill, bytes);
  return std::move(*buffer);
}

static uint64_t getBytes(const cma_buffer_info &info) {
  uint64_t bytes = 1;
  switch (info.dtype) {
  case CMA_DTYPE_F64:
  case CMA_DTYPE_I64:
    bytes = 8;
    break;
  case CMA_DTYPE_F32:
  case CMA_DTYPE_I32:
    bytes = 4;
    break;
  case CMA_DTYPE_I16:
  case CMA_DTYPE_F16:
  case CMA_DTYPE_BF16:
    bytes = 2;
    break;
  default:
    break;
  }
  for (int32_t i = 0; i < info.rank; ++i)
    bytes *= info.shape[i];
  return bytes;
}

Call::Call(const cma_entry *entry) : entry(entry) {
  for (int32_t i = 0; i < entry->num_buffers; ++i)
    buffers.push_back(makeBuffer(getBytes(entry->buffers[i])));
  workspace = makeBuffer(entry->workspace_bytes);
  std::memset(&status, kFill, sizeof(status));
}

int32_t Call::run() {
  std::vector<void *> pointers;
  for (AlignedBuffer &buffer : buffers)
    pointers.push_back(buffer.data());
  return entry->call(pointers.data(), workspace.data(), &status);
}

bool Call::isUntouched(unsigned buffer) const {
  const auto *bytes = buffers[buffer].as<unsigned char>();
  return std::all_of(bytes, bytes + buffers[buffer].size(),
                     [](unsigned char byte) { return byte == kFill; });
}

void Call::expectBytes(unsigned buffer, size_t bytes) const {
  ASSERT_LT(buffer, buffers.size());
  ASSERT_EQ(bytes, buffers[buffer].size());
}
