//===- CommandLine.h - Options of a subcommand ------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares how a subcommand says which options it takes. Parsing
// checks every value, so that a command only sees legal ones, and the same
// table makes the help text.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_COMMANDLINE_H
#define CMA_TOOLS_CMA_RUN_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace cma::run {

/// The reals that an option takes; what they round to in f32, in which models
/// compute, has to be one, too.
struct RealRange {
  double low, high;
  bool openLow = false, openHigh = false; ///< The bound itself is refused.
};

class CommandLine {
public:
  /// `file` is the placeholder of the one positional argument, empty for none.
  CommandLine(std::string command, std::string summary, std::string file);

  // One call per option, in the order of the help text. `name` has no dashes;
  // the variable keeps its value where the option is not given. `help` may have
  // several lines.
  CommandLine &required(std::string name, std::string placeholder,
                        std::string help, std::string &value);
  CommandLine &text(std::string name, std::string placeholder, std::string help,
                    std::string &value);
  CommandLine &flag(std::string name, std::string help, bool &value);
  CommandLine &integer(std::string name, std::string help, int64_t &value,
                       int64_t low,
                       int64_t high = std::numeric_limits<int64_t>::max());
  CommandLine &real(std::string name, std::string help, double &value,
                    RealRange range);

  /// Takes the arguments behind the subcommand's name. Options may be written
  /// `--name value` or `--name=value`, anywhere; `--` ends them.
  llvm::Error parse(llvm::ArrayRef<llvm::StringRef> arguments);

  /// The positional argument.
  const std::string &getFile() const { return fileValue; }
  bool isGiven(llvm::StringRef name) const;
  bool wantsHelp() const { return help; }
  bool wantsVersion() const { return version; }

  void printHelp(llvm::raw_ostream &os) const;

private:
  struct Option {
    std::string name, placeholder, help, limits;
    bool required = false, seen = false;
    /// Takes the value's text; empty placeholder: called without one.
    std::function<llvm::Error(llvm::StringRef)> set;
  };

  Option &add(std::string name, std::string placeholder, std::string help,
              std::function<llvm::Error(llvm::StringRef)> set);
  llvm::Error applyOption(llvm::ArrayRef<llvm::StringRef> &arguments);
  llvm::Error unknownOption(llvm::StringRef name) const;
  llvm::Error checkComplete() const;

  std::string command, summary, file, fileValue;
  std::vector<Option> options;
  bool help = false, version = false;
};

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_COMMANDLINE_H
