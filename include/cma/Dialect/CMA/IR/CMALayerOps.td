//===- CMALayerOps.td - Linear layers ----------------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the linear layers. Leading axes of the input are batch axes
// and are kept; the last axis holds the features.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_IR_CMALAYEROPS_TD
#define CMA_DIALECT_CMA_IR_CMALAYEROPS_TD

include "cma/Dialect/CMA/IR/CMABase.td"
include "cma/Dialect/CMA/IR/CMAInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CMA_LayerOp<string mnemonic, list<Trait> traits = []>
    : CMA_Op<mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<LayerOpInterface, ["getLayerWeights",
          "getDenseWeightCount", "expandLayer"]>]> {
  let results = (outs CMA_FloatTensor:$result);
  let hasVerifier = 1;
}

def CMA_LinearOp : CMA_LayerOp<"linear"> {
  let summary = "Dense layer";
  let description = [{
    y = x W + b with W of shape (input features, output features).

    ```mlir
    %y = cma.linear %x, %w bias(%b)
        : tensor<32x6xf32>, tensor<6x4xf32>, tensor<4xf32> -> tensor<32x4xf32>
    ```

    Constraints:
    * `linear_c1`: the input has at least one axis, the weight two.
    * `linear_c2`: the input's last extent is the weight's first.
    * `linear_c3`: the bias has one axis, of the weight's second extent.
    * `linear_c4`: the result has the input's leading axes and then the weight's
      second extent.
    * `linear_c5`: all element types are equal.
    * `linear_c6`: the weight's shape is static.
  }];
  let arguments = (ins CMA_FloatTensor:$input, CMA_FloatTensor:$weight,
                       Optional<CMA_FloatTensor>:$bias);
  let assemblyFormat = [{
    $input `,` $weight (`bias` `(` $bias^ `)`)? attr-dict `:`
    type($input) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
}

def CMA_TTLinearOp : CMA_LayerOp<"tt_linear", [AttrSizedOperandSegments]> {
  let summary = "Tensor-train layer";
  let description = [{
    y = x W + b where W is a tensor train: input cores, then output cores, core k
    of shape r(k-1) x s(k) x r(k). The input features are the row-major digits of
    the input modes, the first most significant; the output features likewise.
    Gates are diagonals between neighbouring cores: either none, or one between
    every two, in order.

    ```mlir
    %z = cma.tt_linear %x, (%g0), (%g1) gates(%d0) bias(%b)
        : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>),
          gates(tensor<3xf32>), tensor<4xf32> -> tensor<32x4xf32>
    ```

    Constraints:
    * `tt_linear_c1`: at least one input core and one output core.
    * `tt_linear_c2`: each core has three axes.
    * `tt_linear_c3`: the first core's first extent and the last core's last
      extent are 1.
    * `tt_linear_c4`: a core's last extent is the next core's first.
    * `tt_linear_c5`: the input's last extent is the product of the input modes.
    * `tt_linear_c6`: no gates, or one gate fewer than cores.
    * `tt_linear_c7`: gate k has one axis, of the extent of bond k.
    * `tt_linear_c8`: the bias has one axis, the product of the output modes.
    * `tt_linear_c9`: the result has the input's leading axes and then the
      product of the output modes.
    * `tt_linear_c10`: all element types are equal.
    * `tt_linear_c11`: the cores' shapes are static.
    * `tt_linear_c12`: the layer's matrix has at most 2^63 - 1 elements.
  }];
  let arguments = (ins CMA_FloatTensor:$input,
                       Variadic<CMA_FloatTensor>:$input_cores,
                       Variadic<CMA_FloatTensor>:$output_cores,
                       Variadic<CMA_FloatTensor>:$gates,
                       Optional<CMA_FloatTensor>:$bias);
  let assemblyFormat = [{
    $input `,` `(` $input_cores `)` `,` `(` $output_cores `)`
    (`gates` `(` $gates^ `)`)? (`bias` `(` $bias^ `)`)? attr-dict `:`
    type($input) `,` custom<CoreTypes>(type($input_cores)) `,`
    custom<CoreTypes>(type($output_cores)) `` custom<GateAndBiasTypes>(type($gates), type($bias)) `->` type($result)
  }];
}

def CMA_TTMLinearOp : CMA_LayerOp<"ttm_linear", [AttrSizedOperandSegments]> {
  let summary = "TT-matrix layer";
  let description = [{
    y = x W + b where W is a TT-matrix: core k has shape
    r(k-1) x m(k) x n(k) x r(k), m the input mode and n the output mode. Gates as
    in `tt_linear`.

    ```mlir
    %z = cma.ttm_linear %x, (%g0, %g1) gates(%d0) bias(%b)
        : tensor<32x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>),
          gates(tensor<3xf32>), tensor<4xf32> -> tensor<32x4xf32>
    ```

    Constraints:
    * `ttm_linear_c1`: at least one core.
    * `ttm_linear_c2`: each core has four axes.
    * `ttm_linear_c3`: the first core's first extent and the last core's last
      extent are 1.
    * `ttm_linear_c4`: a core's last extent is the next core's first.
    * `ttm_linear_c5`: the input's last extent is the product of the input modes.
    * `ttm_linear_c6`: no gates, or one gate fewer than cores.
    * `ttm_linear_c7`: gate k has one axis, of the extent of bond k.
    * `ttm_linear_c8`: the bias has one axis, the product of the output modes.
    * `ttm_linear_c9`: the result has the input's leading axes and then the
      product of the output modes.
    * `ttm_linear_c10`: all element types are equal.
    * `ttm_linear_c11`: the cores' shapes are static.
    * `ttm_linear_c12`: the layer's matrix has at most 2^63 - 1 elements.
  }];
  let arguments = (ins CMA_FloatTensor:$input, Variadic<CMA_FloatTensor>:$cores,
                       Variadic<CMA_FloatTensor>:$gates,
                       Optional<CMA_FloatTensor>:$bias);
  let assemblyFormat = [{
    $input `,` `(` $cores `)` (`gates` `(` $gates^ `)`)?
    (`bias` `(` $bias^ `)`)? attr-dict `:` type($input) `,`
    custom<CoreTypes>(type($cores)) `` custom<GateAndBiasTypes>(type($gates), type($bias)) `->` type($result)
  }];
}

def CMA_LowRankLinearOp : CMA_LayerOp<"low_rank_linear"> {
  let summary = "Layer of two factors";
  let description = [{
    y = x U V + b with U of shape (input features, rank) and V of shape
    (rank, output features).

    ```mlir
    %y = cma.low_rank_linear %x, %u, %v bias(%b)
        : tensor<32x6xf32>, tensor<6x2xf32>, tensor<2x4xf32>, tensor<4xf32>
        -> tensor<32x4xf32>
    ```

    Constraints:
    * `low_rank_linear_c1`: the input has at least one axis, the factors two.
    * `low_rank_linear_c2`: the input's last extent is the left factor's first.
    * `low_rank_linear_c3`: the left factor's second extent is the right
      factor's first.
    * `low_rank_linear_c4`: the bias has one axis, of the right factor's second
      extent.
    * `low_rank_linear_c5`: the result has the input's leading axes and then the
      right factor's second extent.
    * `low_rank_linear_c6`: all element types are equal.
    * `low_rank_linear_c7`: the factors' shapes are static.
    * `low_rank_linear_c8`: the layer's matrix has at most 2^63 - 1 elements.
  }];
  let arguments = (ins CMA_FloatTensor:$input, CMA_FloatTensor:$left,
                       CMA_FloatTensor:$right,
                       Optional<CMA_FloatTensor>:$bias);
  let assemblyFormat = [{
    $input `,` $left `,` $right (`bias` `(` $bias^ `)`)? attr-dict `:`
    type($input) `,` type($left) `,` type($right) (`,` type($bias)^)? `->`
    type($result)
  }];
}

#endif // CMA_DIALECT_CMA_IR_CMALAYEROPS_TD
