//===- KernelTest.cpp - Fast kernels agree with plain loops ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file compiles random contractions, reductions and chains over a batch
// twice, with and without the fast kernels, and compares what they compute.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace cma;
using namespace cma::test;

namespace {
constexpr unsigned kSeed = 7;

/// Random numbers that are the same with every standard library.
class Random {
public:
  explicit Random(unsigned seed) : generator(seed) {}
  unsigned below(unsigned bound) { return generator() % bound; }
  double real() { return generator() / 4294967296.0 - 0.5; }

private:
  std::mt19937 generator;
};

std::string getType(llvm::StringRef dims, llvm::ArrayRef<unsigned> extents,
                    llvm::StringRef element) {
  std::string type = "tensor<";
  for (char dim : dims)
    type += std::to_string(extents[dim - 'a']) + "x";
  return type + element.str() + ">";
}

std::string getMap(llvm::StringRef dims, unsigned numLoops) {
  std::string loops = "a";
  for (unsigned loop = 1; loop < numLoops; ++loop)
    loops += std::string(",") + char('a' + loop);
  std::string results;
  for (char dim : dims)
    results += (results.empty() ? "" : ",") + std::string(1, dim);
  return "affine_map<(" + loops + ") -> (" + results + ")>";
}

/// A random subset of the loops, in random order.
std::string chooseDims(Random &random, unsigned numLoops) {
  std::string dims;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    if (random.below(10) < 7)
      dims.insert(dims.begin() + random.below(dims.size() + 1), 'a' + loop);
  return dims;
}

/// A random einsum of two operands, its diagonals and outer products included.
std::string makeContraction(Random &random, unsigned number) {
  static const unsigned sizes[] = {1,  2,  3,  5,  6,  7,  8,  12,
                                   13, 16, 17, 24, 30, 32, 33, 48};
  unsigned numLoops = 1 + random.below(4);
  std::vector<unsigned> extents;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    extents.push_back(sizes[random.below(std::size(sizes))]);
  std::string element = random.below(3) ? "f32" : "f64";
  std::string a = chooseDims(random, numLoops),
              b = chooseDims(random, numLoops);
  for (unsigned loop = 0; loop < numLoops; ++loop)
    if (a.find('a' + loop) == a.npos && b.find('a' + loop) == b.npos)
      a.push_back('a' + loop);
  if (random.below(8) == 0)
    a.push_back(a.empty() ? 'a' : a.front());
  std::string c = chooseDims(random, numLoops), kinds;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    kinds += std::string(loop ? ", " : "") +
             (c.find('a' + loop) == c.npos ? "\"reduction\"" : "\"parallel\"");
  return llvm::formatv(
      R"mlir(func.func @f{0}(%a: {1}, %b: {2}) -> {3} {{
  %zero = arith.constant 0.0 : {4}
  %e = tensor.empty() : {3}
  %f = linalg.fill ins(%zero : {4}) outs(%e : {3}) -> {3}
  %c = linalg.generic {{indexing_maps = [{5}, {6}, {7}], iterator_types = [{8}]}
      ins(%a, %b : {1}, {2}) outs(%f : {3}) {{
  ^bb0(%x: {4}, %y: {4}, %z: {4}):
    %0 = arith.mulf %x, %y : {4}
    %1 = arith.addf %z, %0 : {4}
    linalg.yield %1 : {4}
  } -> {3}
  return %c : {3}
}
)mlir",
      number, getType(a, extents, element), getType(b, extents, element),
      getType(c, extents, element), element, getMap(a, numLoops),
      getMap(b, numLoops), getMap(c, numLoops), kinds);
}

/// Two products over `batch` positions, what lies between them, and the
/// gradients of both weights and of the bias.
std::string makeChain(unsigned number, unsigned batch, unsigned in,
                      unsigned rank, unsigned out) {
  return llvm::formatv(
      R"mlir(func.func @f{0}(%x: tensor<{1}x{2}xf32>, %a: tensor<{2}x{3}xf32>, %b: tensor<{3}x{4}xf32>, %v: tensor<{4}xf32>)
    -> (tensor<{1}x{4}xf32>, tensor<{2}x{3}xf32>, tensor<{3}x{4}xf32>, tensor<{4}xf32>, tensor<f32>) {{
  %t = cma.contract "bi,ir->br" (%x, %a) : (tensor<{1}x{2}xf32>, tensor<{2}x{3}xf32>) -> tensor<{1}x{3}xf32>
  %p = cma.contract "br,ro->bo" (%t, %b) : (tensor<{1}x{3}xf32>, tensor<{3}x{4}xf32>) -> tensor<{1}x{4}xf32>
  %w = cma.broadcast "o->bo" (%v) : (tensor<{4}xf32>) -> tensor<{1}x{4}xf32>
  %q = arith.addf %p, %w : tensor<{1}x{4}xf32>
  %y = math.absf %q : tensor<{1}x{4}xf32>
  %dt = cma.contract "bo,ro->br" (%y, %b) : (tensor<{1}x{4}xf32>, tensor<{3}x{4}xf32>) -> tensor<{1}x{3}xf32>
  %db = cma.contract "br,bo->ro" (%t, %y) : (tensor<{1}x{3}xf32>, tensor<{1}x{4}xf32>) -> tensor<{3}x{4}xf32>
  %da = cma.contract "bi,br->ir" (%x, %dt) : (tensor<{1}x{2}xf32>, tensor<{1}x{3}xf32>) -> tensor<{2}x{3}xf32>
  %dv = cma.contract "bo->o" (%y) : (tensor<{1}x{4}xf32>) -> tensor<{4}xf32>
  %s = cma.contract "bo->" (%y) : (tensor<{1}x{4}xf32>) -> tensor<f32>
  return %y, %da, %db, %dv, %s : tensor<{1}x{4}xf32>, tensor<{2}x{3}xf32>, tensor<{3}x{4}xf32>, tensor<{4}xf32>, tensor<f32>
}
)mlir",
      number, batch, in, rank, out);
}

template <typename T>
void setRandom(Call &call, unsigned buffer, size_t count, Random &random) {
  std::vector<T> values(count);
  for (T &value : values)
    value = T(random.real());
  call.set(buffer, values);
}

size_t getCount(const cma_buffer_info &info) {
  size_t count = 1;
  for (int32_t dim = 0; dim < info.rank; ++dim)
    count *= info.shape[dim];
  return count;
}

/// All results of one call on random arguments, as double.
std::vector<double> runRandom(const cma_entry *entry, unsigned seed) {
  Random random(seed);
  Call call(entry);
  for (int32_t i = 0; i < entry->num_arguments; ++i) {
    const cma_buffer_info &info = entry->buffers[i];
    if (info.dtype == CMA_DTYPE_F64)
      setRandom<double>(call, i, getCount(info), random);
    else
      setRandom<float>(call, i, getCount(info), random);
  }
  EXPECT_EQ(call.run(), 0);
  std::vector<double> results;
  for (int32_t i = entry->num_arguments; i < entry->num_buffers; ++i) {
    if (entry->buffers[i].dtype == CMA_DTYPE_F64)
      for (double value : call.get<double>(i))
        results.push_back(value);
    else
      for (float value : call.get<float>(i))
        results.push_back(value);
  }
  return results;
}

void compare(const std::string &text, unsigned numFunctions, double tolerance) {
  CompiledText fast(text), plain(text, "fuse=false vectorize=false");
  ASSERT_TRUE(fast);
  ASSERT_TRUE(plain);
  for (unsigned number = 0; number < numFunctions; ++number) {
    std::string name = "f" + std::to_string(number);
    std::vector<double> a = runRandom(fast.lookup(name), kSeed + number);
    std::vector<double> b = runRandom(plain.lookup(name), kSeed + number);
    ASSERT_EQ(a.size(), b.size());
    double largest = 1, error = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      largest = std::max(largest, std::abs(b[i]));
      // Not max: a NaN must not get lost.
      if (!(std::abs(a[i] - b[i]) <= error))
        error = std::abs(a[i] - b[i]);
    }
    EXPECT_LE(error, tolerance * largest)
        << name << " of seed " << kSeed << " in\n"
        << text;
  }
}

TEST(Kernels, Contractions) {
  constexpr unsigned count = 60;
  Random random(kSeed);
  std::string text;
  for (unsigned number = 0; number < count; ++number)
    text += makeContraction(random, number);
  compare(text, count, 2e-5);
}

TEST(Kernels, Chains) {
  std::string text = makeChain(0, 128, 48, 30, 64);
  text += makeChain(1, 257, 33, 7, 50); // tails of every kind
  text += makeChain(2, 67, 96, 16, 32);
  text += makeChain(3, 5, 20, 4, 12); // too small for a loop over tiles
  compare(text, 4, 2e-5);
}
} // namespace
