//===- main.cpp - Train, evaluate and call CMA models ---------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file dispatches to the subcommands.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "ExitCode.h"
#include "Interrupt.h"

#include "cma/Pipelines/Registration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace cma::run;
using llvm::StringRef;

namespace {
struct Command {
  StringRef name, summary;
  llvm::Error (*run)(Arguments);
};
} // namespace

static const Command kCommands[] = {
    {"train", "train the model of a file on a data set", runTrain},
    {"eval", "evaluate a trained model on a data set", runEval},
    {"call", "call a function on tensors from a file", runCall},
    {"grad", "differentiate a function at tensors from a file", runGrad},
    {"env", "print versions, the host and the libraries found", runEnv},
};

void cma::run::printVersion() {
  llvm::outs() << "cma-run " << cma::getVersionString() << " (LLVM "
               << LLVM_VERSION_STRING << ")\n";
}

llvm::Expected<bool> cma::run::parseArguments(CommandLine &line,
                                              Arguments arguments) {
  if (llvm::Error error = line.parse(arguments))
    return exitError(kUsage,
                     llvm::toString(std::move(error)) + " (see --help)");
  if (line.wantsHelp())
    line.printHelp(llvm::outs());
  else if (line.wantsVersion())
    printVersion();
  return !line.wantsHelp() && !line.wantsVersion();
}

static void printUsage(llvm::raw_ostream &os) {
  os << "usage: cma-run COMMAND ...\n\n"
        "Trains, evaluates and calls models written in the CMA dialect.\n\n"
        "commands:\n";
  for (const Command &command : kCommands)
    os << "  " << llvm::left_justify(command.name, 8) << command.summary
       << '\n';
  os << "\n'cma-run COMMAND --help' lists a command's options.\n\n"
        "exit codes: 0 success, 1 error in a file or model, 2 wrong command "
        "line,\n            3 loss not finite, 130 Ctrl-C, 143 SIGTERM\n";
}

static llvm::Error dispatch(Arguments arguments) {
  StringRef name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    printUsage(llvm::outs());
    return llvm::Error::success();
  }
  if (name == "--version") {
    printVersion();
    return llvm::Error::success();
  }
  const Command *command = llvm::find_if(
      kCommands, [&](const Command &c) { return c.name == name; });
  if (command != std::end(kCommands))
    return command->run(arguments.drop_front());
  auto names = llvm::map_range(kCommands, [](auto &c) { return c.name; });
  return exitError(kUsage, "unknown command '" + name + "'; expected one of: " +
                               llvm::join(names, ", "));
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("PLEASE report this with the files and the command "
                        "line that lead to it, and the stack trace below.\n");
  installSignalHandlers(argv[0]);
  llvm::SmallVector<StringRef> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    printUsage(llvm::errs());
    return kUsage;
  }
  int code = reportError(dispatch(arguments));
  // A full disk shows only when the buffered output is flushed.
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::errs() << "cma-run: error: cannot write to the standard output: "
                 << llvm::outs().error().message() << '\n';
    llvm::outs().clear_error();
    return code == kSuccess ? kUserError : code;
  }
  return code;
}
