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

#include "llvm/ADT/StringExtras.h"
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
  bool check();

  LossScaleSettings &settings;
  std::string &error;
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

/// What the state machine and f32 allow.
bool Parser::check() {
  // The step multiplies in f32.
  double growth = static_cast<float>(settings.growth);
  double backoff = static_cast<float>(settings.backoff);
  if (!(growth > 1) || !std::isfinite(growth))
    return fail("expected 'growth' to be finite and above 1, got " +
                format(growth));
  if (!(backoff > 0 && backoff < 1))
    return fail("expected 'backoff' to be above 0 and below 1, got " +
                format(backoff));
  if (!(settings.minimum >= 0x1p-126))
    return fail("expected 'min' to be at least 2^-126, the smallest scale with "
                "a finite reciprocal in f32, got " +
                format(settings.minimum));
  if (!(settings.maximum <= 0x1p127))
    return fail("expected 'max' to be at most 2^127, got " +
                format(settings.maximum));
  if (!(settings.minimum <= settings.maximum))
    return fail("expected 'min' to be at most 'max', got " +
                format(settings.minimum) + " and " + format(settings.maximum));
  if (!(settings.minimum <= settings.initial &&
        settings.initial <= settings.maximum))
    return fail("expected the scale to be from " + format(settings.minimum) +
                " to " + format(settings.maximum) + " at first, got " +
                format(settings.initial));
  return true;
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
    return parseNumber("static", rest, settings.initial) && check();
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
  return check();
}

bool cma::parseLossScale(StringRef text, LossScaleSettings &settings,
                         std::string &error) {
  return Parser(settings, error).parse(text);
}
