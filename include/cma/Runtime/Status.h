//===- Status.h - Result of an operation that can fail ----------*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The error type of CMARuntime, which may not use LLVM's. A Status is either
// success or a message; a StatusOr<T> holds a value or a message. Messages
// start lower-case, have no final period and name the file or value at fault.
// No exception leaves the library.
//
//===----------------------------------------------------------------------===//
#ifndef CMA_RUNTIME_STATUS_H
#define CMA_RUNTIME_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace cma {

class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.text = std::move(message);
    return status;
  }

  bool ok() const { return !text; }
  bool failed() const { return text.has_value(); }

  /// The message of a failure.
  const std::string &message() const {
    assert(text && "a success has no message");
    return *text;
  }

private:
  Status() = default;
  std::optional<std::string> text;
};

template <typename T>
class [[nodiscard]] StatusOr {
public:
  /*implicit*/ StatusOr(T v) : value(std::move(v)), status(Status::success()) {}
  /*implicit*/ StatusOr(Status s) : status(std::move(s)) {
    assert(status.failed() && "a success needs a value");
  }

  bool ok() const { return status.ok(); }
  bool failed() const { return status.failed(); }
  const std::string &message() const { return status.message(); }
  const Status &getStatus() const { return status; }

  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

private:
  std::optional<T> value;
  Status status;
};

} // namespace cma

#endif // CMA_RUNTIME_STATUS_H
