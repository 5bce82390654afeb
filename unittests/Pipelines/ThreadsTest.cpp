//===- ThreadsTest.cpp - Results do not depend on the number of threads ---===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs one step on one, two and three threads, and without OpenMP.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "cma/ExecutionEngine/OpenMPRuntime.h"

#include "gtest/gtest.h"

#include <random>

using namespace cma;
using namespace cma::test;

/// A low-rank pair, its elementwise tail, a loss, and the gradient of a factor:
/// sums over the batch axis.
static const char *const kText = R"mlir(
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
#xt = affine_map<(i, j, k) -> (k, i)>
#id = affine_map<(i, j) -> (i, j)>
#all = affine_map<(i, j) -> ()>
func.func @f(%x: tensor<517x70xf32>, %a: tensor<70x10xf32>, %b: tensor<10x90xf32>) -> (tensor<517x90xf32>, tensor<f32>, tensor<10x90xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<517x10xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<517x10xf32>) -> tensor<517x10xf32>
  %h = linalg.matmul ins(%x, %a : tensor<517x70xf32>, tensor<70x10xf32>) outs(%f0 : tensor<517x10xf32>) -> tensor<517x10xf32>
  %e1 = tensor.empty() : tensor<517x90xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<517x90xf32>) -> tensor<517x90xf32>
  %p = linalg.matmul ins(%h, %b : tensor<517x10xf32>, tensor<10x90xf32>) outs(%f1 : tensor<517x90xf32>) -> tensor<517x90xf32>
  %y = math.tanh %p : tensor<517x90xf32>
  %e2 = tensor.empty() : tensor<f32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<517x90xf32>) outs(%f2 : tensor<f32>) {
  ^bb0(%v: f32, %o: f32):
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e3 = tensor.empty() : tensor<10x90xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<10x90xf32>) -> tensor<10x90xf32>
  %db = linalg.generic {indexing_maps = [#xt, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %y : tensor<517x10xf32>, tensor<517x90xf32>) outs(%f3 : tensor<10x90xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %q = arith.mulf %u, %v : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<10x90xf32>
  return %y, %loss, %db : tensor<517x90xf32>, tensor<f32>, tensor<10x90xf32>
})mlir";

static constexpr unsigned kNumArguments = 3;
static constexpr unsigned kNumBuffers = 6;

static std::vector<float> makeRandom(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-0.3f, 0.3f);
  std::vector<float> values(count);
  for (float &value : values)
    value = uniform(generator);
  return values;
}

/// The three results of one call.
static std::vector<std::vector<float>> runOnce(const cma_entry *entry) {
  Call call(entry);
  call.set(0, makeRandom(517 * 70, 1));
  call.set(1, makeRandom(70 * 10, 2));
  call.set(2, makeRandom(10 * 90, 3));
  EXPECT_EQ(call.run(), 0);
  std::vector<std::vector<float>> results;
  for (unsigned i = kNumArguments; i < kNumBuffers; ++i)
    results.push_back(call.get<float>(i));
  return results;
}

TEST(Threads, SameBits) {
  CompiledText text(kText);
  ASSERT_TRUE(text);
  const cma_entry *entry = text.lookup("f");
  ASSERT_TRUE(entry);
  auto runtime = OpenMPRuntime::get();
  ASSERT_TRUE(bool(runtime)) << llvm::toString(runtime.takeError());
  int before = runtime->getMaxThreads();
  runtime->setNumThreads(1);
  auto single = runOnce(entry);
  for (int threads : {2, 3}) {
    runtime->setNumThreads(threads);
    EXPECT_EQ(runOnce(entry), single) << threads << " threads";
  }
  runtime->setNumThreads(before);
  CompiledText sequential(kText, "threads=false");
  ASSERT_TRUE(sequential);
  EXPECT_EQ(runOnce(sequential.lookup("f")), single);
}

TEST(Threads, PlainLoopsAgree) {
  CompiledText fast(kText), plain(kText, "fuse=false vectorize=false");
  ASSERT_TRUE(fast && plain);
  auto a = runOnce(fast.lookup("f"));
  auto b = runOnce(plain.lookup("f"));
  ASSERT_EQ(a.size(), b.size());
  // The loss is a sum of squares, which the plain loop adds one by one.
  const double bounds[] = {1e-5, 517 * 90 * 0x1p-24, 1e-5};
  for (size_t r = 0; r < a.size(); ++r)
    for (size_t i = 0; i < a[r].size(); ++i)
      ASSERT_NEAR(a[r][i], b[r][i], bounds[r] * (1 + std::abs(b[r][i])))
          << "result " << r << ", element " << i;
}
