//===- KnownRangesTest.cpp - Ranges of known functions --------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file tests the bounds that the range analysis gives to values of small
// functions.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"
#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace cma;

namespace {

/// The intervals of what a function returns.
std::vector<Interval> getReturned(llvm::StringRef text) {
  DialectRegistry registry;
  registry.insert<CMADialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect, tensor::TensorDialect>();
  registerPrecisionOpModels(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module) {
    ADD_FAILURE() << text.str();
    return {};
  }
  auto func = *module->getOps<func::FuncOp>().begin();
  RangeOptions options;
  RangeAnalysis ranges(func, options);
  std::vector<Interval> intervals;
  for (Value value : func.getBody().front().getTerminator()->getOperands()) {
    intervals.push_back(ranges.getInterval(value));
    EXPECT_LE(intervals.back().low, intervals.back().high);
  }
  return intervals;
}

/// Bounds that cross would turn around in the sum and prove what is not so.
TEST(KnownRanges, ConstantsWithoutNumbers) {
  std::vector<Interval> all = getReturned(R"mlir(
func.func @f(%x: tensor<4xf32> {cma.range = #cma.range<-2.0, 3.0>}, %y: tensor<0xf32> {cma.range = #cma.range<-2.0, 3.0>})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<0xf32>, f32, tensor<3xf32>) {
  %nan = arith.constant dense<0x7FC00000> : tensor<4xf32>
  %sum = arith.addf %x, %nan : tensor<4xf32>
  %none = arith.constant dense<> : tensor<0xf32>
  %empty = arith.addf %y, %none : tensor<0xf32>
  %scalar = arith.constant 0x7FC00000 : f32
  %some = arith.constant dense<[1.0, 0x7FC00000, -5.0]> : tensor<3xf32>
  return %nan, %sum, %none, %empty, %scalar, %some : tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<0xf32>, f32, tensor<3xf32>
})mlir");
  ASSERT_EQ(all.size(), 6u);
  for (unsigned i : {0, 1, 4, 5})
    EXPECT_TRUE(all[i].contains(NAN)) << i;
  EXPECT_TRUE(all[2].isFinite());
  EXPECT_TRUE(all[3].isFinite());
  EXPECT_EQ(all[5].low, -5);
  EXPECT_EQ(all[5].high, 1);
}

/// What lies wholly beyond the largest number becomes that number.
TEST(KnownRanges, SaturatedCasts) {
  std::vector<Interval> all = getReturned(R"mlir(
func.func @f(%x: tensor<4xf32> {cma.range = #cma.range<1.0e6, 2.0e6>}, %y: tensor<4xf32> {cma.range = #cma.range<-3.4028234e38, -3.4027e38>})
    -> (tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf32>, tensor<4xf32>) {
  %h = cma.cast %x overflow(saturate) : tensor<4xf32> to tensor<4xf16>
  %e = cma.cast %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  %s = cma.cast %y tf32 overflow(saturate) : tensor<4xf32> to tensor<4xf32>
  %i = cma.cast %y tf32 round(toward_zero) : tensor<4xf32> to tensor<4xf32>
  return %h, %e, %s, %i : tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf32>, tensor<4xf32>
})mlir");
  ASSERT_EQ(all.size(), 4u);
  for (auto [i, expected] : {std::pair(0, 65504.0), std::pair(1, 448.0),
                             std::pair(2, -0x1.ffcp127)}) {
    EXPECT_EQ(all[i].low, expected);
    EXPECT_EQ(all[i].high, expected);
  }
  EXPECT_TRUE(all[3].contains(-0x1.ffcp127));
  EXPECT_TRUE(all[3].contains(-INFINITY));
}

/// A mean may be within f32 while the sum that it is made of is not.
TEST(KnownRanges, SumsOfLosses) {
  std::vector<Interval> all = getReturned(R"mlir(
func.func @f(%x: tensor<1024xf32> {cma.range = #cma.range<0.0, 9.0e17>}, %y: tensor<1024xf32> {cma.range = #cma.range<0.0, 1.0e17>},
             %z: tensor<4x4xf32> {cma.range = #cma.range<-1.0e38, 1.0e38>}, %l: tensor<4xi64>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %a = cma.mse %x, %x : tensor<1024xf32> -> tensor<f32>
  %b = cma.mse %y, %y : tensor<1024xf32> -> tensor<f32>
  %c = cma.cross_entropy %z, %l : tensor<4x4xf32>, tensor<4xi64> -> tensor<f32>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
})mlir");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[0].contains(INFINITY));
  EXPECT_TRUE(all[1].isFinite());
  EXPECT_TRUE(all[2].contains(INFINITY));
}

} // namespace
