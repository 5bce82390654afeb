//===- Interrupt.h - Ctrl-C and SIGTERM -------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what Ctrl-C (SIGINT) and SIGTERM do: they end the program
// at once with exit code 130 or 143, except in a training run, which finishes
// its step first. A second Ctrl-C there ends the program at once.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_INTERRUPT_H
#define CMA_TOOLS_CMA_RUN_INTERRUPT_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace cma::run {

/// Handlers of the two signals, and a stack trace where the program crashes.
void installSignalHandlers(const char *program);

/// While one of these lives, the first Ctrl-C, and every SIGTERM, only shows in
/// checkInterrupt().
class DeferInterrupt {
public:
  DeferInterrupt();
  ~DeferInterrupt();
  DeferInterrupt(const DeferInterrupt &) = delete;
  DeferInterrupt &operator=(const DeferInterrupt &) = delete;
};

/// Once there was one of them, an error that says so, and `place`.
llvm::Error checkInterrupt(const llvm::Twine &place);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_INTERRUPT_H
