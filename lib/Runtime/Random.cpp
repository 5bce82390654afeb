//===- Random.cpp - Philox random numbers ---------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements the streams that Random.h defines. It is compiled
// without contraction of floating-point operations.
//
//===----------------------------------------------------------------------===//

#include "cma/Runtime/Random.h"

#include <cmath>
#include <numeric>

using namespace cma;

PhiloxBlock cma::philox4x32(PhiloxBlock counter, PhiloxKey key) {
  constexpr uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = multiplier0 * counter[0];
    uint64_t product1 = multiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += weyl0;
    key[1] += weyl1;
  }
  return counter;
}

static uint64_t hashStream(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&hash](unsigned char byte) {
    hash = (hash ^ byte) * 0x100000001b3;
  };
  for (int shift = 0; shift < 64; shift += 8)
    add(static_cast<unsigned char>(seed >> shift));
  for (char c : name)
    add(static_cast<unsigned char>(c));
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

RandomStream::RandomStream(uint64_t seed, std::string_view name, uint64_t step)
    : step(step) {
  uint64_t hash = hashStream(seed, name);
  key = {static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32)};
}

PhiloxBlock RandomStream::words(uint64_t element) const {
  return philox4x32(
      {static_cast<uint32_t>(element), static_cast<uint32_t>(element >> 32),
       static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32)},
      key);
}

static uint64_t join(uint32_t low, uint32_t high) {
  return static_cast<uint64_t>(high) << 32 | low;
}

static double toUnit(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

uint64_t RandomStream::bits(uint64_t element) const {
  PhiloxBlock w = words(element);
  return join(w[0], w[1]);
}

double RandomStream::unit(uint64_t element) const {
  return toUnit(bits(element));
}

double RandomStream::uniform(uint64_t element, double low, double high) const {
  return low + (high - low) * unit(element);
}

double RandomStream::normal(uint64_t element, double standardDeviation) const {
  constexpr double twoPi = 6.283185307179586476925286766559;
  PhiloxBlock w = words(element);
  double u = 1.0 - toUnit(join(w[0], w[1]));
  double v = toUnit(join(w[2], w[3]));
  return std::sqrt(-2.0 * std::log(u)) * std::cos(twoPi * v) *
         standardDeviation;
}

std::vector<int64_t> RandomStream::shuffle(int64_t size) const {
  std::vector<int64_t> order(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), int64_t(0));
  for (int64_t i = size - 1; i > 0; --i) {
    auto product =
        static_cast<unsigned __int128>(bits(static_cast<uint64_t>(i))) *
        static_cast<uint64_t>(i + 1);
    std::swap(order[i], order[static_cast<size_t>(product >> 64)]);
  }
  return order;
}
