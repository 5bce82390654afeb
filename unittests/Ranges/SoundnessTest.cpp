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

#include "cma/Dialect/CMA/IR/CMAOps.h"
#include "cma/Dialect/CMA/Transforms/PrecisionOpModels.h"
#include "cma/Dialect/CMA/Transforms/RangeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace cma;
using namespace cma::test;

namespace {

constexpr uint64_t seed = 20261201;
constexpr unsigned extent = 4;

/// Writes a function on 4 x 4 tensors, op by op.
class Writer {
public:
  explicit Writer(std::mt19937_64 &random) : random(random) {}

  std::string write() {
    unsigned numArguments = 1 + draw(3);
    std::string arguments;
    for (unsigned i = 0; i < numArguments; ++i) {
      std::string name = "%a" + std::to_string(i);
      arguments += (i ? ", " : "") + name + ": tensor<4x4xf32>" + drawRange();
      squares.push_back(name);
    }
    body = "  %labels = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi64>\n"
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n"
           "  %c3 = arith.constant 3 : index\n";
    for (unsigned i = 0, e = 1 + draw(12); i < e; ++i)
      addOp(draw(12));
    return "func.func @f(" + arguments + ") {\n" + body + "  return\n}\n";
  }

private:
  unsigned draw(unsigned limit) { return random() % limit; }
  std::string pick(const std::vector<std::string> &names) {
    return names[draw(names.size())];
  }

  /// None, so that anything may come; or bounds of any size.
  std::string drawRange() {
    if (draw(8) == 0)
      return "";
    double scale = std::ldexp(1.0, static_cast<int>(draw(24)) - 12);
    double a = scale * (static_cast<double>(draw(2001)) - 1000) / 500;
    double b = scale * (static_cast<double>(draw(2001)) - 1000) / 500;
    return " {cma.range = #cma.range<" + std::to_string(std::min(a, b)) + ", " +
           std::to_string(std::max(a, b)) + ">}";
  }

  std::string define(const std::string &text,
                     std::vector<std::string> *kind = nullptr) {
    std::string name = "%v" + std::to_string(counter++);
    body += "  " + name + " = " + text + "\n";
    if (kind)
      kind->push_back(name);
    return name;
  }

  void addUnary() {
    static const char *names[] = {
        "cma.relu",      "arith.negf",     "math.exp",   "math.exp2",
        "math.expm1",    "math.log",       "math.log2",  "math.log10",
        "math.log1p",    "math.sqrt",      "math.rsqrt", "math.cbrt",
        "math.tanh",     "math.sinh",      "math.cosh",  "math.erf",
        "math.erfc",     "math.atan",      "math.sin",   "math.cos",
        "math.absf",     "math.floor",     "math.ceil",  "math.round",
        "math.trunc",    "math.roundeven", "cma.gelu",   "cma.softmax",
        "cma.layer_norm"};
    define(std::string(names[draw(std::size(names))]) + " " + pick(squares) +
               " : tensor<4x4xf32>",
           &squares);
  }

  void addBinary() {
    static const char *names[] = {
        "arith.addf",         "arith.subf",    "arith.mulf",
        "arith.divf",         "arith.remf",    "arith.maximumf",
        "arith.minimumf",     "arith.maxnumf", "arith.minnumf",
        "math.powf",          "math.copysign", "cma.gelu_grad",
        "cma.layer_norm_grad"};
    define(std::string(names[draw(std::size(names))]) + " " + pick(squares) +
               ", " + pick(squares) + " : tensor<4x4xf32>",
           &squares);
  }

  void addConstant() {
    double value = std::ldexp(static_cast<double>(draw(2001)) - 1000,
                              static_cast<int>(draw(30)) - 20);
    define("arith.constant dense<" + std::to_string(value) +
               "> : tensor<4x4xf32>",
           &squares);
  }

  void addContraction() {
    static const char *equations[] = {"ij,jk->ik", "ij,ij->ij", "ij,kj->ik",
                                      "ij,ji->ij"};
    define("cma.contract \"" + std::string(equations[draw(4)]) + "\" (" +
               pick(squares) + ", " + pick(squares) +
               ") : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
           &squares);
  }

