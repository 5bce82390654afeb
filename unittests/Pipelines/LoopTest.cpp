//===- LoopTest.cpp - Loops keep value semantics --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs loops over tensors.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

using namespace cma;
using namespace cma::test;

/// Each iteration inserts a row into the same tensor from outside, so every row
/// is counted once.
TEST(LoopTest, InsertionIntoATensorFromOutside) {
  CompiledText text(R"mlir(
func.func @f(%x: tensor<4xf64>) -> tensor<7x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant dense<0.0> : tensor<7x4xf64>
  %0 = scf.for %i = %c0 to %c7 step %c1
      iter_args(%sum = %z) -> (tensor<7x4xf64>) {
    %y = arith.mulf %x, %x : tensor<4xf64>
    %v = tensor.insert_slice %y into %z[%i, 0] [1, 4] [1, 1]
        : tensor<4xf64> into tensor<7x4xf64>
    %1 = arith.addf %sum, %v : tensor<7x4xf64>
    scf.yield %1 : tensor<7x4xf64>
  }
  return %0 : tensor<7x4xf64>
}
)mlir");
  ASSERT_TRUE(text);
  Call call(text.lookup("f"));
  call.set<double>(0, {1, 2, 3, 4});
  EXPECT_EQ(call.run(), 0);
  std::vector<double> result = call.get<double>(1);
  ASSERT_EQ(result.size(), 28u);
  for (size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], double((i % 4 + 1) * (i % 4 + 1))) << "element " << i;
}
