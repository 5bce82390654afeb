//===- SoundnessTest.cpp - Random executions stay within ranges -----------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file runs random functions on random numbers and checks that no value
// leaves the interval that the range analysis gives it, also where values are
// rounded to a low type.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "RandomFunction.h"

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"
#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace cma;
using namespace cma::test;

namespace {

constexpr uint64_t seed = 20261201;
constexpr unsigned extent = 4;

/// Numbers of the argument's range, its ends included; any without one.
Numbers drawNumbers(std::mt19937_64 &random, const Interval &range) {
  Numbers numbers;
  std::uniform_real_distribution<double> unit(0, 1);
  for (unsigned i = 0; i < extent * extent; ++i) {
    double x;
    if (!range.isFinite()) {
      static const float special[] = {0,   -0.0f, 1,      INFINITY, -INFINITY,
                                      NAN, 3e38f, -3e38f, 1e-45f};
      x = random() % 3 ? std::ldexp(unit(random) - 0.5,
                                    static_cast<int>(random() % 40) - 20)
                       : special[random() % std::size(special)];
    } else {
      switch (random() % 5) {
      case 0:
        x = range.low;
        break;
      case 1:
        x = range.high;
        break;
      case 2:
        x = range.containsZero() ? 0 : range.low;
        break;
      default:
        x = range.low + unit(random) * (range.high - range.low);
      }
      x = std::min(std::max(x, range.low), range.high);
    }
    numbers.push_back(static_cast<float>(x));
  }
  return numbers;
}

class Soundness : public ::testing::TestWithParam<unsigned> {};

/// A thousand functions for each of f32, f16 and bf16.
TEST_P(Soundness, ExecutionsStayInRange) {
  DialectRegistry registry;
  registry.insert<CMADialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
  registerPrecisionOpModels(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
  FloatType types[] = {Float32Type::get(&context), Float16Type::get(&context),
                       BFloat16Type::get(&context)};
  FloatType low = types[GetParam()];
  FloatFormat format = getFloatFormat(low);
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed + GetParam());
  uint64_t bounded = 0, total = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    std::string text = writeRandomFunction(random);
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    auto func = *module->getOps<func::FuncOp>().begin();
    RangeOptions options;
    options.low = low;
    RangeAnalysis ranges(func, options);
    std::string failure;
    llvm::DenseSet<Value> seen;
    for (unsigned run = 0; run < 4 && failure.empty(); ++run) {
      std::vector<Numbers> arguments;
      for (Value argument : func.getArguments())
        arguments.push_back(drawNumbers(random, ranges.getInterval(argument)));
      Interpreter interpreter([&](Value value, Numbers &numbers) {
        if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
          return;
        Interval interval = ranges.getInterval(value);
        if (seen.insert(value).second) { // not once for each time in a loop
          ++total;
          bounded += interval.isFinite();
        }
        // Only what is of f32 is ever lowered.
        if (run % 2 && getElementTypeOrSelf(value.getType()).isF32() &&
            isKnownToFit(interval, format))
          for (float &x : numbers)
            x = roundTo(x, low.getFloatSemantics());
        for (float x : numbers)
          if (!interval.contains(x) && failure.empty()) {
            llvm::raw_string_ostream(failure)
                << x << " of " << value << " outside " << interval.low
                << " ... " << interval.high;
          }
      });
      ASSERT_TRUE(interpreter.run(func, arguments)) << text;
    }
    ASSERT_TRUE(failure.empty())
        << "seed " << seed + GetParam() << ", function " << i << ": " << failure
        << "\n"
        << text;
  }
  // Bounds that say nothing are sound, too.
  EXPECT_GT(bounded * 3, total);
}

INSTANTIATE_TEST_SUITE_P(Types, Soundness, ::testing::Values(0u, 1u, 2u));

} // namespace
