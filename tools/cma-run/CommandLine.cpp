//===- CommandLine.cpp - Options of a subcommand --------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file parses command lines and prints help.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include <cerrno>
#include <cmath>
#include <cstdlib>

using namespace cma::run;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

CommandLine::CommandLine(std::string command, std::string summary,
                         std::string file)
    : command(std::move(command)), summary(std::move(summary)),
      file(std::move(file)) {}

CommandLine::Option &CommandLine::add(std::string name, std::string placeholder,
                                      std::string help,
                                      std::function<Error(StringRef)> set) {
  options.push_back({std::move(name), std::move(placeholder), std::move(help),
                     "", false, false, std::move(set)});
  return options.back();
}

CommandLine &CommandLine::text(std::string name, std::string placeholder,
                               std::string help, std::string &value) {
  add(std::move(name), std::move(placeholder), std::move(help),
      [&value](StringRef text) -> Error {
        value = text.str();
        return Error::success();
      });
  return *this;
}

CommandLine &CommandLine::required(std::string name, std::string placeholder,
                                   std::string help, std::string &value) {
  text(std::move(name), std::move(placeholder), std::move(help), value);
  options.back().required = true;
  return *this;
}

CommandLine &CommandLine::flag(std::string name, std::string help,
                               bool &value) {
  add(std::move(name), "", std::move(help), [&value](StringRef) -> Error {
    value = true;
    return Error::success();
  });
  return *this;
}

CommandLine &CommandLine::integer(std::string name, std::string help,
                                  int64_t &value, int64_t low, int64_t high) {
  bool isBounded = high != std::numeric_limits<int64_t>::max();
  std::string range =
      "from " + std::to_string(low) + " to " +
      (isBounded ? std::to_string(high) : std::string("2^63 - 1"));
  Option &option =
      add(name, "N", std::move(help),
          [name, range, low, high, &value](StringRef text) -> Error {
            int64_t parsed;
            // getAsInteger refuses blanks, signs but '-', and overflow.
            if (text.getAsInteger(10, parsed) || parsed < low || parsed > high)
              return createStringError("--" + Twine(name) +
                                       ": expected a whole number " + range +
                                       ", got '" + text + "'");
            value = parsed;
            return Error::success();
          });
  option.limits = isBounded ? range : "at least " + std::to_string(low);
  return *this;
}

