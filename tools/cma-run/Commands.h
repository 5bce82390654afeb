//===- Commands.h - The subcommands -----------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file lists the subcommands. Each takes the arguments behind its name.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_COMMANDS_H
#define CMA_TOOLS_CMA_RUN_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cma::run {

class CommandLine;

using Arguments = llvm::ArrayRef<llvm::StringRef>;

llvm::Error runTrain(Arguments arguments);
llvm::Error runEval(Arguments arguments);
llvm::Error runCall(Arguments arguments);
llvm::Error runGrad(Arguments arguments);
llvm::Error runEnv(Arguments arguments);

/// Parses `arguments`. False where the command is done, since help or the
/// version was asked for and printed.
llvm::Expected<bool> parseArguments(CommandLine &line, Arguments arguments);

/// "cma-run 0.1.0 (LLVM 22.1.8)".
void printVersion();

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_COMMANDS_H
