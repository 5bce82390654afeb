//===- CompiledModuleTest.cpp - Tests of the JIT and object writer --------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a hand-written module in the LLVM dialect that has what cma-to-cpu
// leaves: an entry, a parallel region and a call into libm.
//
//===----------------------------------------------------------------------===//

#include "cma/ExecutionEngine/CompiledModule.h"
#include "cma/ExecutionEngine/OpenMPRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace cma;

/// Buffer 0 (one f32) becomes erf(buffer 0) + threads seen; ABI is version %d.
static const char *const kModule = R"mlir(
llvm.func @erff(f32) -> f32
llvm.func @omp_get_num_threads() -> i32
llvm.func internal @run(%buffers: !llvm.ptr, %workspace: !llvm.ptr, %status: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %p = llvm.load %buffers : !llvm.ptr -> !llvm.ptr
  omp.parallel {
    omp.master {
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = llvm.call @erff(%x) : (f32) -> f32
      %n = llvm.call @omp_get_num_threads() : () -> i32
      %f = llvm.sitofp %n : i32 to f32
      %s = llvm.fadd %y, %f : f32
      llvm.store %s, %p : f32, !llvm.ptr
      omp.terminator
    }
    omp.terminator
  }
  llvm.return %zero : i32
}
llvm.mlir.global private constant @name("f\00")
llvm.mlir.global external constant @cma_entry_f() : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)> {
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
  %version = llvm.mlir.constant(1 : i32) : i32
  %bytes = llvm.mlir.constant(192 : i64) : i64
  %n = llvm.mlir.addressof @name : !llvm.ptr
  %f = llvm.mlir.addressof @run : !llvm.ptr
  %1 = llvm.insertvalue %version, %u[0] : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
  %2 = llvm.insertvalue %n, %1[4] : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
  %3 = llvm.insertvalue %bytes, %2[7] : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
  %4 = llvm.insertvalue %f, %3[8] : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
  llvm.return %4 : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, i64, ptr)>
}
)mlir";

namespace {
class CompiledModuleTest : public ::testing::Test {
protected:
  CompiledModuleTest() {
    context.loadDialect<LLVM::LLVMDialect, omp::OpenMPDialect>();
  }

  llvm::Expected<std::unique_ptr<CompiledModule>>
  compile(StringRef text, const CompileOptions &options = {}) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return CompiledModule::create(*module, options);
  }

  MLIRContext context;
};
} // namespace

TEST_F(CompiledModuleTest, RunsParallelCodeOnTheAskedThreads) {
  auto compiled = compile(kModule);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_EQ((*compiled)->getFunctionNames().vec(),
            std::vector<std::string>{"f"});
  auto entry = (*compiled)->lookup("f");
  ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
  EXPECT_STREQ((*entry)->name, "f");
  EXPECT_EQ((*entry)->workspace_bytes, 192);

  auto openmp = OpenMPRuntime::get();
  ASSERT_TRUE(bool(openmp)) << llvm::toString(openmp.takeError());
  for (int threads : {1, 3}) {
    openmp->setNumThreads(threads);
    EXPECT_EQ(openmp->getMaxThreads(), threads);
    float value = 0.5f;
    void *buffers[] = {&value};
    cma_status status = {};
    EXPECT_EQ((*entry)->call(buffers, nullptr, &status), 0);
    EXPECT_EQ(value, std::erf(0.5f) + static_cast<float>(threads));
  }
}

TEST_F(CompiledModuleTest, UnknownFunctionListsTheKnownOnes) {
  auto compiled = compile(kModule);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_EQ(llvm::toString((*compiled)->lookup("g").takeError()),
            "no compiled function 'g'; expected one of: f");
}

TEST_F(CompiledModuleTest, MissingSymbolIsAnError) {
  auto compiled = compile(R"mlir(
    llvm.func @no_such_symbol()
    llvm.mlir.global external constant @cma_entry_f() : !llvm.ptr {
      %f = llvm.mlir.addressof @no_such_symbol : !llvm.ptr
      llvm.return %f : !llvm.ptr
    })mlir");
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  std::string message = llvm::toString((*compiled)->lookup("f").takeError());
  EXPECT_NE(message.find("no_such_symbol"), std::string::npos) << message;
}

TEST_F(CompiledModuleTest, AnotherAbiVersionIsRefused) {
  std::string text(kModule);
  size_t at = text.find("constant(1 : i32)");
  text.replace(at, 17, "constant(7 : i32)");
  auto compiled = compile(text);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_EQ(llvm::toString((*compiled)->lookup("f").takeError()),
            "entry of 'f' has ABI version 7, expected 1");
}

TEST_F(CompiledModuleTest, UntranslatableModuleIsAnError) {
  context.allowUnregisteredDialects();
  auto compiled = compile(R"mlir(
    llvm.func @f() { "other.op"() : () -> ()  llvm.return })mlir");
  ASSERT_FALSE(bool(compiled));
  EXPECT_EQ(llvm::toString(compiled.takeError()),
            "cannot translate the module to LLVM IR");
}

#if defined(__x86_64__)
TEST(CompiledModule, KnowsWhetherF16HasInstructions) {
  auto converts = [](const char *cpu, const char *features) {
    CompileOptions options;
    options.cpu = cpu;
    options.features = features;
    return llvm::cantFail(convertsF16(options));
  };
  EXPECT_TRUE(converts("haswell", ""));
  EXPECT_FALSE(converts("haswell", "-f16c"));
  EXPECT_FALSE(converts("sandybridge", ""));
  EXPECT_TRUE(converts("x86-64", "+f16c"));
}
#endif

TEST_F(CompiledModuleTest, WritesAnObjectFileForAnotherCpu) {
  CompileOptions options;
  options.cpu = "x86-64";
  auto compiled = compile(kModule, options);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("cma", "o", path));
  llvm::Error error = (*compiled)->writeObjectFile(path);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  bool found = false;
  for (const auto &symbol : object->getBinary()->symbols())
    found |= llvm::cantFail(symbol.getName()) == "cma_entry_f";
  EXPECT_TRUE(found);
  llvm::sys::fs::remove(path);

  error = (*compiled)->writeObjectFile("/no/such/directory/f.o");
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '/no/such/directory/f.o': No such file or directory");
}
