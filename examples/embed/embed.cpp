//===- embed.cpp - CMA inside another program -----------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses a model, compiles its training step in this process and
// calls it through the C ABI of cma/Runtime/Entry.h: a tensor-train layer
// learns to reverse its input.
//
//===----------------------------------------------------------------------===//

#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/Pipelines/Registration.h"
#include "cma/Runtime/AlignedBuffer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const char model[] = R"mlir(
func.func @model(
    %x: tensor<?x4xf32> {cma.role = "data", cma.name = "x"},
    %y: tensor<?x4xf32> {cma.role = "data", cma.name = "y"},
    %g0: tensor<1x4x4xf32> {cma.role = "parameter", cma.name = "g0"},
    %g1: tensor<4x4x1xf32> {cma.role = "parameter", cma.name = "g1"})
    -> (tensor<f32> {cma.role = "loss"}) {
  %p = cma.tt_linear %x, (%g0), (%g1)
      : tensor<?x4xf32>, (tensor<1x4x4xf32>), (tensor<4x4x1xf32>) -> tensor<?x4xf32>
  %loss = cma.mse %p, %y : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
)mlir";

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "embed: error: %s\n", message.c_str());
  std::exit(1);
}

/// From text to machine code: the training step for batches of eight samples.
static std::unique_ptr<cma::CompiledModule> compile() {
  mlir::DialectRegistry registry;
  cma::registerCMADialects(registry);
  cma::registerCMAPasses();
  cma::registerCMAPipelines();

  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(model, &context);
  if (!module)
    fail("the model does not parse");

  mlir::PassManager pm(&context);
  if (failed(mlir::parsePassPipeline("cma-train{batch=8},cma-to-cpu", pm)) ||
      failed(pm.run(*module)))
    fail("the model does not compile");
  auto compiled = cma::CompiledModule::create(*module);
  if (!compiled)
    fail(llvm::toString(compiled.takeError()));
  return std::move(*compiled);
}

/// Memory of a call: one buffer for each entry of the table, and the workspace.
struct Memory {
  explicit Memory(const cma_entry &entry) {
    for (int32_t i = 0; i < entry.num_buffers; ++i) {
      const cma_buffer_info &info = entry.buffers[i];
      uint64_t bytes = info.dtype == CMA_DTYPE_I64 ? 8 : 4;
      for (int32_t axis = 0; axis < info.rank; ++axis)
        bytes *= info.shape[axis];
      pointers.push_back(allocate(bytes));
    }
    workspace = allocate(entry.workspace_bytes);
  }

  void *allocate(uint64_t bytes) {
    auto buffer = cma::AlignedBuffer::create(bytes);
    if (!buffer.ok())
      fail(buffer.message());
    owned.push_back(std::move(*buffer));
    return owned.back().data();
  }

  std::vector<cma::AlignedBuffer> owned;
  std::vector<void *> pointers;
  void *workspace = nullptr;
};

/// Position of the buffer of that name or, where it has none, of that role.
static float *find(const cma_entry &entry, const Memory &memory,
                   const std::string &name) {
  for (int32_t i = 0; i < entry.num_buffers; ++i)
    if (entry.buffers[i].name == name || entry.buffers[i].role == name)
      return static_cast<float *>(memory.pointers[i]);
  fail("the entry has no buffer '" + name + "'");
}

int main() {
  std::unique_ptr<cma::CompiledModule> compiled = compile();
  auto found = compiled->lookup("model_step");
  if (!found)
    fail(llvm::toString(found.takeError()));
  const cma_entry &entry = **found;

  Memory memory(entry);
  float *x = find(entry, memory, "x"), *y = find(entry, memory, "y");
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 4; ++column) {
      x[4 * row + column] = ((7 * row + 3 * column) % 5 - 2) / 2.0f;
      y[4 * row + 3 - column] = x[4 * row + column];
    }
  for (const char *name : {"g0", "g1"})
    for (int i = 0; i < 16; ++i)
      find(entry, memory, name)[i] = ((5 * i + name[1]) % 7 - 3) / 6.0f;
  *find(entry, memory, "lr") = 0.3f;
  const float *loss = find(entry, memory, "loss");

  float first = 0;
  for (int step = 0; step < 500; ++step) {
    cma_status status = {};
    if (entry.call(memory.pointers.data(), memory.workspace, &status))
      fail("the call failed with code " + std::to_string(status.code));
    if (step == 0)
      first = *loss;
  }
  std::printf("loss %.4f, after 500 steps %.4f\n", first, *loss);
  return *loss < 0.01f * first ? 0 : 1;
}
