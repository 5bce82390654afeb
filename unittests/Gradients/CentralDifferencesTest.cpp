//===- CentralDifferencesTest.cpp - Gradients against differences ---------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function in Inputs/*.mlir is differentiated, and each gradient compared
// with central differences of the compiled function, in f64:
//   ||g - fd||inf <= 1e-6 max(1, ||fd||inf).
// A file holds functions @f separated by `// -----`. Comments in a function's
// section say how its inputs are drawn:
//   // RANGE: LOW HIGH    floats between these; without it their magnitude is
//                         0.2 to 1.2 with a random sign, which keeps away from
//                         kinks at 0
//   // CLASSES: N         integers are labels below N
//   // IGNORE: VALUE      every third label is VALUE instead
//   // ZERO               the gradients are zero
//
//===----------------------------------------------------------------------===//

#include "Differentiated.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace cma::test;
using llvm::StringRef;

static constexpr unsigned kSeed = 20261130;
static constexpr double kStep = 1e-5;

namespace {
/// What the comments of a section ask for.
struct Drawing {
  explicit Drawing(StringRef text);

  double drawFloat(std::mt19937_64 &rng) const;
  int64_t drawLabel(int64_t position) const {
    return ignore && position % 3 == 1 ? *ignore : 7 * position % classes;
  }

  std::optional<std::pair<double, double>> range;
  int64_t classes = 1;
  std::optional<int64_t> ignore;
  bool zero = false;
};
} // namespace

Drawing::Drawing(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    double low = 0, high = 0;
    int64_t value = 0;
    if (line.consume_front("// RANGE: ")) {
      auto [first, second] = line.split(' ');
      EXPECT_FALSE(first.getAsDouble(low) || second.getAsDouble(high))
          << line.str();
      range = {low, high};
    } else if (line.consume_front("// CLASSES: ")) {
      EXPECT_FALSE(line.getAsInteger(10, classes)) << line.str();
    } else if (line.consume_front("// IGNORE: ")) {
      EXPECT_FALSE(line.getAsInteger(10, value)) << line.str();
      ignore = value;
    } else if (line == "// ZERO") {
      zero = true;
    }
  }
}

/// The standard's distributions differ between libraries; these bits do not.
static double drawUnit(std::mt19937_64 &rng) {
  return static_cast<double>(rng() >> 11) * 0x1p-53;
}

double Drawing::drawFloat(std::mt19937_64 &rng) const {
  double unit = drawUnit(rng);
  if (range)
    return range->first + unit * (range->second - range->first);
  return (rng() & 1 ? 1 : -1) * (0.2 + unit);
}

static void fillArgument(Invocation &call, int buffer, const Drawing &drawing,
                         std::mt19937_64 &rng) {
  for (int64_t i = 0; i < call.elements(buffer); ++i) {
    switch (call.info(buffer).dtype) {
    case CMA_DTYPE_F64:
      call.data<double>(buffer)[i] = drawing.drawFloat(rng);
      break;
    case CMA_DTYPE_I64:
      call.data<int64_t>(buffer)[i] = drawing.drawLabel(i);
      break;
    case CMA_DTYPE_I32:
      call.data<int32_t>(buffer)[i] =
          static_cast<int32_t>(drawing.drawLabel(i));
      break;
    case CMA_DTYPE_I1:
      call.data<char>(buffer)[i] = static_cast<char>(rng() & 1);
      break;
    default:
      FAIL() << "unexpected type of argument " << buffer;
    }
  }
}

/// Sum of the products of the first result and its cotangent.
static double evaluate(Invocation &call, const std::vector<double> &cotangent) {
  call.call();
  const double *result = call.data<double>(call.resultBuffer(0));
  double sum = 0;
  for (size_t i = 0; i < cotangent.size(); ++i)
    sum += cotangent[i] * result[i];
  return sum;
}

/// Central differences with respect to every element of an argument.
static std::vector<double> differences(Invocation &call, int buffer,
                                       const std::vector<double> &cotangent) {
  std::vector<double> slopes;
  for (int64_t i = 0; i < call.elements(buffer); ++i) {
    double &x = call.data<double>(buffer)[i];
    const double kept = x;
    x = kept + kStep;
    const double above = evaluate(call, cotangent), right = x;
    x = kept - kStep;
    const double below = evaluate(call, cotangent), left = x;
    x = kept;
    slopes.push_back((above - below) / (right - left));
  }
  return slopes;
}