  /// A sum or a diagonal, and back to a square.
  void addVector() {
    static const char *sums[] = {"ij->i", "ij->j", "ii->i"};
    static const char *spreads[] = {"i->ij", "j->ij", "i->ii"};
    std::string vector =
        define("cma.contract \"" + std::string(sums[draw(3)]) + "\" (" +
               pick(squares) + ") : (tensor<4x4xf32>) -> tensor<4xf32>");
    define("cma.broadcast \"" + std::string(spreads[draw(3)]) + "\" (" +
               vector + ") : (tensor<4xf32>) -> tensor<4x4xf32>",
           &squares);
    if (draw(2))
      define("cma.layer_norm " + pick(squares) + " scale(" + vector +
                 ") shift(" + vector +
                 ") : tensor<4x4xf32> scale(tensor<4xf32>) "
                 "shift(tensor<4xf32>)",
             &squares);
  }

  void addSelect() {
    std::string condition = define("arith.cmpf olt, " + pick(squares) + ", " +
                                   pick(squares) + " : tensor<4x4xf32>");
    define("arith.select " + condition + ", " + pick(squares) + ", " +
               pick(squares) + " : tensor<4x4xi1>, tensor<4x4xf32>",
           &squares);
  }

  void addLoss() {
    if (draw(2))
      return (void)define("cma.mse " + pick(squares) + ", " + pick(squares) +
                          " : tensor<4x4xf32> -> tensor<f32>");
    std::string loss = define("cma.cross_entropy " + pick(squares) +
                              ", %labels : tensor<4x4xf32>, tensor<4xi64> -> "
                              "tensor<f32>");
    define("cma.cross_entropy_grad " + pick(squares) + ", %labels, " + loss +
               " : tensor<4x4xf32>, tensor<4xi64>, tensor<f32>",
           &squares);
  }

  void addMoves() {
    std::string both =
        define("tensor.concat dim(0) " + pick(squares) + ", " + pick(squares) +
               " : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>");
    define("tensor.extract_slice " + both +
               "[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>",
           &squares);
  }

  void addLoop() {
    static const char *names[] = {"arith.addf", "arith.mulf", "arith.subf",
                                  "arith.maximumf"};
    std::string id = std::to_string(counter++);
    body += "  %v" + id + " = scf.for %i" + id +
            " = %c0 to %c3 step %c1 iter_args(%s" + id + " = " + pick(squares) +
            ") -> (tensor<4x4xf32>) {\n    %b" + id + " = " + names[draw(4)] +
            " %s" + id + ", " + pick(squares) +
            " : tensor<4x4xf32>\n    scf.yield %b" + id +
            " : tensor<4x4xf32>\n  }\n";
    squares.push_back("%v" + id);
  }

  void addOp(unsigned kind) {
    switch (kind) {
    case 0:
      return addConstant();
    case 1:
    case 2:
      return addContraction();
    case 3:
      return addVector();
    case 4:
      return addSelect();
    case 5:
      return addLoss();
    case 6:
      return addMoves();
    case 7:
      return addLoop();
    case 8:
    case 9:
      return addBinary();
    default:
      return addUnary();
    }
  }

  std::mt19937_64 &random;
  std::vector<std::string> squares;
  std::string body;
  unsigned counter = 0;
};

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

float roundTo(float value, const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
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
    std::string text = Writer(random).write();
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    auto func = *module->getOps<func::FuncOp>().begin();
    RangeOptions options;
    options.low = low;
    RangeAnalysis ranges(func, options);
    std::string failure;
    for (unsigned run = 0; run < 4 && failure.empty(); ++run) {
      std::vector<Numbers> arguments;
      for (Value argument : func.getArguments())
        arguments.push_back(drawNumbers(random, ranges.getInterval(argument)));
      Interpreter interpreter([&](Value value, Numbers &numbers) {
        if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
          return;
        Interval interval = ranges.getInterval(value);
        ++total;
        bounded += interval.isFinite();
        if (run % 2 && isKnownToFit(interval, format))
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
