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

/// Runs LLVM's default pipeline of the given level (0 to 3), without SLP
/// vectorisation (the kernels are vectorised already) and, where a function is
/// large, without loop unrolling, whose time grows more than linearly.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level);

} // namespace cma

#endif // CMA_LIB_EXECUTIONENGINE_OPTIMIZER_H
