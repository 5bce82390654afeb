//===- OpenMPRuntime.h - The OpenMP library of compiled code ----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled functions run their parallel loops on LLVM's OpenMP runtime. This
// file declares how it is found and controlled; nothing of CMA links it.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_EXECUTIONENGINE_OPENMPRUNTIME_H
#define CMA_EXECUTIONENGINE_OPENMPRUNTIME_H

#include "llvm/Support/Error.h"
#include <string>

namespace cma {

/// The loaded OpenMP library; loaded once per process and never unloaded, since
/// its threads outlive every compiled module.
class OpenMPRuntime {
public:
  /// Looks in this order: the file named by CMA_OPENMP_LIBRARY, the one found
  /// when CMA was configured, and libomp on the system's library path. The
  /// error lists what was tried and why it failed.
  static llvm::Expected<const OpenMPRuntime &> get();

  const std::string &getPath() const { return path; }

  /// Threads that the next parallel loop of this thread uses.
  int getMaxThreads() const { return maxThreads(); }
  void setNumThreads(int count) const { numThreads(count); }

private:
  OpenMPRuntime(std::string path, int (*maxThreads)(), void (*numThreads)(int))
      : path(std::move(path)), maxThreads(maxThreads), numThreads(numThreads) {}
  static llvm::Expected<OpenMPRuntime> load();

  std::string path;
  int (*maxThreads)();
  void (*numThreads)(int);
};

} // namespace cma

#endif // CMA_EXECUTIONENGINE_OPENMPRUNTIME_H
