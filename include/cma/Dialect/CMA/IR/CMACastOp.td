//===- CMACastOp.td - Rounding -----------------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the op that rounds floats to another type.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMACASTOP_TD
#define CMA_DIALECT_CMA_IR_CMACASTOP_TD

include "cma/Dialect/CMA/IR/CMAAttributes.td"
include "cma/Dialect/CMA/IR/CMABase.td"
include "cma/Dialect/CMA/IR/CMAInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CMA_CastOp : CMA_Op<"cast", [
    Pure, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "Round floats to another type";
  let description = [{
    Rounds each element once to the result's element type. It folds only where
    that changes no value: a narrower value that is widened again keeps its
    rounding.

    ```mlir
    %h = cma.cast %x : tensor<4xf32> to tensor<4xf16>
    %b = cma.cast %x round(toward_zero) overflow(saturate)
        : tensor<4xf32> to tensor<4xbf16>
    %t = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
    %s = cma.cast %x round(stochastic, %step, seed = 7, stream = "w")
        : tensor<4xf32> to tensor<4xbf16>
    ```

    `tf32` rounds to the 10 bits of mantissa that tf32 has, and stores them as an
    f32 whose last 13 bits are 0.

    `round` is `nearest_even` unless given. `toward_zero` cuts off. `stochastic`
    takes the neighbour away from zero with the probability of the part that is
    cut off: where that part, in units of the last place that is kept, rounded
    down to a multiple of 2^-32, is above w[0] * 2^-32. w[0] is the first word of
    the generator in `cma/Runtime/Random.h`, of `seed` and `stream`, for the
    row-major position of the element and the `step`.

    `overflow` is `ieee` or `saturate`. Where the rounded value is beyond the
    largest finite one, `ieee` gives infinity, or NaN in f8E4M3FN, which has no
    infinity (`toward_zero` gives the largest finite value unless the operand is
    infinite). `saturate` gives the largest finite value instead, also for
    infinities. A NaN stays a NaN. Unless given, it is `saturate` where the result
    is f8E4M3FN or f8E5M2, and `ieee` otherwise.

    Its gradient is the cotangent, rounded to the operand's type, to nearest even
    and `ieee`.

    Constraints:
    * `cast_c1`: operand and result have the same shape.
    * `cast_c2`: with `tf32`, both element types are f32.
    * `cast_c3`: step, seed and stream are given exactly where the rounding is
      stochastic.
    * `cast_c4`: the stream is a non-empty string without NUL.
  }];
  let arguments = (ins CMA_FloatTensor:$input,
    Optional<0DTensorOf<[I64]>>:$step,
    DefaultValuedAttr<CMA_RoundingAttr,
                      "::cma::Rounding::NearestEven">:$round,
    CMA_OverflowAttr:$overflow,
    UnitAttr:$tf32,
    OptionalAttr<I64Attr>:$seed,
    OptionalAttr<StrAttr>:$stream);
  let results = (outs CMA_FloatTensor:$result);
  let builders = [
    /// To nearest even, with the overflow of the result type.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input)>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "::cma::Rounding":$round, "::cma::Overflow":$overflow)>
  ];
  let extraClassDeclaration = [{
    /// What `overflow` is for this result type unless given.
    static Overflow getDefaultOverflow(::mlir::Type result);
    /// Whether no value of the operand's type changes in this cast.
    bool isExact();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // CMA_DIALECT_CMA_IR_CMACASTOP_TD
