//===- Interrupt.h - Ctrl-C -------------------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what Ctrl-C does: it ends the program at once with exit
// code 130, except in a training or evaluation loop, which finishes its step
// first. A second Ctrl-C there ends the program at once.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_INTERRUPT_H
#define CMA_TOOLS_CMA_RUN_INTERRUPT_H

namespace cma::run {

void installInterruptHandler();

/// While one of these lives, the first Ctrl-C only sets interrupted().
class DeferInterrupt {
public:
  DeferInterrupt();
  ~DeferInterrupt();
  DeferInterrupt(const DeferInterrupt &) = delete;
  DeferInterrupt &operator=(const DeferInterrupt &) = delete;
};

bool interrupted();

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_INTERRUPT_H
