//===- MultiplyAddPeak.cpp - The multiply-add peak of the machine ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file measures the rate of f32 multiply-adds. It is compiled for the
// machine that builds it.
//
//===----------------------------------------------------------------------===//

#include "MultiplyAddPeak.h"

#include <thread>
#include <vector>

namespace {
// Widest vector with native arithmetic.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));

// Enough independent chains to hide the latency (4 cycles, 2 units), few enough
// for 16 registers.
constexpr int kChains = 12;
// Some 10 ms: what it costs to start the threads must not count.
constexpr int kIterations = 5000000;

float multiplyAdds() {
  Vector chains[kChains];
  for (int i = 0; i < kChains; ++i)
    chains[i] = Vector{} + static_cast<float>(i);
  Vector factor = Vector{} + 0.999f, term = Vector{} + 0.001f;
  // Values that the compiler may not know, so that nothing is folded.
  asm volatile("" : "+x"(factor), "+x"(term));
  for (int n = 0; n < kIterations; ++n)
    for (int i = 0; i < kChains; ++i)
      chains[i] = chains[i] * factor + term;
  Vector sum{};
  for (int i = 0; i < kChains; ++i)
    sum += chains[i];
  float total = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    total += sum[lane];
  return total;
}

volatile float sink;
} // namespace

double cma::getMultiplyAddFlops() {
  return 2.0 * kLanes * kChains * kIterations;
}

void cma::runMultiplyAdds(int threads) {
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t)
    others.emplace_back([] { sink = multiplyAdds(); });
  sink = multiplyAdds();
  for (std::thread &other : others)
    other.join();
}
