//===- MultiplyAddPeak.h - The multiply-add peak of the machine -*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a loop of independent vector multiply-adds on registers,
// by which the other figures are judged.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_BENCHMARKS_MULTIPLYADDPEAK_H
#define CMA_BENCHMARKS_MULTIPLYADDPEAK_H

namespace cma {

/// Floating-point operations of one thread in one call of runMultiplyAdds.
double getMultiplyAddFlops();

/// Runs the loop on `threads` threads at once.
void runMultiplyAdds(int threads);

} // namespace cma

#endif // CMA_BENCHMARKS_MULTIPLYADDPEAK_H
