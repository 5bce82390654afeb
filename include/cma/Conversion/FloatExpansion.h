//===- FloatExpansion.h - Conversions as integer arithmetic -----*- C++ -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares a builder for conversions between floats that machines
// lack, in ops that they have: integer arithmetic and f32. Values are scalars,
// vectors or tensors. A NaN stays one, and every tie and subnormal is exact.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_CONVERSION_FLOATEXPANSION_H
#define CMA_CONVERSION_FLOATEXPANSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cma {

enum class FloatRounding { NearestEven, TowardZero };

class FloatExpander {
public:
  explicit FloatExpander(mlir::ImplicitLocOpBuilder &builder) : b(builder) {}

  /// f16, bf16, f8E4M3FN or f8E5M2 as f32.
  mlir::Value extend(mlir::Value value);

  /// f32 as `element`: f16, bf16, f8E4M3FN or f8E5M2. Large values become
  /// infinity, or NaN where there is none; toward zero, finite ones stay so.
  mlir::Value truncate(mlir::Value value, mlir::Type element,
                       FloatRounding round);

  /// f32 with the 10 bits of mantissa that tf32 has.
  mlir::Value roundToTF32(mlir::Value value, FloatRounding round);

  /// f64 as f32, toward zero. With `sticky` the last bit is set where something
  /// was cut off: rounding the result to 21 bits or fewer is then as good as
  /// rounding the operand.
  mlir::Value narrowDouble(mlir::Value value, bool sticky);

  /// f32 or f64 as `element`, which may be tf32 (then the result is f32): up in
  /// magnitude where `noise`, an i32, is below the part cut off in units of
  /// 2^-32.
  mlir::Value roundStochastically(mlir::Value value, mlir::Type element,
                                  mlir::Value noise, bool saturate);

private:
  mlir::Value integer(mlir::Value like, int64_t value);
  mlir::Value bitsOf(mlir::Value value);
  mlir::Value asFloat(mlir::Value bits, mlir::Type element);
  mlir::Value resize(mlir::Value bits, unsigned width);
  mlir::Value conjunction(mlir::Value x, int64_t mask);
  mlir::Value disjunction(mlir::Value x, mlir::Value y);
  mlir::Value plus(mlir::Value x, int64_t y);
  mlir::Value plus(mlir::Value x, mlir::Value y);
  mlir::Value left(mlir::Value x, int64_t count);
  mlir::Value right(mlir::Value x, int64_t count);
  mlir::Value choose(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      int64_t y);
  mlir::Value isNaN(mlir::Value x);

  mlir::Value roundBits(mlir::Value bits, int64_t drop, FloatRounding round);
  mlir::Value dropMantissa(mlir::Value value, int64_t mantissa,
                           FloatRounding round);
  int64_t getLargestRounded(mlir::Type element, FloatRounding round);
  mlir::Value overflowCode(mlir::Value magnitude, mlir::Type element,
                           FloatRounding round);

  mlir::ImplicitLocOpBuilder &b;
};

} // namespace cma

#endif // CMA_CONVERSION_FLOATEXPANSION_H
