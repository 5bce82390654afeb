//===- CMATrainingOps.td - Optimizers ----------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the training ops.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMATRAININGOPS_TD
#define CMA_DIALECT_CMA_IR_CMATRAININGOPS_TD

include "cma/Dialect/CMA/IR/CMABase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CMA_StepTensor
    : Type<And<[RankedTensorOf<[I64]>.predicate, HasAnyRankOfPred<[0]>]>,
           "scalar tensor of i64", "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

def CMA_SGDOp : CMA_Op<"sgd", [
    Pure, AllTypesMatch<["parameter", "gradient", "new_parameter"]>]> {
  let summary = "Stochastic gradient descent";
  let description = [{
    With a momentum buffer m: m' = momentum m + gradient and
    parameter' = parameter - lr (m' + weight_decay parameter); without one, m' is
    the gradient. The weight decay is decoupled: it never enters the buffer.

    ```mlir
    %p1 = cma.sgd %p, %g, %lr : tensor<4xf32>, tensor<f32>
    %p2, %m2 = cma.sgd %p, %g, %lr momentum(%m)
        {momentum = 0.9 : f64, weight_decay = 0.01 : f64}
        : tensor<4xf32>, tensor<f32>
    ```

    Constraints:
    * `sgd_c1`: `momentum` is finite, at least 0 and below 1; it is 0 where there
      is no buffer.
    * `sgd_c2`: `weight_decay` is finite and not negative.
    * `sgd_c3`: the buffer has the parameter's type, and there is a new buffer
      exactly where there is a buffer.
  }];
  let arguments = (ins CMA_WideFloatTensor:$parameter,
    CMA_WideFloatTensor:$gradient,
    CMA_ScalarWideFloatTensor:$lr, Optional<CMA_WideFloatTensor>:$buffer,
    DefaultValuedAttr<F64Attr, "0.0">:$momentum,
    DefaultValuedAttr<F64Attr, "0.0">:$weight_decay);
  let results = (outs CMA_WideFloatTensor:$new_parameter,
                      Optional<CMA_WideFloatTensor>:$new_buffer);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $lr (`momentum` `(` $buffer^ `)`)? attr-dict `:`
    type($parameter) `,` type($lr)
    custom<SGDBufferTypes>(ref($buffer), ref(type($parameter)), type($buffer), type($new_buffer))
  }];
  let hasVerifier = 1;
}

def CMA_AdamWOp : CMA_Op<"adamw", [
    Pure, AllTypesMatch<["parameter", "gradient", "first", "second",
                         "new_parameter", "new_first", "new_second"]>]> {
  let summary = "Adam with decoupled weight decay";
  let description = [{
    With t = step + 1, where `step` counts the updates before this one:

        m' = beta1 m + (1 - beta1) g          v' = beta2 v + (1 - beta2) g^2
        p' = p - lr (m' / (1 - beta1^t) / (sqrt(v' / (1 - beta2^t)) + epsilon)
                     + weight_decay p)

    The powers are computed in f64, the rest in the parameter's type.

    ```mlir
    %p1, %m1, %v1 = cma.adamw %p, %g, %lr, %step moments(%m, %v)
        {beta1 = 0.9 : f64, weight_decay = 0.01 : f64}
        : tensor<4xf32>, tensor<f32>
    ```

    Constraints:
    * `adamw_c1`: `beta1` and `beta2` are at least 0 and below 1.
    * `adamw_c2`: `epsilon` and `weight_decay` are finite and not negative.
  }];
  let arguments = (ins CMA_WideFloatTensor:$parameter,
    CMA_WideFloatTensor:$gradient, CMA_ScalarWideFloatTensor:$lr,
    CMA_StepTensor:$step, CMA_WideFloatTensor:$first,
    CMA_WideFloatTensor:$second, DefaultValuedAttr<F64Attr, "0.9">:$beta1,
    DefaultValuedAttr<F64Attr, "0.999">:$beta2,
    DefaultValuedAttr<F64Attr, "1.0e-8">:$epsilon,
    DefaultValuedAttr<F64Attr, "0.0">:$weight_decay);
  let results = (outs CMA_WideFloatTensor:$new_parameter,
                      CMA_WideFloatTensor:$new_first,
                      CMA_WideFloatTensor:$new_second);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $lr `,` $step
    `moments` `(` $first `,` $second `)` attr-dict `:`
    type($parameter) `,` type($lr)
  }];
  let hasVerifier = 1;
}

def CMA_ClipByGlobalNormOp : CMA_Op<"clip_by_global_norm", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Shorten gradients whose common norm is too large";
  let description = [{
    `norm` is the Euclidean norm of all gradients together: squares and their sum
    in f64, in a fixed order, rounded once. Each gradient is multiplied by
    min(1, max_norm / (norm + 1e-6)). A norm that is not finite gives gradients
    that are not.

    ```mlir
    %c0, %c1, %norm = cma.clip_by_global_norm (%g0, %g1) {max_norm = 1.0 : f64}
        : tensor<4xf32>, tensor<2x3xf32>
    ```

    Constraints:
    * `clip_by_global_norm_c1`: each result has the type of its gradient; the
      norm is f64 where a gradient is, and f32 otherwise.
    * `clip_by_global_norm_c2`: `max_norm` is finite and above 0.
  }];
  let arguments = (ins Variadic<CMA_WideFloatTensor>:$gradients,
                       F64Attr:$max_norm);
  let results = (outs Variadic<CMA_WideFloatTensor>:$clipped,
                      CMA_ScalarWideFloatTensor:$norm);
  let assemblyFormat = "`(` $gradients `)` attr-dict (`:` type($gradients)^)?";
  let hasVerifier = 1;
}

#endif // CMA_DIALECT_CMA_IR_CMATRAININGOPS_TD
