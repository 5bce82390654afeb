//===- CompiledModule.cpp - Machine code of a module ----------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements CompiledModule: translation to LLVM IR, optimisation,
// code generation into an object in memory, and linking of that object by ORC.
//
//===----------------------------------------------------------------------===//

#include "cma/ExecutionEngine/CompiledModule.h"

#include "Optimizer.h"

#include "cma/ExecutionEngine/OpenMPRuntime.h"
#include "cma/Runtime/AtomicFile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace cma;

static constexpr StringLiteral kEntryPrefix = "cma_entry_";

/// The target of the options. Position-independent small code is right both for
/// JITLink and for a file that ends up in a shared library.
static llvm::Expected<llvm::orc::JITTargetMachineBuilder>
createTarget(const CompileOptions &options) {
  // Once per process; repeated calls are cheap.
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  if (!options.cpu.empty()) {
    target->setCPU(options.cpu);
    target->getFeatures() = llvm::SubtargetFeatures();
  }
  SmallVector<StringRef> features;
  StringRef(options.features).split(features, ',', -1, /*KeepEmpty=*/false);
  target->addFeatures({features.begin(), features.end()});
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  target->setRelocationModel(llvm::Reloc::PIC_);
  target->setCodeModel(llvm::CodeModel::Small);
  return target;
}

llvm::Expected<bool> cma::convertsF16(const CompileOptions &options) {
  auto target = createTarget(options);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  const llvm::Triple &triple = (*machine)->getTargetTriple();
  return triple.isX86()
             ? (*machine)->getMCSubtargetInfo()->checkFeatures("+f16c")
             : triple.isAArch64();
}

/// Function names of the entries that `module` defines, in order.
static std::vector<std::string> collectNames(ModuleOp module) {
  std::vector<std::string> names;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    StringRef name = global.getSymName();
    if (name.consume_front(kEntryPrefix))
      names.push_back(name.str());
  }
  return names;
}

static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "cma");
  if (!result)
    return llvm::createStringError("cannot translate the module to LLVM IR");
  return result;
}

CompiledModule::CompiledModule(std::unique_ptr<llvm::MemoryBuffer> object,
                               std::vector<std::string> names)
    : object(std::move(object)), names(std::move(names)) {}
CompiledModule::~CompiledModule() = default;

llvm::Expected<std::unique_ptr<CompiledModule>>
CompiledModule::create(ModuleOp module, const CompileOptions &options) {
  auto target = createTarget(options);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  llvm::LLVMContext context;
  auto code = translate(module, context);
  if (!code)
    return code.takeError();
  ExecutionEngine::setupTargetTripleAndDataLayout(code->get(), machine->get());
  optimizeModule(**code, **machine, options.optLevel);
  auto object = llvm::orc::SimpleCompiler(**machine)(**code);
  if (!object)
    return object.takeError();
  return std::unique_ptr<CompiledModule>(
      new CompiledModule(std::move(*object), collectNames(module)));
}

llvm::Error CompiledModule::link() {
  auto openmp = OpenMPRuntime::get();
  if (!openmp)
    return openmp.takeError();
  auto target = createTarget({});
  if (!target)
    return target.takeError();
  auto linker = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(*target))
                    .create();
  if (!linker)
    return linker.takeError();
  // ORC reports the cause to the session and only the effect to lookup().
  (*linker)->getExecutionSession().setErrorReporter([this](llvm::Error error) {
    sessionErrors += "; " + llvm::toString(std::move(error));
  });
  // The process's own symbols (libc, libm) come second, so that a host that
  // carries another OpenMP runtime cannot mix the two.
  auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(
      openmp->getPath().c_str(), (*linker)->getDataLayout().getGlobalPrefix());
  if (!generator)
    return generator.takeError();
  (*linker)->getMainJITDylib().addGenerator(std::move(*generator));
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(object->getBuffer(), "cma");
  if (llvm::Error error = (*linker)->addObjectFile(std::move(copy)))
    return error;
  jit = std::move(*linker);
  return llvm::Error::success();
}

llvm::Expected<const cma_entry *> CompiledModule::lookup(StringRef function) {
  if (!llvm::is_contained(names, function))
    return llvm::createStringError(
        "no compiled function '" + function +
        "'; expected one of: " + llvm::join(names, ", "));
  if (!jit)
    if (llvm::Error error = link())
      return error;
  auto address = jit->lookup((kEntryPrefix + function).str());
  if (!address) {
    std::string cause = std::exchange(sessionErrors, "");
    return llvm::createStringError("cannot link the code of '" + function +
                                   "': " + llvm::toString(address.takeError()) +
                                   cause);
  }
  auto *entry = address->toPtr<const cma_entry *>();
  if (entry->abi_version != CMA_ENTRY_ABI_VERSION)
    return llvm::createStringError("entry of '" + function +
                                   "' has ABI version " +
                                   Twine(entry->abi_version) + ", expected " +
                                   Twine(CMA_ENTRY_ABI_VERSION));
  return entry;
}

llvm::Error CompiledModule::writeObjectFile(StringRef path) const {
  Status status = writeFileAtomically(path.str(), object->getBuffer().str());
  if (status.failed())
    return llvm::createStringError(status.message());
  return llvm::Error::success();
}
