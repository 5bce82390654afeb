//===- CMALossScaleOps.td - Loss scaling -------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the ops that keep small gradients alive: they undo the
// scale of the loss, find overflow, skip a step and adapt the scale.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMALOSSSCALEOPS_TD
#define CMA_DIALECT_CMA_IR_CMALOSSSCALEOPS_TD

include "cma/Dialect/CMA/IR/CMABase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CMA_ScalarIntegerTensor<I element, int width>
    : Type<And<[RankedTensorOf<[element]>.predicate, HasAnyRankOfPred<[0]>]>,
           "scalar tensor of i" # width, "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getIntegerType("
                    # width # "))">;

def CMA_FlagTensor : CMA_ScalarIntegerTensor<I1, 1>;
def CMA_CounterTensor : CMA_ScalarIntegerTensor<I32, 32>;

def CMA_UnscaleOp : CMA_Op<"unscale", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Undo the scale of gradients, and find overflow";
  let description = [{
    Extends each gradient to f32 (an f64 one stays f64) and multiplies it by the
    reciprocal of the scale, rounded in that type. `found_inf` says whether any
    element of any product is not finite: a gradient that is not finite gives
    such a product, and a small scale can make one of a gradient that is. The
    list may be empty; then nothing was found.

    ```mlir
    %u0, %u1, %found_inf = cma.unscale %scale (%g0, %g1)
        : tensor<f32>, tensor<4xf16>, tensor<2x3xf32>
    ```

    The scale is the one that the loss's cotangent was multiplied by
    (`cma-verify-scales` proves that).

    Constraints:
    * `unscale_c1`: each result has the shape of its gradient; it is f64 for a
      gradient of f64 and f32 otherwise.
  }];
  let arguments = (ins CMA_ScalarWideFloatTensor:$scale,
                       Variadic<CMA_FloatTensor>:$gradients);
  let results = (outs Variadic<CMA_WideFloatTensor>:$unscaled,
                      CMA_FlagTensor:$found_inf);
  let assemblyFormat = [{
    $scale `(` $gradients `)` attr-dict `:` type($scale)
    (`,` type($gradients)^)?
  }];
}

def CMA_HysteresisRefill
    : I32EnumAttr<"HysteresisRefill", "when overflows are forgiven again", [
    I32EnumAttrCase<"Growth", 0, "growth">,
    I32EnumAttrCase<"Good", 1, "good">]> {
  let cppNamespace = "::cma";
  let genSpecializedAttr = 0;
}

def CMA_HysteresisRefillAttr
    : EnumAttr<CMA_Dialect, CMA_HysteresisRefill, "hysteresis_refill">;

