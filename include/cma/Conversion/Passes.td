//===- Passes.td - Conversions out of CMA and to the CPU ---*- tablegen -*-===//
//
// Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file defines the passes of lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef CMA_CONVERSION_PASSES
#define CMA_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// LinalgToCPU: linalg on tensors to one C entry per public function
//===----------------------------------------------------------------------===//

def LowerCopiesPass : Pass<"cma-lower-copies", "::mlir::func::FuncOp"> {
  let summary = "Turn memref.copy into linalg and take memrefs out of loop iter_args";
  let description = [{
    Bufferisation copies with `memref.copy`, which becomes a call into a run-time
    library where a layout is not contiguous. This pass writes each one as a
    `linalg.generic`, which the later passes tile and vectorise like any other,
    and drops the copies of a buffer to itself.

    The copies at the end of a function fill the buffers of the caller. They are
    one parallel assignment: a buffer that one of them overwrites and a later one
    reads is saved first. The same is done for an `scf.for` whose body yields
    another buffer than it was given: the loop then carries no memref at all.

    ```mlir
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    ```
    becomes
    ```mlir
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // CMA_CONVERSION_PASSES
