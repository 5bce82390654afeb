//===- ContractionNetwork.cpp - Tensor networks to be planned -------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file implements label sets and the table of element types.
//
//===----------------------------------------------------------------------===//

#include "cma/Analysis/ContractionNetwork.h"

#include <algorithm>
#include <iterator>

using namespace cma;

namespace {

struct ElementTypeInfo {
  std::string_view name;
  unsigned bytes;
};

/// In the order of the enumeration.
constexpr ElementTypeInfo elementTypes[numElementTypes] = {
    {"f64", 8},  {"f32", 4},      {"tf32", 4},  {"f16", 2},
    {"bf16", 2}, {"f8E4M3FN", 1}, {"f8E5M2", 1}};

} // namespace

unsigned cma::getElementBytes(ElementType type) {
  return elementTypes[static_cast<unsigned>(type)].bytes;
}

std::string_view cma::getElementTypeName(ElementType type) {
  return elementTypes[static_cast<unsigned>(type)].name;
}

bool cma::parseElementType(std::string_view name, ElementType &type) {
  for (unsigned i = 0; i < numElementTypes; ++i) {
    if (elementTypes[i].name == name) {
      type = static_cast<ElementType>(i);
      return true;
    }
  }
  return false;
}

LabelSet cma::makeLabelSet(const std::vector<LabelId> &axes) {
  LabelSet set(axes);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

LabelSet cma::unite(const LabelSet &a, const LabelSet &b) {
  LabelSet both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  return both;
}

U128 cma::countElements(const ContractionNetwork &network,
                        const LabelSet &labels) {
  U128 product(1);
  for (LabelId label : labels)
    product *= U128(static_cast<uint64_t>(network.extents[label]));
  return product;
}

std::vector<uint32_t> cma::countHolders(const ContractionNetwork &network) {
  std::vector<uint32_t> holders(network.extents.size(), 0);
  for (const std::vector<LabelId> &axes : network.operands)
    for (LabelId label : makeLabelSet(axes))
      ++holders[label];
  for (LabelId label : network.result)
    ++holders[label];
  return holders;
}