def CMA_UpdateLossScaleOp : CMA_Op<"update_loss_scale", [
    Pure, AllTypesMatch<["scale", "new_scale"]>]> {
  let summary = "Adapt the loss scale to what the step found";
  let description = [{
    One step of the dynamic loss scale's state machine, on scalars.

    * Overflow: `good_steps` becomes -`delay`. With `hysteresis` h, the first
      h - 1 overflows only count down the tracker; each further one multiplies
      the scale by `backoff`, down to `minimum`.
    * No overflow: `good_steps` grows by 1. Where it has reached `interval`, it
      starts at 0 again, and the scale is multiplied by `growth`, unless the
      product is above `maximum`. The tracker is refilled to h there, or, with
      `refill = #cma<hysteresis_refill good>`, at every step without overflow.

    The scale so stays between `minimum` and `maximum`; it is never 0, infinite
    or without a finite reciprocal.

    ```mlir
    %s1, %n1 = cma.update_loss_scale %s, %n, %found_inf
        {growth = 2.0 : f64, interval = 2000 : i64} : tensor<f32>
    %s2, %n2, %h2 = cma.update_loss_scale %s, %n, %found_inf hysteresis(%h)
        {hysteresis = 2 : i64, minimum = 1.0 : f64} : tensor<f32>
    ```

    PyTorch and Keras are the defaults (with `interval` 2000), Megatron has
    `hysteresis` 2, DeepSpeed that and `delay` 1: its scale grows one step later.

    Constraints:
    * `update_loss_scale_c1`: `growth` is finite and above 1.
    * `update_loss_scale_c2`: `backoff` is above 0 and below 1.
    * `update_loss_scale_c3`: `interval` and `hysteresis` are from 1 to 2^31 - 1,
      `delay` is from 0 to 2^31 - 1.
    * `update_loss_scale_c4`: `minimum` is at most `maximum`, both from 2^-126 to
      2^127, where f32 has finite reciprocals.
    * `update_loss_scale_c5`: there is a tracker, and a new one, exactly where
      `hysteresis` is above 1.
  }];
  let arguments = (ins CMA_ScalarWideFloatTensor:$scale,
    CMA_CounterTensor:$good_steps, CMA_FlagTensor:$found_inf,
    Optional<CMA_CounterTensor>:$tracker,
    DefaultValuedAttr<F64Attr, "2.0">:$growth,
    DefaultValuedAttr<F64Attr, "0.5">:$backoff,
    DefaultValuedAttr<I64Attr, "2000">:$interval,
    DefaultValuedAttr<F64Attr, "0x1p-126">:$minimum,
    DefaultValuedAttr<F64Attr, "0x1p127">:$maximum,
    DefaultValuedAttr<I64Attr, "1">:$hysteresis,
    DefaultValuedAttr<CMA_HysteresisRefillAttr,
                      "::cma::HysteresisRefill::Growth">:$refill,
    DefaultValuedAttr<I64Attr, "0">:$delay);
  let results = (outs CMA_ScalarWideFloatTensor:$new_scale,
                      CMA_CounterTensor:$new_good_steps,
                      Optional<CMA_CounterTensor>:$new_tracker);
  let assemblyFormat = [{
    $scale `,` $good_steps `,` $found_inf (`hysteresis` `(` $tracker^ `)`)?
    attr-dict `:` type($scale)
    custom<TrackerType>(ref($tracker), type($new_tracker))
  }];
  let hasVerifier = 1;
}

def CMA_GuardOp : CMA_Op<"guard", [
    RecursiveMemoryEffects, SingleBlock, NoRegionArguments,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "New values, or the old ones where overflow was found";
  let description = [{
    The results are what the region yields where `found_inf` is false, and the
    old values, bit for bit, where it is true. The region has no side effects and
    may be computed in either case.

    ```mlir
    %p1, %m1 = cma.guard %found_inf (%p, %m) : tensor<4xf32>, tensor<4xf32> {
      %p2, %m2 = cma.sgd %p, %g, %lr momentum(%m) {momentum = 0.9 : f64}
          : tensor<4xf32>, tensor<f32>
      cma.yield %p2, %m2 : tensor<4xf32>, tensor<4xf32>
    }
    ```

    An optimizer whose operands are the old values is lowered together with the
    choice, so that a step passes over memory once.

    Constraints:
    * `guard_c1`: each result has the type of its old value.
    * `guard_c2`: the region ends with a `cma.yield` of as many values as there
      are old ones, each of the old one's type.
    * `guard_c3`: the ops of the region have no side effects.
  }];
  let arguments = (ins CMA_FlagTensor:$found_inf,
                       Variadic<AnyRankedTensor>:$old_values);
  let results = (outs Variadic<AnyRankedTensor>:$new_values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $found_inf `(` $old_values `)` attr-dict-with-keyword
    (`:` type($old_values)^)? $body
  }];
  let hasVerifier = 1;
}

def CMA_YieldOp : CMA_Op<"yield", [
    Pure, Terminator, ParentOneOf<["::cma::GuardOp"]>]> {
  let summary = "What a region gives";
  let description = [{
    ```mlir
    cma.yield %p, %m : tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // CMA_DIALECT_CMA_IR_CMALOSSSCALEOPS_TD
