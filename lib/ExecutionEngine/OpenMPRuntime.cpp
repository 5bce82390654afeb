//===- OpenMPRuntime.cpp - The OpenMP library of compiled code ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file finds and loads libomp.
//
//===----------------------------------------------------------------------===//

#include "cma/ExecutionEngine/OpenMPRuntime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include <cstdlib>

using namespace cma;

/// Where to look, most specific first.
static std::vector<std::string> candidates() {
  // A library that the user names is the only one tried.
  if (const char *named = std::getenv("CMA_OPENMP_LIBRARY"); named && *named)
    return {named};
  return {CMA_CONFIGURED_LIBOMP, "libomp.so.5", "libomp.so"};
}

llvm::Expected<OpenMPRuntime> OpenMPRuntime::load() {
  std::string reasons;
  for (const std::string &path : candidates()) {
    std::string reason;
    auto library =
        llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &reason);
    if (!library.isValid()) {
      reasons += "\n  " + path + ": " + reason;
      continue;
    }
    void *maxThreads = library.getAddressOfSymbol("omp_get_max_threads");
    void *numThreads = library.getAddressOfSymbol("omp_set_num_threads");
    // Entry point of LLVM's own interface, which GCC's libgomp lacks.
    void *fork = library.getAddressOfSymbol("__kmpc_fork_call");
    if (maxThreads && numThreads && fork)
      return OpenMPRuntime(path, reinterpret_cast<int (*)()>(maxThreads),
                           reinterpret_cast<void (*)(int)>(numThreads));
    reasons += "\n  " + path + ": not LLVM's OpenMP runtime";
  }
  return llvm::createStringError(
      "cannot load LLVM's OpenMP runtime, which compiled functions need; "
      "install it (Debian: libomp-22-dev) or name the library in "
      "CMA_OPENMP_LIBRARY; tried:" +
      reasons);
}

llvm::Expected<const OpenMPRuntime &> OpenMPRuntime::get() {
  // Only success is kept: a later call may find a library installed meanwhile.
  static const OpenMPRuntime *loaded = nullptr;
  if (!loaded) {
    llvm::Expected<OpenMPRuntime> runtime = load();
    if (!runtime)
      return runtime.takeError();
    static const OpenMPRuntime kept = std::move(*runtime);
    loaded = &kept;
  }
  return *loaded;
}
