//===- EntryTest.cpp - Entries give what the functions mean ---------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs functions whose results, arguments and buffers stand in every
// relation that the entry must keep apart.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

using namespace cma;
using namespace cma::test;

namespace {
using Floats = std::vector<float>;

TEST(Entry, TableDescribesTheFunction) {
  CompiledText text(R"mlir(
func.func @f(%p: tensor<2x3xf32> {cma.name = "p", cma.role = "parameter"}, %x: tensor<2x3xf32>, %i: tensor<i64> {cma.name = "count"})
    -> (tensor<f64>, tensor<2x3xf32> {cma.updates = "p"}, tensor<0x4xi1> {cma.role = "logits"}) {
  %c = arith.constant dense<1.5> : tensor<f64>
  %e = tensor.empty() : tensor<0x4xi1>
  %s = arith.addf %p, %x : tensor<2x3xf32>
  return %c, %s, %e : tensor<f64>, tensor<2x3xf32>, tensor<0x4xi1>
})mlir");
  ASSERT_TRUE(text);
  const cma_entry *entry = text.lookup("f");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->abi_version, CMA_ENTRY_ABI_VERSION);
  EXPECT_STREQ(entry->name, "f");
  ASSERT_EQ(entry->num_buffers, 5);
  EXPECT_EQ(entry->num_arguments, 3);
  ASSERT_EQ(entry->num_results, 3);
  EXPECT_EQ(entry->result_buffers[0], 3);
  EXPECT_EQ(entry->result_buffers[1], 0);
  EXPECT_EQ(entry->result_buffers[2], 4);
  const cma_buffer_info *rows = entry->buffers;
  EXPECT_STREQ(rows[0].name, "p");
  EXPECT_STREQ(rows[0].role, "parameter");
  EXPECT_EQ(rows[0].dtype, CMA_DTYPE_F32);
  ASSERT_EQ(rows[0].rank, 2);
  EXPECT_EQ(rows[0].shape[0], 2);
  EXPECT_EQ(rows[0].shape[1], 3);
  EXPECT_EQ(rows[0].donated, 1);
  EXPECT_EQ(rows[0].is_result, 0);
  EXPECT_STREQ(rows[1].name, "1");
  EXPECT_STREQ(rows[1].role, "");
  EXPECT_EQ(rows[1].donated, 0);
  EXPECT_STREQ(rows[2].name, "count");
  EXPECT_EQ(rows[2].dtype, CMA_DTYPE_I64);
  EXPECT_EQ(rows[2].rank, 0);
  EXPECT_STREQ(rows[3].name, "0");
  EXPECT_EQ(rows[3].dtype, CMA_DTYPE_F64);
  EXPECT_EQ(rows[3].is_result, 1);
  EXPECT_STREQ(rows[4].name, "2");
  EXPECT_STREQ(rows[4].role, "logits");
  EXPECT_EQ(rows[4].dtype, CMA_DTYPE_I1);
  EXPECT_EQ(rows[4].shape[0], 0);
  EXPECT_EQ(entry->workspace_bytes, 0);

