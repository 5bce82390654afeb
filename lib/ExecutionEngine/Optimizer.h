//===- Optimizer.h - LLVM's middle end, tuned for kernels -------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how compiled modules are optimised before code generation.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_EXECUTIONENGINE_OPTIMIZER_H
#define CMA_LIB_EXECUTIONENGINE_OPTIMIZER_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cma {

/// Runs LLVM's default pipeline of the given level (0 to 3) without loop
/// unrolling and SLP vectorisation: the kernels are unrolled and vectorised
/// already, and what those passes do on top costs most of the compile time (in
/// one function with many loops, more than linearly) and gains nothing.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level);

} // namespace cma

#endif // CMA_LIB_EXECUTIONENGINE_OPTIMIZER_H
