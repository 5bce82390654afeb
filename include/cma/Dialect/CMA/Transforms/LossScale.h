//===- LossScale.h - Settings of loss scaling -------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the text in which passes and tools take the settings of
// loss scaling, and what it means.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_LOSSSCALE_H
#define CMA_DIALECT_CMA_TRANSFORMS_LOSSSCALE_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace cma {

/// What the loss is multiplied by, and how that adapts. The members mean what
/// the attributes of `cma.update_loss_scale` mean.
struct LossScaleSettings {
  enum class Mode { None, Static, Dynamic };
  Mode mode = Mode::None;
  double initial = 65536.0;
  double growth = 2.0, backoff = 0.5;
  double minimum = 0x1p-126, maximum = 0x1p127;
  int64_t interval = 2000, hysteresis = 1, delay = 0;
  bool refillAtGoodSteps = false;

  bool isOn() const { return mode != Mode::None; }
  bool isDynamic() const { return mode == Mode::Dynamic; }
  bool hasTracker() const { return isDynamic() && hysteresis > 1; }

  /// Name of the first of initial, growth and backoff that is in use and no
  /// power of two, so that scaling rounds; or "".
  llvm::StringRef findRounding() const;

  /// A scale that may come and that numbers of `semantics` cannot be, divided
  /// by `parts`, as "VALUE for 'KEY'"; or "". No scaling is a scale of 1.
  std::string findInexact(const llvm::fltSemantics &semantics,
                          int64_t parts) const;
};

/// Reads `none`, `static:VALUE`, or `dynamic`, `pytorch`, `keras`, `megatron`
/// or `deepspeed`, which may be followed by `:KEY=VALUE,...` with the keys
/// init, growth, backoff, interval, min, max, hysteresis, refill (growth or
/// good) and delay. False, with what was expected in `error`, where the text is
/// something else or the settings cannot work.
bool parseLossScale(llvm::StringRef text, LossScaleSettings &settings,
                    std::string &error);

} // namespace cma

#endif // CMA_DIALECT_CMA_TRANSFORMS_LOSSSCALE_H
