//===- Interrupt.cpp - Ctrl-C ---------------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file handles SIGINT. A process that was started with SIGINT ignored, as
// a shell's background jobs are, leaves it ignored.
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include "ExitCode.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace cma::run;

// Lock-free, so that the handler may touch them.
static std::atomic<bool> gDeferred{false};
static std::atomic<bool> gInterrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void cmaRunHandleInterrupt(int) {
  if (!gDeferred.load() || gInterrupted.exchange(true))
    _exit(kInterrupted);
}

void cma::run::installInterruptHandler() {
  struct sigaction action = {};
  action.sa_handler = cmaRunHandleInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

DeferInterrupt::DeferInterrupt() { gDeferred = true; }

DeferInterrupt::~DeferInterrupt() { gDeferred = false; }

bool cma::run::interrupted() { return gInterrupted; }