static double maxNorm(const std::vector<double> &values) {
  double norm = 0;
  for (double value : values)
    norm = std::max(norm, std::abs(value));
  return norm;
}

/// The gradients by argument position, from one call of @f_backward.
static std::map<int, std::vector<double>>
computeGradients(const Differentiated &code, Invocation &inputs,
                 const std::vector<double> &cotangent) {
  Invocation backward = code.makeBackward();
  const int arguments = inputs.getNumArguments();
  EXPECT_EQ(backward.getNumArguments(), arguments + 1);
  for (int i = 0; i < arguments; ++i)
    std::memcpy(backward.data<char>(i), inputs.data<char>(i),
                inputs.elements(i) * (inputs.info(i).dtype == CMA_DTYPE_I1 ? 1
                                      : inputs.info(i).dtype == CMA_DTYPE_I32
                                          ? 4
                                          : 8));
  std::copy(cotangent.begin(), cotangent.end(),
            backward.data<double>(arguments));
  backward.call();

  std::map<int, std::vector<double>> gradients;
  for (int i = 0; i < backward.getNumBuffers(); ++i) {
    if (StringRef(backward.info(i).role) != "gradient")
      continue;
    int position = -1;
    for (int k = 0; k < arguments; ++k)
      if (StringRef(inputs.info(k).name) == backward.info(i).name)
        position = k;
    EXPECT_GE(position, 0) << backward.info(i).name;
    const double *data = backward.data<double>(i);
    gradients[position].assign(data, data + backward.elements(i));
  }
  return gradients;
}

static void compare(const std::vector<double> &gradient,
                    const std::vector<double> &slopes) {
  ASSERT_EQ(gradient.size(), slopes.size());
  const double bound = 1e-6 * std::max(1.0, maxNorm(slopes));
  for (size_t i = 0; i < slopes.size(); ++i)
    ASSERT_LE(std::abs(gradient[i] - slopes[i]), bound) // false for a NaN
        << "element " << i << ": gradient " << gradient[i] << ", difference "
        << slopes[i];
}

static void check(StringRef text) {
  SCOPED_TRACE("seed " + std::to_string(kSeed) + "\n" + text.str());
  const Drawing drawing(text);
  Differentiated code(text);
  if (!code)
    return;
  std::mt19937_64 rng(kSeed);
  Invocation call = code.makeForward();
  int floats = 0;
  for (int i = 0; i < call.getNumArguments(); ++i) {
    fillArgument(call, i, drawing, rng);
    floats += call.info(i).dtype == CMA_DTYPE_F64;
  }
  std::vector<double> cotangent(call.elements(call.resultBuffer(0)));
  for (double &value : cotangent)
    value = 2 * drawUnit(rng) - 1;

  auto gradients = computeGradients(code, call, cotangent);
  EXPECT_EQ(gradients.size(), static_cast<size_t>(floats));
  for (const auto &[argument, gradient] : gradients) {
    SCOPED_TRACE("argument " + std::to_string(argument));
    std::vector<double> slopes = differences(call, argument, cotangent);
    EXPECT_EQ(maxNorm(slopes) == 0, drawing.zero || slopes.empty())
        << "the differences tell nothing";
    compare(gradient, slopes);
  }
}

static void checkFile(StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(CMA_TEST_DATA_DIR "/Inputs/" +
                                          name.str() + ".mlir");
  ASSERT_TRUE(bool(file)) << file.getError().message();
  llvm::SmallVector<StringRef> sections;
  (*file)->getBuffer().split(sections, "// -----\n");
  for (StringRef section : sections)
    check(section);
}

TEST(CentralDifferencesTest, Contractions) { checkFile("contractions"); }
TEST(CentralDifferencesTest, Layers) { checkFile("layers"); }
TEST(CentralDifferencesTest, NeuralNetworkOps) { checkFile("nn"); }
TEST(CentralDifferencesTest, Arithmetic) { checkFile("arith"); }
TEST(CentralDifferencesTest, Functions) { checkFile("math"); }
TEST(CentralDifferencesTest, Tensors) { checkFile("tensor"); }
TEST(CentralDifferencesTest, Loops) { checkFile("loops"); }
TEST(CentralDifferencesTest, Models) { checkFile("models"); }
