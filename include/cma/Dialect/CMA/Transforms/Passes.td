//===- Passes.td - Passes on the CMA dialect ---------------*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the passes on the CMA dialect, in the order in which a
// training pipeline runs them.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD
#define CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CMAExpandLayersPass : Pass<"cma-expand-layers"> {
  let summary = "Rewrite linear layers as contractions";
  let description = [{
    Replaces every op with `LayerOpInterface` by one n-ary `cma.contract` of the
    input and all weights, reshapes, and the addition of the bias. The planner
    then sees the whole network. Needs static shapes (`cma-specialize`).

    ```mlir
    %y = cma.low_rank_linear %x, %u, %v
        : tensor<32x6xf32>, tensor<6x2xf32>, tensor<2x4xf32> -> tensor<32x4xf32>
    ```
    becomes
    ```mlir
    %y = cma.contract "ab,bc,cd->ad" (%x, %u, %v)
        : (tensor<32x6xf32>, tensor<6x2xf32>, tensor<2x4xf32>)
        -> tensor<32x4xf32>
    ```

    A rank above its useful cap (the smaller of the extents that the bond
    separates) is a warning: the layer is right, but holds more weights than a
    smaller rank needs to express the same matrix.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CMA_DIALECT_CMA_TRANSFORMS_PASSES_TD
