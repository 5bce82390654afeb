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
include "mlir/Interfaces/SideEffectInterfaces.td"

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

#endif // CMA_DIALECT_CMA_IR_CMATRAININGOPS_TD
