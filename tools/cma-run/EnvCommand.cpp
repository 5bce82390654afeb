//===- EnvCommand.cpp - cma-run env ---------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file prints what a bug report should say about the machine.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "ExitCode.h"

#include "cma/ExecutionEngine/OpenMPRuntime.h"
#include "cma/Pipelines/Registration.h"
#include "cma/Runtime/Entry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>

using namespace cma;
using namespace cma::run;

static void line(llvm::StringRef name, const llvm::Twine &value) {
  llvm::outs() << llvm::left_justify(name, 22) << value << '\n';
}

/// File of the shared library that `symbol` lives in.
static std::string libraryOf(void *symbol) {
  Dl_info info;
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "unknown";
}

/// Enabled features, in the order of their names.
static std::string listFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.getValue())
      features.push_back(feature.getKey().str());
  llvm::sort(features);
  return llvm::join(features, " ");
}

static void printLibraries() {
  auto openmp = OpenMPRuntime::get();
  if (openmp) {
    line("threads", llvm::Twine(openmp->getMaxThreads()));
    line("OpenMP runtime", openmp->getPath());
  } else {
    line("threads", "none");
    line("OpenMP runtime", llvm::toString(openmp.takeError()));
  }
  using Function = bool (mlir::MLIRContext::*)();
  Function inMLIR = &mlir::MLIRContext::isMultithreadingEnabled;
  void *symbol;
  static_assert(sizeof(inMLIR) >= sizeof(symbol));
  std::memcpy(&symbol, &inMLIR,
              sizeof(symbol)); // First word of the Itanium ABI.
  line("MLIR library", libraryOf(symbol));
  line("LLVM library",
       libraryOf(reinterpret_cast<void *>(&llvm::sys::getHostCPUName)));
}

llvm::Error cma::run::runEnv(Arguments arguments) {
  CommandLine options("env",
                      "Prints versions, the host, threads, libraries and the "
                      "environment variables that matter.",
                      "");
  auto go = parseArguments(options, arguments);
  if (!go || !*go)
    return go.takeError();
  line("CMA", getVersionString());
  line("LLVM", LLVM_VERSION_STRING);
  line("entry ABI", llvm::Twine(CMA_ENTRY_ABI_VERSION));
  line("host", llvm::sys::getProcessTriple());
  line("CPU", llvm::sys::getHostCPUName());
  line("CPU features", listFeatures());
  line("logical processors", llvm::Twine(std::thread::hardware_concurrency()));
  printLibraries();
  for (const char *name : {"CMA_OPENMP_LIBRARY", "OMP_NUM_THREADS"}) {
    const char *value = std::getenv(name);
    line(name, value ? value : "(not set)");
  }
  return llvm::Error::success();
}
