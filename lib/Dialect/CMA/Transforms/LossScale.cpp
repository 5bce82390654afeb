//===- LossScale.cpp - Settings of loss scaling ---------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file reads the settings of loss scaling.
//
//===----------------------------------------------------------------------===//

#include "cma/Dialect/CMA/Transforms/LossScale.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace cma;

static bool isPowerOfTwo(double value) {
  int exponent;
  return std::frexp(value, &exponent) == 0.5;
}

StringRef LossScaleSettings::findRounding() const {
  if (isOn() && !isPowerOfTwo(initial))
    return "init";
  if (isDynamic() && !isPowerOfTwo(growth))
    return "growth";
  if (isDynamic() && !isPowerOfTwo(backoff))
    return "backoff";
  return "";
}

static std::string format(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::string LossScaleSettings::findInexact(const llvm::fltSemantics &semantics,
                                           int64_t parts) const {
  // Powers of two lie between the first, the smallest and the largest.
  SmallVector<std::pair<StringRef, double>> scales;
  if (!isOn())
    scales.emplace_back("none", 1.0);
  else
    scales.emplace_back(isDynamic() ? "init" : "static", initial);
  if (isDynamic()) {
    for (auto [key, factor] :
         {std::pair("init", initial), std::pair("growth", growth),
          std::pair("backoff", backoff)})
      if (!isPowerOfTwo(factor))
        return format(factor) + " for '" + key + "'";
    scales.emplace_back("min", minimum);
    scales.emplace_back("max", std::ldexp(1, std::ilogb(maximum)));
  }
  for (auto [key, scale] : scales) {
    llvm::APFloat part(scale / static_cast<double>(parts));
    bool losesInfo = false;
    part.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    if (losesInfo)
      return format(scale) + " for '" + key.str() + "'";
  }
  return "";
}

/// `value`, and what it is where the step computes.
static std::string formatInF32(double value) {
  double rounded = static_cast<float>(value);
  if (rounded == value || std::isnan(value))
    return format(value);
  // As many digits as it takes to tell them apart.
  std::string text = format(value), inF32 = format(rounded);
  if (text == inF32) {
    llvm::raw_string_ostream stream(text = "");
    stream << llvm::format("%.17g", value);
  }
  return text + ", which is " + inF32 + " in f32";
}

namespace {
/// Reads one text; the first problem stays in `error`.
class Parser {
public:
  Parser(LossScaleSettings &settings, std::string &error)
      : settings(settings), error(error) {}

  bool parse(StringRef text);

private:
  bool fail(const Twine &message) {
    error = message.str();
    return false;
  }
  bool choosePreset(StringRef name);
  bool parseSetting(StringRef text);
  bool parseNumber(StringRef key, StringRef text, double &value);
  bool parseCount(StringRef key, StringRef text, int64_t low, int64_t &value);
  bool checkStatic();
  bool checkDynamic();

  LossScaleSettings &settings;
  std::string &error;
  llvm::StringSet<> seen; ///< Keys so far.
};
} // namespace

/// The defaults of each framework; growth 2 and backoff 0.5 are common to all.
bool Parser::choosePreset(StringRef name) {
  settings = LossScaleSettings();
  settings.mode = LossScaleSettings::Mode::Dynamic;
  if (name == "dynamic" || name == "pytorch")
    return true;
  if (name == "keras") {
    settings.initial = 32768.0;
    return true;
  }
  if (name != "megatron" && name != "deepspeed")
    return fail("expected 'none', 'static:VALUE', 'dynamic', 'pytorch', "
                "'keras', 'megatron' or 'deepspeed', got '" +
                name + "'");
  settings.initial = name == "megatron" ? 0x1p32 : 65536.0;
  settings.interval = 1000;
  settings.hysteresis = 2;
  settings.minimum = 1.0;
  settings.delay = name == "deepspeed";
  return true;
}

bool Parser::parseNumber(StringRef key, StringRef text, double &value) {
  if (!text.empty() && !text.getAsDouble(value))
    return true;
  return fail("expected a number for '" + key + "', got '" + text + "'");
}

bool Parser::parseCount(StringRef key, StringRef text, int64_t low,
                        int64_t &value) {
  if (!text.getAsInteger(10, value) && value >= low && value <= INT32_MAX)
    return true;
  return fail("expected a whole number from " + Twine(low) +
              " to 2^31 - 1 for '" + key + "', got '" + text + "'");
}

bool Parser::parseSetting(StringRef text) {
  auto [key, value] = text.split('=');
  if (!seen.insert(key).second)
    return fail("expected '" + key + "' once, got '" + text + "' again");
  if (key == "init")
    return parseNumber(key, value, settings.initial);
  if (key == "growth")
    return parseNumber(key, value, settings.growth);
  if (key == "backoff")
    return parseNumber(key, value, settings.backoff);
  if (key == "min")
    return parseNumber(key, value, settings.minimum);
  if (key == "max")
    return parseNumber(key, value, settings.maximum);
  if (key == "interval")
    return parseCount(key, value, 1, settings.interval);
  if (key == "hysteresis")
    return parseCount(key, value, 1, settings.hysteresis);
  if (key == "delay")
    return parseCount(key, value, 0, settings.delay);
  if (key != "refill")
    return fail("expected one of init, growth, backoff, interval, min, max, "
                "hysteresis, refill and delay, got '" +
                key + "'");
  settings.refillAtGoodSteps = value == "good";
  return value == "good" || value == "growth" ||
         fail("expected 'growth' or 'good' for 'refill', got '" + value + "'");
}

/// The largest and the smallest number with a normal reciprocal in f32.
static constexpr double kLargestScale = 0x1p127, kSmallestScale = 0x1p-126;

bool Parser::checkStatic() {
  double scale = settings.initial;
  if (!(scale > 0) || !std::isfinite(scale))
    return fail("expected a static scale above 0 and finite, got " +
                format(scale));
  return (scale >= kSmallestScale && scale <= kLargestScale) ||
         fail("expected a static scale from 2^-126 to 2^127, so that f32 holds "
              "it and its reciprocal, got " +
              format(scale));
}

/// What the state machine and f32 allow.
bool Parser::checkDynamic() {
  double growth = static_cast<float>(settings.growth);
  double backoff = static_cast<float>(settings.backoff);
  if (!(growth > 1) || !std::isfinite(growth))
    return fail("expected 'growth' to be finite and above 1, got " +
                formatInF32(settings.growth));
  if (!(backoff > 0 && backoff < 1))
    return fail("expected 'backoff' to be above 0 and below 1, got " +
                formatInF32(settings.backoff));
  double low = settings.minimum, high = settings.maximum;
  if (!(low >= kSmallestScale))
    return fail("expected 'min' to be at least 2^-126, the smallest scale with "
                "a finite reciprocal in f32, got " +
                format(low));
  if (!(high <= kLargestScale))
    return fail("expected 'max' to be at most 2^127, got " + format(high));
  if (!(low <= high))
    return fail("expected 'min' to be at most 'max', got " + format(low) +
                " and " + format(high));
  if (!(settings.initial >= low))
    return fail("expected 'init' to be at least 'min', which is " +
                format(low) + ", got " + format(settings.initial));
  return settings.initial <= high ||
         fail("expected 'init' to be at most 'max', which is " + format(high) +
              ", got " + format(settings.initial));
}

bool Parser::parse(StringRef text) {
  auto [name, rest] = text.split(':');
  bool hasRest = text.contains(':');
  if (name == "none") {
    settings = LossScaleSettings();
    return !hasRest ||
           fail("expected nothing behind 'none', got '" + rest + "'");
  }
  if (name == "static") {
    settings = LossScaleSettings();
    settings.mode = LossScaleSettings::Mode::Static;
    return parseNumber("static", rest, settings.initial) && checkStatic();
  }
  if (!choosePreset(name))
    return false;
  if (hasRest) {
    SmallVector<StringRef> parts;
    rest.split(parts, ',');
    for (StringRef part : parts)
      if (!parseSetting(part))
        return false;
  }
  return checkDynamic();
}

bool cma::parseLossScale(StringRef text, LossScaleSettings &settings,
                         std::string &error) {
  return Parser(settings, error).parse(text);
}
