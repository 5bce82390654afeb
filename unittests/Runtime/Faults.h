//===- Faults.h - File operations that fail on demand -----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults.cpp stands between a program and the C library's file functions. It
// counts the operations on files below one directory and makes one of them
// fail. Linked into a test, it is driven by the functions below; as a library
// in LD_PRELOAD, by the environment of a program that knows nothing of it:
//
//   CMA_FAULT_UNDER  the directory
//   CMA_FAULT_AT     which operation fails, from 1
//   CMA_FAULT_ERROR  with which errno; 0: a write takes only half of its bytes
//   CMA_FAULT_LOG    a file that gets the operation's name once it has failed
//
//===----------------------------------------------------------------------===//
#ifndef CMA_UNITTESTS_RUNTIME_FAULTS_H
#define CMA_UNITTESTS_RUNTIME_FAULTS_H

#include <string>

namespace cma::test {

/// Makes operation number `at` (from 1) fail with `error`. With EINTR only
/// operations count that signals interrupt, with 0 only writes.
void armFaults(const std::string &under, int at, int error);

/// Back to normal. Returns the operation that failed, "" where there were
/// fewer.
std::string disarmFaults();

} // namespace cma::test

#endif // CMA_UNITTESTS_RUNTIME_FAULTS_H
