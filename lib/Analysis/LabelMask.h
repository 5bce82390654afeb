//===- LabelMask.h - Label sets for the searches ----------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares fixed-width sets of label classes, the numbers that costs
// are added up in, and the table that turns a set into the product of its
// extents with one look-up per byte.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_LIB_ANALYSIS_LABELMASK_H
#define CMA_LIB_ANALYSIS_LABELMASK_H

#include "cma/Analysis/U128.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace cma::planner {

/// A set of up to 64 W label classes.
template <unsigned W>
struct LabelMask {
  static constexpr unsigned numWords = W;
  std::array<uint64_t, W> words{};

  void set(unsigned bit) { words[bit / 64] |= uint64_t(1) << (bit % 64); }
  bool any() const {
    uint64_t all = 0;
    for (unsigned i = 0; i < W; ++i)
      all |= words[i];
    return all != 0;
  }
  friend LabelMask operator|(LabelMask a, const LabelMask &b) {
    for (unsigned i = 0; i < W; ++i)
      a.words[i] |= b.words[i];
    return a;
  }
  friend LabelMask operator&(LabelMask a, const LabelMask &b) {
    for (unsigned i = 0; i < W; ++i)
      a.words[i] &= b.words[i];
    return a;
  }
  /// What `a` has and `b` has not.
  friend LabelMask operator-(LabelMask a, const LabelMask &b) {
    for (unsigned i = 0; i < W; ++i)
      a.words[i] &= ~b.words[i];
    return a;
  }
};

/// A 128-bit cost that stays at its largest value when it overflows. The lean
/// cousin of `U128`: the search only needs order and sums.
struct WideCost {
  unsigned __int128 value = 0;

  WideCost() = default;
  explicit WideCost(unsigned __int128 value) : value(value) {}
  explicit WideCost(U128 count)
      : value(static_cast<unsigned __int128>(count.getHigh()) << 64 |
              count.getLow()) {}
  static WideCost largest() {
    return WideCost(~static_cast<unsigned __int128>(0));
  }

  friend WideCost operator+(WideCost a, WideCost b) {
    WideCost sum;
    if (__builtin_add_overflow(a.value, b.value, &sum.value))
      return largest();
    return sum;
  }
  friend WideCost operator*(WideCost a, WideCost b) {
    if (a.value != 0 && b.value > ~static_cast<unsigned __int128>(0) / a.value)
      return largest();
    return WideCost(a.value * b.value);
  }
  friend bool operator<(WideCost a, WideCost b) { return a.value < b.value; }
  friend bool operator==(WideCost a, WideCost b) { return a.value == b.value; }
};

/// What a cost type can hold exactly.
template <class N>
struct CostTraits;

/// Doubles add and multiply whole numbers exactly below 2^53, and rounding
/// keeps their order: a sum that comes out below the limit is exact, and so is
/// every comparison that made it the smallest.
template <>
struct CostTraits<double> {
  static double make(U128 count) { return count.toDouble(); }
  static double zero() { return 0; }
  static double one() { return 1; }
  static bool isExact(double cost) { return cost < 0x1p53; }
  static double toDouble(double cost) { return cost; }
};
template <>
struct CostTraits<WideCost> {
  static WideCost make(U128 count) { return WideCost(count); }
  static WideCost zero() { return WideCost(0); }
  static WideCost one() { return WideCost(1); }
  static bool isExact(WideCost cost) { return cost < WideCost::largest(); }
  static double toDouble(WideCost cost) {
    return static_cast<double>(cost.value);
  }
};

/// Products of class extents over sets of classes.
template <unsigned W, class N>
class ProductTable {
public:
  explicit ProductTable(const std::vector<U128> &extents)
      : numBytes((extents.size() + 7) / 8), table(numBytes * 256) {
    // Zero extents stay out of the table: they would meet infinities there.
    for (unsigned i = 0; i < extents.size(); ++i)
      if (extents[i] == U128(0)) {
        zeros.set(i);
        hasZeros = true;
      }
    for (unsigned byte = 0; byte < numBytes; ++byte)
      fill(extents, byte, &table[byte * 256]);
  }

  /// Whether a superset can have a smaller product.
  bool hasZeroExtents() const { return hasZeros; }

  N operator()(const LabelMask<W> &mask) const {
    if (hasZeros && (mask & zeros).any())
      return CostTraits<N>::zero();
    N product = CostTraits<N>::one();
    for (unsigned byte = 0; byte < numBytes; ++byte) {
      unsigned bits = (mask.words[byte / 8] >> (byte % 8 * 8)) & 255;
      product = product * table[byte * 256 + bits];
    }
    return product;
  }

private:
  /// Every entry from the one without its highest label.
  static void fill(const std::vector<U128> &extents, unsigned byte, N *entry) {
    entry[0] = CostTraits<N>::one();
    for (unsigned i = 0; i < 8; ++i) {
      size_t position = byte * 8 + i;
      bool counts = position < extents.size() && extents[position] != U128(0);
      N extent = CostTraits<N>::make(counts ? extents[position] : U128(1));
      for (unsigned bits = 0; bits < (1u << i); ++bits)
        entry[1u << i | bits] = entry[bits] * extent;
    }
  }

  unsigned numBytes;
  std::vector<N> table;
  LabelMask<W> zeros;
  bool hasZeros = false;
};

} // namespace cma::planner

#endif // CMA_LIB_ANALYSIS_LABELMASK_H
