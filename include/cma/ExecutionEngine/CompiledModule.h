//===- CompiledModule.h - Machine code of a module --------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares CompiledModule, the step from the LLVM dialect (what the
// pipeline `cma-to-cpu` leaves) to code: linked into this process, or written
// as an object file. Both come from the same bytes.
//
//   OwningOpRef<ModuleOp> module = ...;               // after cma-to-cpu
//   auto compiled = CompiledModule::create(*module);  // llvm::Expected
//   auto entry = (*compiled)->lookup("model_step");   // const cma_entry *
//
//===----------------------------------------------------------------------===//
#ifndef CMA_EXECUTIONENGINE_COMPILEDMODULE_H
#define CMA_EXECUTIONENGINE_COMPILEDMODULE_H

#include "cma/Runtime/Entry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir
namespace llvm {
class MemoryBuffer;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace cma {

struct CompileOptions {
  /// 0 to 3, for LLVM's middle end; code generation is always aggressive.
  unsigned optLevel = 3;
  /// An LLVM CPU name and feature string ("+avx2,-fma"). An empty name means
  /// this machine with all its features; code for another machine can only be
  /// written to a file.
  std::string cpu;
  std::string features;
};

/// Whether the target of `options` has instructions between f16 and f32, which
/// is what `f16-instructions` of `cma-to-cpu` has to be: without them the code
/// would call a library for each element.
llvm::Expected<bool> convertsF16(const CompileOptions &options = {});

class CompiledModule {
public:
  /// Compiles a module in the LLVM dialect (OpenMP operations included). The
  /// module is not needed afterwards.
  static llvm::Expected<std::unique_ptr<CompiledModule>>
  create(mlir::ModuleOp module, const CompileOptions &options = {});
  ~CompiledModule();

  /// Names of the compiled functions that have an entry, in module order.
  llvm::ArrayRef<std::string> getFunctionNames() const { return names; }

  /// The entry of a function, linked into this process at the first call. It
  /// lives as long as this object. An unknown name is an error that lists the
  /// known ones.
  llvm::Expected<const cma_entry *> lookup(llvm::StringRef function);

  /// Writes a relocatable, position-independent object file, atomically. To use
  /// it, link it with libomp (and libm).
  llvm::Error writeObjectFile(llvm::StringRef path) const;

private:
  CompiledModule(std::unique_ptr<llvm::MemoryBuffer> object,
                 std::vector<std::string> names);
  llvm::Error link();

  std::unique_ptr<llvm::MemoryBuffer> object;
  std::vector<std::string> names;
  std::string sessionErrors;
  std::unique_ptr<llvm::orc::LLJIT> jit; ///< Set by the first lookup.
};

} // namespace cma

#endif // CMA_EXECUTIONENGINE_COMPILEDMODULE_H
