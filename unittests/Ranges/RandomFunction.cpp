//===- RandomFunction.cpp - Functions for soundness tests -----------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file writes random functions of the ops whose results the range analysis
// bounds.
//
//===----------------------------------------------------------------------===//

#include "RandomFunction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace cma::test;

namespace {
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
           "  %c2 = arith.constant 2 : index\n"
           "  %c3 = arith.constant 3 : index\n"
           "  %c100 = arith.constant 100 : index\n"
           "  %step = arith.constant dense<5> : tensor<i64>\n";
    for (unsigned i = 0, e = 1 + draw(12); i < e; ++i)
      addOp(draw(20));
    return "func.func @f(" + arguments + ") {\n" + body + "  return\n}\n";
  }

private:
  unsigned draw(unsigned limit) { return random() % limit; }
  std::string pick(const std::vector<std::string> &names) {
    return names[draw(names.size())];
  }

  /// Of a usual size, or, at times, of any that f32 has.
  double drawScale() {
    int exponent = draw(10) ? static_cast<int>(draw(24)) - 12
                            : static_cast<int>(draw(270)) - 145;
    return std::ldexp(1.0, exponent);
  }

  static std::string write(double number) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9e", number);
    return text;
  }

  /// None, so that anything may come; or bounds of any size.
  std::string drawRange() {
    if (draw(8) == 0)
      return "";
    double scale = drawScale();
    double a = scale * (static_cast<double>(draw(2001)) - 1000) / 500;
    double b = scale * (static_cast<double>(draw(2001)) - 1000) / 500;
    return " {cma.range = #cma.range<" + write(std::min(a, b)) + ", " +
           write(std::max(a, b)) + ">}";
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
    double value = drawScale() * (static_cast<double>(draw(2001)) - 1000) / 500;
    define("arith.constant dense<" + write(value) + "> : tensor<4x4xf32>",
           &squares);
  }

  /// Elements that differ, perhaps with a NaN or an infinity.
  void addElements() {
    static const char *special[] = {"0x7FC00000", "0x7F800000", "0xFF800000",
                                    "-0.0", "0x00000001"};
    std::string text;
    bool isSpecial = draw(3) == 0;
    for (unsigned i = 0; i < 16; ++i)
      text += (i % 4 ? ", "
               : i   ? "], ["
                     : "[[") +
              (isSpecial && draw(8) == 0
                   ? std::string(special[draw(std::size(special))])
                   : std::to_string(static_cast<double>(draw(201)) / 10 - 10));
    define("arith.constant dense<" + text + "]]> : tensor<4x4xf32>", &squares);
  }

  void addFused() {
    define("math.fma " + pick(squares) + ", " + pick(squares) + ", " +
               pick(squares) + " : tensor<4x4xf32>",
           &squares);
  }

  /// To a low type, computed with there, and back.
  void addCasts() {
    static const char *types[] = {"f16",    "bf16", "f8E4M3FN",
                                  "f8E5M2", "f64",  "f32"};
    static const char *roundings[] = {
        "", " round(toward_zero)",
        " round(stochastic, %step, seed = 7, stream = \"w\")"};
    static const char *overflows[] = {"", " overflow(ieee)",
                                      " overflow(saturate)"};
    std::string type = types[draw(std::size(types))];
    std::string low = "tensor<4x4x" + type + ">";
    auto cast = [&] {
      if (type != "f32" && draw(4) == 0)
        return define((type == "f64" ? "arith.extf " : "arith.truncf ") +
                      pick(squares) + " : tensor<4x4xf32> to " + low);
      return define("cma.cast " + pick(squares) +
                    (type == "f32" ? " tf32" : "") + roundings[draw(3)] +
                    overflows[draw(3)] + " : tensor<4x4xf32> to " + low);
    };
    std::string value = cast();
    if (type == "f32")
      return squares.push_back(value);
    if (type == "f64") // in which the tests' interpreter does not compute
      return (void)define("arith.truncf " + value + " : " + low +
                              " to tensor<4x4xf32>",
                          &squares);
    std::string other = cast();
    static const char *names[] = {"arith.addf", "arith.mulf", "arith.divf",
                                  "arith.maxnumf"};
    if (unsigned kind = draw(7); kind < 4)
      value = define(std::string(names[kind]) + " " + value + ", " + other +
                     " : " + low);
    else if (kind == 4)
      value = define("cma.contract \"ij,jk->ik\" (" + value + ", " + other +
                     ") : (" + low + ", " + low + ") -> " + low);
    else if (kind == 5)
      value = define("math.exp " + value + " : " + low);
    define((draw(2) ? "arith.extf " : "cma.cast ") + value + " : " + low +
               " to tensor<4x4xf32>",
           &squares);
  }

  void addIntegers() {
    std::string flags = define("arith.cmpf olt, " + pick(squares) + ", " +
                               pick(squares) + " : tensor<4x4xf32>");
    std::string type = "i1";
    if (draw(2)) {
      type = "i8";
      flags = define("arith.constant dense<" +
                     std::to_string(static_cast<int>(draw(256)) - 128) +
                     "> : tensor<4x4xi8>");
    }
    define((draw(2) ? "arith.sitofp " : "arith.uitofp ") + flags +
               " : tensor<4x4x" + type + "> to tensor<4x4xf32>",
           &squares);
  }

  std::string extract() {
    static const char *indices[] = {"%c0", "%c1", "%c3"};
    return define("tensor.extract " + pick(squares) + "[" + indices[draw(3)] +
                  ", " + indices[draw(3)] + "] : tensor<4x4xf32>");
  }

  void addScalars() {
    switch (draw(4)) {
    case 0:
      return (void)define("tensor.splat " + extract() + " : tensor<4x4xf32>",
                          &squares);
    case 1:
      return (void)define("tensor.insert " + extract() + " into " +
                              pick(squares) + "[%c1, %c3] : tensor<4x4xf32>",
                          &squares);
    case 2: {
      std::string sum = define("cma.contract \"ij->\" (" + pick(squares) +
                               ") : (tensor<4x4xf32>) -> tensor<f32>");
      return (void)define("cma.broadcast \"->ij\" (" + sum +
                              ") : (tensor<f32>) -> tensor<4x4xf32>",
                          &squares);
    }
    default:
      std::string elements;
      for (unsigned i = 0; i < 4; ++i)
        elements += (i ? ", " : "") + extract();
      std::string vector =
          define("tensor.from_elements " + elements + " : tensor<4xf32>");
      return (void)define("cma.broadcast \"j->ij\" (" + vector +
                              ") : (tensor<4xf32>) -> tensor<4x4xf32>",
                          &squares);
    }
  }

  void addShapes() {
    if (draw(2)) {
      std::string flat = define("tensor.collapse_shape " + pick(squares) +
                                " [[0, 1]] : tensor<4x4xf32> into "
                                "tensor<16xf32>");
      return (void)define("tensor.expand_shape " + flat +
                              " [[0, 1]] output_shape [4, 4] : tensor<16xf32> "
                              "into tensor<4x4xf32>",
                          &squares);
    }
    std::string dynamic = define("tensor.cast " + pick(squares) +
                                 " : tensor<4x4xf32> to tensor<?x4xf32>");
    define("tensor.cast " + dynamic + " : tensor<?x4xf32> to tensor<4x4xf32>",
           &squares);
  }

  /// Two rows in the middle of a square or of repeated numbers.
  void addRows() {
    std::string rows =
        define("tensor.extract_slice " + pick(squares) +
               "[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>");
    if (draw(2))
      return (void)define("tensor.insert_slice " + rows + " into " +
                              pick(squares) +
                              "[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into "
                              "tensor<4x4xf32>",
                          &squares);
    static const char *numbers[] = {"0.0", "-3.5", "0x7FC00000", "0x7F800000"};
    std::string number =
        draw(5)
            ? define("arith.constant " +
                     std::string(numbers[draw(std::size(numbers))]) + " : f32")
            : extract();
    std::string id = std::to_string(counter);
    define("tensor.pad " + rows + " low[1, 0] high[1, 0] {\n  ^bb0(%i" + id +
               ": index, %j" + id + ": index):\n    tensor.yield " + number +
               " : f32\n  } : tensor<2x4xf32> to tensor<4x4xf32>",
           &squares);
  }

  void addBranch() {
    std::string condition =
        define("arith.cmpf olt, " + extract() + ", " + extract() + " : f32");
    std::string id = std::to_string(counter++);
    body += "  %v" + id + " = scf.if " + condition +
            " -> (tensor<4x4xf32>) {\n    %b" + id + " = arith.addf " +
            pick(squares) + ", " + pick(squares) +
            " : tensor<4x4xf32>\n    scf.yield %b" + id +
            " : tensor<4x4xf32>\n  } else {\n    scf.yield " + pick(squares) +
            " : tensor<4x4xf32>\n  }\n";
    squares.push_back("%v" + id);
  }

  void addContraction() {
    static const char *equations[] = {"ij,jk->ik", "ij,ij->ij", "ij,kj->ik",
                                      "ij,ji->ij"};
    if (draw(6) == 0)
      return (void)define("cma.contract \"ij->ji\" (" + pick(squares) +
                              ") : (tensor<4x4xf32>) -> tensor<4x4xf32>",
                          &squares);
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

  /// A loop, perhaps in a loop, that carries two values.
  void addLoop(unsigned depth = 0) {
    static const char *trips[] = {"%c0", "%c1", "%c3",  "%c2",
                                  "%c3", "%c3", "%c100"};
    std::string id = std::to_string(counter++);
    std::string name = "%v" + id, a = "%s" + id, b = "%t" + id;
    body += "  " + name + ":2 = scf.for %i" + id + " = %c0 to " +
            trips[draw(std::size(trips))] + " step %c1 iter_args(" + a + " = " +
            pick(squares) + ", " + b + " = " + pick(squares) +
            ") -> (tensor<4x4xf32>, tensor<4x4xf32>) {\n";
    // What is made in the loop is not seen behind it.
    size_t outside = squares.size();
    squares.insert(squares.end(), {a, b, a, b});
    for (unsigned i = 0, e = 1 + draw(3); i < e; ++i)
      if (depth == 0 && draw(6) == 0)
        addLoop(1);
      else if (unsigned kind = draw(8); kind < 3)
        addBinary();
      else if (kind == 3)
        addCasts();
      else if (kind == 4)
        addBranch();
      else
        addUnary();
    std::string last = squares.back(), other = pick(squares);
    squares.resize(outside);
    body += "  scf.yield " + last + ", " + other +
            " : tensor<4x4xf32>, tensor<4x4xf32>\n  }\n";
    squares.push_back(name + "#0");
    squares.push_back(name + "#1");
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
    case 10:
      return addElements();
    case 11:
      return addFused();
    case 12:
    case 13:
      return addCasts();
    case 14:
      return addIntegers();
    case 15:
      return addScalars();
    case 16:
      return draw(2) ? addShapes() : addBranch();
    case 17:
      return addRows();
    default:
      return addUnary();
    }
  }

  std::mt19937_64 &random;
  std::vector<std::string> squares;
  std::string body;
  unsigned counter = 0;
};
} // namespace

std::string cma::test::writeRandomFunction(std::mt19937_64 &random) {
  return Writer(random).write();
}