static std::string formatShort(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

/// "greater than 0" and the like.
static std::string describe(RealRange range) {
  std::string text = range.openLow ? "greater than " : "at least ";
  text += formatShort(range.low);
  if (std::isfinite(range.high))
    text += (range.openHigh ? " and less than " : " and at most ") +
            formatShort(range.high);
  return text;
}

static bool contains(RealRange range, double value) {
  return std::isfinite(value) && value >= range.low && value <= range.high &&
         !(range.openLow && value == range.low) &&
         !(range.openHigh && value == range.high);
}

CommandLine &CommandLine::real(std::string name, std::string help,
                               double &value, RealRange range) {
  Option &option = add(
      name, "X", std::move(help),
      [name, range, &value](StringRef text) -> Error {
        double parsed = 0;
        // getAsDouble takes "nan" and "inf".
        bool isNumber = !text.getAsDouble(parsed);
        bool isGood = isNumber && contains(range, parsed);
        double rounded = static_cast<float>(parsed);
        if (isGood && contains(range, rounded)) {
          value = parsed;
          return Error::success();
        }
        return createStringError(
            "--" + Twine(name) + ": expected a " +
            (std::isfinite(range.high) ? "number " : "finite number ") +
            (range.openLow ? "" : "of ") + describe(range) + ", got '" + text +
            "'" +
            (isGood ? ", which is " + formatShort(rounded) + " in f32" : ""));
      });
  option.limits = describe(range);
  return *this;
}

Error CommandLine::unknownOption(StringRef name) const {
  std::string hint;
  unsigned best = 3; // More edits than this is no typing error.
  for (const Option &option : options) {
    unsigned distance = name.edit_distance(option.name);
    if (distance < best) {
      best = distance;
      hint = "; did you mean --" + option.name + "?";
    }
  }
  return createStringError("unknown option --" + Twine(name) + hint);
}

/// Consumes one option, and its value, from the front of `arguments`.
Error CommandLine::applyOption(llvm::ArrayRef<StringRef> &arguments) {
  StringRef argument = arguments.front();
  arguments = arguments.drop_front();
  if (argument == "-h" || argument == "--help") {
    help = true;
    return Error::success();
  }
  if (argument == "--version") {
    version = true;
    return Error::success();
  }
  if (!argument.starts_with("--"))
    return createStringError("unknown option " + Twine(argument));
  StringRef name = argument.drop_front(2).split('=').first;
  StringRef value = argument.split('=').second;
  bool attached = argument.contains('=');
  auto option =
      llvm::find_if(options, [&](const Option &o) { return o.name == name; });
  if (option == options.end())
    return unknownOption(name);
  if (option->seen)
    return createStringError("--" + Twine(name) + " is given twice");
  option->seen = true;
  if (option->placeholder.empty() && attached)
    return createStringError("--" + Twine(name) + " takes no value, got '" +
                             value + "'");
  if (!option->placeholder.empty() && !attached && !arguments.empty()) {
    value = arguments.front();
    arguments = arguments.drop_front();
  }
  if (!option->placeholder.empty() && value.empty())
    return createStringError("--" + Twine(name) +
                             ": expected a value, got nothing");
  return option->set(value);
}

bool CommandLine::isGiven(StringRef name) const {
  return llvm::any_of(
      options, [&](const Option &o) { return o.seen && o.name == name; });
}

Error CommandLine::parse(llvm::ArrayRef<StringRef> arguments) {
  std::vector<StringRef> positional;
  while (!arguments.empty()) {
    StringRef argument = arguments.front();
    if (argument == "--") {
      arguments = arguments.drop_front();
      positional.insert(positional.end(), arguments.begin(), arguments.end());
      break;
    }
    if (argument.size() > 1 && argument.front() == '-') {
      if (Error error = applyOption(arguments))
        return error;
      continue;
    }
    positional.push_back(argument);
    arguments = arguments.drop_front();
  }
  if (help || version)
    return Error::success();
  size_t allowed = file.empty() ? 0 : 1;
  if (positional.size() > allowed)
    return createStringError("unexpected argument '" +
                             Twine(positional[allowed]) + "'");
  if (!positional.empty())
    fileValue = positional.front().str();
  return checkComplete();
}

Error CommandLine::checkComplete() const {
  if (!file.empty() && fileValue.empty())
    return createStringError("expected a file " + Twine(file));
  for (const Option &option : options)
    if (option.required && !option.seen)
      return createStringError("expected the option --" + Twine(option.name) +
                               " " + option.placeholder);
  return Error::success();
}

void CommandLine::printHelp(llvm::raw_ostream &os) const {
  os << "usage: cma-run " << command;
  if (!file.empty())
    os << ' ' << file;
  for (const Option &option : options)
    if (option.required)
      os << " --" << option.name << ' ' << option.placeholder;
  if (llvm::any_of(options, [](const Option &o) { return !o.required; }))
    os << " [options]";
  os << "\n\n" << summary << "\n\noptions:\n";
  auto line = [&os](std::string left, StringRef text) {
    do {
      auto [first, rest] = text.split('\n');
      os << "  " << llvm::left_justify(left, 28) << first << '\n';
      left.clear();
      text = rest;
    } while (!text.empty());
  };
  for (const Option &option : options)
    line("--" + option.name +
             (option.placeholder.empty() ? "" : " " + option.placeholder),
         option.help + (option.limits.empty() ? "" : "; ") + option.limits +
             (option.required ? " (required)" : ""));
  line("--help", "print this text");
  line("--version", "print the version");
}
