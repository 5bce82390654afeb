//===- Random.h - Philox random numbers -------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of CMA's random numbers. They are drawn by Philox 4x32-10 (Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011), a function from a
// 64-bit key and a 128-bit counter to four 32-bit words, so that a number
// depends on what it is for and not on what was drawn before it.
//
//   Key.      h = FNV-1a (64 bits) over the 8 bytes of the seed, least
//             significant first, then the bytes of the stream's name; then
//             SplitMix64's finaliser:
//               h ^= h >> 30; h *= 0xbf58476d1ce4e5b9;
//               h ^= h >> 27; h *= 0x94d049bb133111eb; h ^= h >> 31.
//             key[0] is the low half of h, key[1] the high half.
//   Counter.  Words 0 and 1 are the low and high half of `element`, words 2 and
//             3 those of `step`.
//   Words.    w[0] to w[3] are Philox's result for that key and counter.
//   bits.     w[1] * 2^32 + w[0].
//   unit.     floor(bits / 2^11) * 2^-53, a double in [0, 1).
//   uniform.  low + (high - low) * unit, in double arithmetic, each operation
//             rounded.
//   normal.   u = 1 - unit, in (0, 1]; v is the unit made from w[2] and w[3];
//             sqrt(-2 * log(u)) * cos(2 * pi * v), times the standard
//             deviation, in double arithmetic (Box and Muller; the sine is not
//             used).
//   Shuffle.  Start from 0 .. n-1. For i = n-1 down to 1 exchange entries i and
//             j = floor(bits * (i + 1) / 2^64), bits of element i.
//
// A value that is stored in a narrower type is rounded once, to nearest even.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_RANDOM_H
#define CMA_RUNTIME_RANDOM_H

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cma {

using PhiloxKey = std::array<uint32_t, 2>;
using PhiloxBlock = std::array<uint32_t, 4>;

/// The bare generator.
PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key);

/// The numbers of one purpose: a parameter's initial values, the order of the
/// samples. `step` distinguishes repeated draws (epochs, training steps).
class RandomStream {
public:
  RandomStream(uint64_t seed, std::string_view name, uint64_t step = 0);

  PhiloxKey getKey() const { return key; }
  PhiloxBlock words(uint64_t element) const;
  uint64_t bits(uint64_t element) const;
  double unit(uint64_t element) const;
  double uniform(uint64_t element, double low, double high) const;
  double normal(uint64_t element, double standardDeviation) const;

  /// A permutation of 0 .. size-1.
  std::vector<int64_t> shuffle(int64_t size) const;

private:
  PhiloxKey key;
  uint64_t step;
};

} // namespace cma

#endif // CMA_RUNTIME_RANDOM_H
