//===- ExitCode.h - How cma-run ends ----------------------------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the errors that end the program, each with its exit code:
// 0 success, 1 user error (a file, a model, a value in it), 2 wrong use of the
// command line, 3 a loss that is not finite, 130 Ctrl-C, 143 SIGTERM.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_TOOLS_CMA_RUN_EXITCODE_H
#define CMA_TOOLS_CMA_RUN_EXITCODE_H

#include "cma/Runtime/Status.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cma::run {

enum ExitCode {
  kSuccess = 0,
  kUserError = 1,
  kUsage = 2,
  kNumericStop = 3,
  kInterrupted = 130, ///< By SIGINT.
  kTerminated = 143   ///< By SIGTERM.
};

class ExitError : public llvm::ErrorInfo<ExitError> {
public:
  static char ID;
  ExitError(ExitCode code, std::string message)
      : code(code), text(std::move(message)) {}

  ExitCode getCode() const { return code; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  ExitCode code;
  std::string text;
};

inline llvm::Error exitError(ExitCode code, const llvm::Twine &message) {
  return llvm::make_error<ExitError>(code, message.str());
}
inline llvm::Error userError(const llvm::Twine &message) {
  return exitError(kUserError, message);
}

/// The runtime library's result as an llvm::Error.
inline llvm::Error toError(const Status &status) {
  return status.ok() ? llvm::Error::success() : userError(status.message());
}

/// Prints the messages of `error` to stderr and returns its exit code. Any
/// other kind of error counts as a user error.
int reportError(llvm::Error error);

} // namespace cma::run

#endif // CMA_TOOLS_CMA_RUN_EXITCODE_H
