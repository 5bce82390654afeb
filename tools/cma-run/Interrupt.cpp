//===- Interrupt.cpp - Ctrl-C and SIGTERM ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file handles SIGINT and SIGTERM. A process that was started with one of
// them ignored, as a shell's background jobs are, leaves it ignored.
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include "ExitCode.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <csignal>
#include <iterator>
#include <unistd.h>

using namespace cma::run;

// Lock-free, so that the handler may touch them.
static std::atomic<bool> gDeferred{false};
static std::atomic<int> gSignal{0};
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<int>::is_always_lock_free);

static ExitCode exitCodeOf(int signal) {
  return signal == SIGTERM ? kTerminated : kInterrupted;
}

extern "C" void cmaRunHandleInterrupt(int signal) {
  bool isFirst = gSignal.exchange(signal) == 0;
  // Whoever ends a batch job may well send more than one SIGTERM.
  if (gDeferred.load() && (isFirst || signal == SIGTERM))
    return;
  llvm::sys::RunInterruptHandlers(); // Removes temporary files.
  _exit(exitCodeOf(signal));
}

void cma::run::installSignalHandlers(const char *program) {
  constexpr int signals[] = {SIGINT, SIGTERM};
  struct sigaction before[std::size(signals)] = {};
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], nullptr, &before[i]);
  // It takes these two as well.
  llvm::sys::PrintStackTraceOnErrorSignal(program);
  struct sigaction action = {};
  action.sa_handler = cmaRunHandleInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i],
              before[i].sa_handler == SIG_IGN ? &before[i] : &action, nullptr);
}

DeferInterrupt::DeferInterrupt() { gDeferred = true; }

DeferInterrupt::~DeferInterrupt() { gDeferred = false; }

llvm::Error cma::run::checkInterrupt(const llvm::Twine &place) {
  int signal = gSignal.load();
  if (signal == 0)
    return llvm::Error::success();
  const char *what = signal == SIGTERM ? "terminated " : "interrupted ";
  return exitError(exitCodeOf(signal), what + place);
}
