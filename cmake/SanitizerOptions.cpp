//===- SanitizerOptions.cpp - Defaults of the sanitizer preset ------------===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file is linked into every program that is built with AddressSanitizer.
// LLVM's arenas poison the part of a slab that is not handed out yet. Code of
// ours does so, through LLVM's headers; libMLIR, which is not instrumented,
// hands out the same slabs without taking the poison away.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options();

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
