//===- LabelCheckTest.cpp - Labels out of range end the call --------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs functions with label checks on good and bad labels.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace cma;
using namespace cma::test;

/// Result 0 does not depend on the checks; result 1 comes before them.
static const char *const kText = R"mlir(
func.func @f(%x: tensor<4xf32> {cma.name = "x"}, %a: tensor<2x3xi32>, %b: tensor<4xi64>)
    -> (tensor<4xf32> {cma.updates = "x"}, tensor<3x2xi32>) {
  %e = tensor.empty() : tensor<3x2xi32>
  %t = linalg.transpose ins(%a : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) permutation = [1, 0]
  %y = arith.addf %x, %x : tensor<4xf32>
  cma.check_labels %t {num_classes = 5 : i64, ignore_index = -100 : i64, argument = "a"} : tensor<3x2xi32>
  cma.check_labels %b {num_classes = 3000000000 : i64, argument = "b"} : tensor<4xi64>
  return %y, %t : tensor<4xf32>, tensor<3x2xi32>
})mlir";

namespace {
class LabelCheck : public ::testing::Test {
protected:
  LabelCheck() : text(kText) {}

  /// A call with labels; `a` is 2 x 3.
  Call makeCall(const std::vector<int32_t> &a, const std::vector<int64_t> &b) {
    Call call(text.lookup("f"));
    call.set<float>(0, {1, 2, 3, 4});
    call.set(1, a);
    call.set(2, b);
    return call;
  }
  static void expectNothingWritten(const Call &call) {
    EXPECT_EQ(call.get<float>(0), std::vector<float>({1, 2, 3, 4}));
    EXPECT_TRUE(call.isUntouched(3));
  }

  CompiledText text;
};

TEST_F(LabelCheck, GoodLabelsPass) {
  Call call = makeCall({0, 1, 2, 3, 4, -100}, {0, 2999999999, 5, 1});
  EXPECT_EQ(call.run(), CMA_STATUS_OK);
  EXPECT_EQ(call.get<float>(0), std::vector<float>({2, 4, 6, 8}));
  EXPECT_EQ(call.get<int32_t>(3), std::vector<int32_t>({0, 3, 1, 4, 2, -100}));
}

TEST_F(LabelCheck, FirstBadLabelIsNamed) {
  // Transposed, the labels are 0 3 7 4 2 -1.
  Call call = makeCall({0, 7, 2, 3, 4, -1}, {0, 0, -1, 0});
  EXPECT_EQ(call.run(), CMA_STATUS_LABEL_OUT_OF_RANGE);
  const cma_status &status = call.getStatus();
  EXPECT_EQ(status.code, CMA_STATUS_LABEL_OUT_OF_RANGE);
  EXPECT_EQ(status.reserved, 0);
  EXPECT_EQ(status.index, 2);
  EXPECT_EQ(status.value, 7);
  EXPECT_EQ(status.limit, 5);
  EXPECT_STREQ(status.argument, "a");
  EXPECT_TRUE(std::strstr(status.location, ":7:")) << status.location;
  expectNothingWritten(call);
}

TEST_F(LabelCheck, SecondCheckReports) {
  Call call = makeCall({0, 1, 2, 3, 4, -100}, {0, 1, 3000000000, -1});
  EXPECT_EQ(call.run(), CMA_STATUS_LABEL_OUT_OF_RANGE);
  EXPECT_EQ(call.getStatus().index, 2);
  EXPECT_EQ(call.getStatus().value, 3000000000);
  EXPECT_EQ(call.getStatus().limit, 3000000000);
  EXPECT_STREQ(call.getStatus().argument, "b");
  EXPECT_TRUE(std::strstr(call.getStatus().location, ":8:"));
  expectNothingWritten(call);
}

TEST_F(LabelCheck, NegativeAndOtherIgnoreIndex) {
  Call call = makeCall({0, 1, 2, 3, 4, -1}, {0, 1, 2, 3});
  EXPECT_EQ(call.run(), CMA_STATUS_LABEL_OUT_OF_RANGE);
  EXPECT_EQ(call.getStatus().index, 5);
  EXPECT_EQ(call.getStatus().value, -1);
}

TEST(LabelChecks, NoLabelsAndNoClasses) {
  CompiledText text(R"mlir(
func.func @f(%a: tensor<0xi64>, %b: tensor<i64>) -> tensor<i64> {
  cma.check_labels %a {num_classes = 0 : i64, argument = "a"} : tensor<0xi64>
  cma.check_labels %b {num_classes = 0 : i64, ignore_index = 3 : i64, argument = "b"} : tensor<i64>
  return %b : tensor<i64>
})mlir");
  ASSERT_TRUE(text);
  Call good(text.lookup("f"));
  good.set<int64_t>(1, {3});
  EXPECT_EQ(good.run(), CMA_STATUS_OK);
  EXPECT_EQ(good.get<int64_t>(2), std::vector<int64_t>({3}));
  Call bad(text.lookup("f"));
  bad.set<int64_t>(1, {0});
  EXPECT_EQ(bad.run(), CMA_STATUS_LABEL_OUT_OF_RANGE);
  EXPECT_EQ(bad.getStatus().index, 0);
  EXPECT_TRUE(bad.isUntouched(2));
}
} // namespace
