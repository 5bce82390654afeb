//===- ExitCode.cpp - How cma-run ends ------------------------------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file prints errors.
//
//===----------------------------------------------------------------------===//

#include "ExitCode.h"

#include "llvm/Support/raw_ostream.h"

using namespace cma::run;

char ExitError::ID = 0;

void ExitError::log(llvm::raw_ostream &os) const { os << text; }

std::error_code ExitError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

int cma::run::reportError(llvm::Error error) {
  int code = kSuccess;
  auto print = [](const llvm::ErrorInfoBase &info) {
    llvm::errs() << "cma-run: error: " << info.message() << '\n';
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const ExitError &info) {
        print(info);
        code = info.getCode();
      },
      [&](const llvm::ErrorInfoBase &info) {
        print(info);
        code = kUserError;
      });
  return code;
}