  Call call(entry);
  call.set<float>(0, {1, 2, 3, 4, 5, 6});
  call.set<float>(1, {1, 1, 1, 1, 1, 1});
  call.set<int64_t>(2, {0});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  EXPECT_EQ(call.get<float>(0), Floats({2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(call.get<double>(3), std::vector<double>({1.5}));
  EXPECT_EQ(call.getStatus().code, CMA_STATUS_OK);
  EXPECT_STREQ(call.getStatus().argument, "");
  EXPECT_STREQ(call.getStatus().location, "");
}

TEST(Entry, ReturnsArgumentsDuplicatesAndConstants) {
  CompiledText text(R"mlir(
func.func @f(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi16>, tensor<2xi1>, tensor<4xi8>) {
  %y = arith.addi %x, %x : tensor<3xi32>
  %c = arith.constant dense<[7, -8]> : tensor<2xi16>
  %b = arith.constant dense<[true, false]> : tensor<2xi1>
  %s = arith.constant dense<-3> : tensor<4xi8>
  return %x, %y, %x, %y, %c, %b, %s : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi16>, tensor<2xi1>, tensor<4xi8>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  using Ints = std::vector<int32_t>;
  call.set<int32_t>(0, {1, -2, 3});
  EXPECT_EQ(call.run(), 0);
  EXPECT_EQ(call.get<int32_t>(0), Ints({1, -2, 3}));
  EXPECT_EQ(call.get<int32_t>(1), Ints({1, -2, 3}));
  EXPECT_EQ(call.get<int32_t>(2), Ints({2, -4, 6}));
  EXPECT_EQ(call.get<int32_t>(3), Ints({1, -2, 3}));
  EXPECT_EQ(call.get<int32_t>(4), Ints({2, -4, 6}));
  EXPECT_EQ(call.get<int16_t>(5), std::vector<int16_t>({7, -8}));
  EXPECT_EQ(call.get<uint8_t>(6), std::vector<uint8_t>({1, 0}));
  EXPECT_EQ(call.get<int8_t>(7), std::vector<int8_t>({-3, -3, -3, -3}));
}

TEST(Entry, DonatedArgumentsMaySwap) {
  CompiledText text(R"mlir(
func.func @f(%a: tensor<3xf32> {cma.name = "a"}, %b: tensor<3xf32> {cma.name = "b"})
    -> (tensor<3xf32> {cma.updates = "a"}, tensor<3xf32> {cma.updates = "b"}, tensor<3xf32>) {
  return %b, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @crossed(%a: tensor<3xf32> {cma.name = "a"}, %b: tensor<3xf32> {cma.name = "b"})
    -> (tensor<3xf32> {cma.updates = "a"}, tensor<3xf32> {cma.updates = "b"}) {
  %x = arith.addf %b, %b : tensor<3xf32>
  %y = arith.negf %a : tensor<3xf32>
  return %x, %y : tensor<3xf32>, tensor<3xf32>
})mlir");
  ASSERT_TRUE(text);
  Call swap(text.lookup("f"));
  swap.set<float>(0, {1, 2, 3});
  swap.set<float>(1, {4, 5, 6});
  EXPECT_EQ(swap.run(), 0);
  EXPECT_EQ(swap.get<float>(0), Floats({4, 5, 6}));
  EXPECT_EQ(swap.get<float>(1), Floats({1, 2, 3}));
  EXPECT_EQ(swap.get<float>(2), Floats({1, 2, 3}));
  Call crossed(text.lookup("crossed"));
  crossed.set<float>(0, {1, 2, 3});
  crossed.set<float>(1, {4, 5, 6});
  EXPECT_EQ(crossed.run(), 0);
  EXPECT_EQ(crossed.get<float>(0), Floats({8, 10, 12}));
  EXPECT_EQ(crossed.get<float>(1), Floats({-1, -2, -3}));
}

TEST(Entry, OldValueIsReadAfterTheUpdate) {
  CompiledText text(R"mlir(
func.func @f(%p: tensor<2x2xf32> {cma.name = "p"}, %g: tensor<2x2xf32>) -> (tensor<2x2xf32> {cma.updates = "p"}, tensor<f32>, tensor<2x2xf32>) {
  %new = arith.subf %p, %g : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%p : tensor<2x2xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %new, %sum, %p : tensor<2x2xf32>, tensor<f32>, tensor<2x2xf32>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  call.set<float>(0, {1, 2, 3, 4});
  call.set<float>(1, {1, 1, 1, 1});
  EXPECT_EQ(call.run(), 0);
  EXPECT_EQ(call.get<float>(0), Floats({0, 1, 2, 3}));
  EXPECT_EQ(call.get<float>(2), Floats({10}));
  EXPECT_EQ(call.get<float>(3), Floats({1, 2, 3, 4}));
}

TEST(Entry, ZeroSizesAndRankZero) {
  CompiledText text(R"mlir(
func.func @main(%x: tensor<0x3xf32>, %w: tensor<3x2xf32>, %s: tensor<f64>) -> (tensor<0x2xf32>, tensor<3x0xf32>, tensor<2x2xf32>, tensor<f64>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<0x2xf32>) -> tensor<0x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<0x3xf32>, tensor<3x2xf32>) outs(%f : tensor<0x2xf32>) -> tensor<0x2xf32>
  %empty = arith.constant dense<> : tensor<3x0xf32>
  // A sum over nothing is zero.
  %g = tensor.empty() : tensor<2x2xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %y : tensor<0x2xf32>, tensor<0x2xf32>) outs(%h : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  %d = arith.mulf %s, %s : tensor<f64>
  return %y, %empty, %z, %d : tensor<0x2xf32>, tensor<3x0xf32>, tensor<2x2xf32>, tensor<f64>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("main"));
  call.set<float>(1, {1, 2, 3, 4, 5, 6});
  call.set<double>(2, {3});
  EXPECT_EQ(call.run(), 0);
  EXPECT_EQ(call.get<float>(5), Floats({0, 0, 0, 0}));
  EXPECT_EQ(call.get<double>(6), std::vector<double>({9}));
}

TEST(Entry, LoopsCarryTensors) {
  CompiledText text(R"mlir(
func.func @expf(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    %q = arith.addf %p, %y : tensor<2x2xf32>
    scf.yield %q, %x : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %r#0, %r#1 : tensor<2x2xf32>, tensor<2x2xf32>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("expf"));
  Floats x = {1, 2, 3, 4}, y = {5, 6, 7, 8}, w = {1, -1, 2, 0};
  call.set(0, x);
  call.set(1, y);
  call.set(2, w);
  EXPECT_EQ(call.run(), 0);
  for (int i = 0; i < 3; ++i) {
    Floats next(4);
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c)
        next[2 * r + c] =
            x[2 * r] * w[c] + x[2 * r + 1] * w[2 + c] + y[2 * r + c];
    y = x;
    x = next;
  }
  EXPECT_EQ(call.get<float>(3), x);
  EXPECT_EQ(call.get<float>(4), y);
  EXPECT_EQ(call.get<float>(0), Floats({1, 2, 3, 4}));
}

TEST(Entry, BranchesYieldTensors) {
  CompiledText text(R"mlir(
func.func @f(%p: tensor<3xf32> {cma.name = "p"}, %x: tensor<3xf32>, %n: tensor<i64>)
    -> (tensor<3xf32> {cma.updates = "p"}, tensor<3xf32>) {
  %c0 = arith.constant 0 : i64
  %v = tensor.extract %n[] : tensor<i64>
  %b = arith.cmpi sgt, %v, %c0 : i64
  %s = scf.if %b -> tensor<3xf32> {
    %y = arith.addf %p, %x : tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  %t = arith.mulf %s, %p : tensor<3xf32>
  return %s, %t : tensor<3xf32>, tensor<3xf32>
})mlir");
  ASSERT_TRUE(text);
  for (int64_t n : {1, 0}) {
    Call call(text.lookup("f"));
    call.set<float>(0, {1, 2, 3});
    call.set<float>(1, {4, 5, 6});
    call.set<int64_t>(2, {n});
    EXPECT_EQ(call.run(), 0);
    EXPECT_EQ(call.get<float>(0), n ? Floats({5, 7, 9}) : Floats({4, 5, 6}));
    EXPECT_EQ(call.get<float>(1), Floats({4, 5, 6}));
    EXPECT_EQ(call.get<float>(3),
              n ? Floats({5, 14, 27}) : Floats({4, 10, 18}));
  }
}

TEST(Entry, NothingToDo) {
  CompiledText text("func.func @f() { return }");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  EXPECT_EQ(call.run(), 0);
}

TEST(Entry, MovesData) {
  CompiledText text(R"mlir(
func.func @f(%x: tensor<2x3xf32>) -> (tensor<3x4xf32>, tensor<5x3xf32>, tensor<2x1xf32>, tensor<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<3x4xf32>
  %c = tensor.extract_slice %p[0, 1] [3, 3] [1, 1] : tensor<3x4xf32> to tensor<3x3xf32>
  %cat = tensor.concat dim(0) %x, %c : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
  %s = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %p, %cat, %s, %flat : tensor<3x4xf32>, tensor<5x3xf32>, tensor<2x1xf32>, tensor<6xf32>
})mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  call.set<float>(0, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(call.run(), 0);
  EXPECT_EQ(call.get<float>(1), Floats({0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0}));
  EXPECT_EQ(call.get<float>(2),
            Floats({1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0}));
  EXPECT_EQ(call.get<float>(3), Floats({2, 5}));
  EXPECT_EQ(call.get<float>(4), Floats({1, 2, 3, 4, 5, 6}));
}
} // namespace
