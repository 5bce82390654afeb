//===- Initializer.h - Initial values of parameters -------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares what the dialect's `#cma.init` rules mean in numbers.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_INITIALIZER_H
#define CMA_RUNTIME_INITIALIZER_H

#include "cma/Runtime/Random.h"
#include "cma/Runtime/Status.h"
#include "cma/Runtime/StorageType.h"

namespace cma {

struct Initializer {
  enum class Kind {
    Constant, ///< `first` everywhere; zeros is the constant 0.
    Normal,   ///< Mean 0, standard deviation `first`.
    Uniform,  ///< From `first` to `second`.
    /// Normal with standard deviation first^(1/cores) / sqrt(last extent), so
    /// that the product of `cores` such tensor-train cores has `first`.
    TTCore
  };
  Kind kind = Kind::Constant;
  double first = 0, second = 0;
  int64_t cores = 1;
};

/// Fills a dense tensor at `to`. Element i, row-major, is the stream's draw for
/// element i. Types F64 and F32 take any rule; integers and BOOL a constant
/// that they can hold; the rest is refused.
Status fill(const Initializer &rule, const RandomStream &stream,
            StorageType type, const std::vector<int64_t> &shape, void *to);

} // namespace cma

#endif // CMA_RUNTIME_INITIALIZER_H
