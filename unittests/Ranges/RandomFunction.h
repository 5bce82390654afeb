//===- RandomFunction.h - Functions for soundness tests ---------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a writer of random functions.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_UNITTESTS_RANGES_RANDOMFUNCTION_H
#define CMA_UNITTESTS_RANGES_RANDOMFUNCTION_H

#include <random>
#include <string>

namespace cma::test {

/// The text of a function @f on 4 x 4 tensors of f32, some with a range.
std::string writeRandomFunction(std::mt19937_64 &random);

} // namespace cma::test

#endif // CMA_UNITTESTS_RANGES_RANDOMFUNCTION_H
