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

def HoistChecksPass : Pass<"cma-hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "Move label checks, and what they need, to the start";
  let description = [{
    A call that fails writes no buffer. So every `cma.check_labels` comes before
    everything else; the ops that compute its labels move with it. A check in a
    loop moves out of it where it is the same in every iteration, and is an error
    otherwise. The labels become a read-only buffer, so that bufferisation has
    nothing to do with the check.

    ```mlir
    func.func @f(%x: tensor<8xf32>, %labels: tensor<8xi64>) -> tensor<8xf32> {
      %y = math.exp %x : tensor<8xf32>
      cma.check_labels %labels {num_classes = 10 : i64} : tensor<8xi64>
      return %y : tensor<8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<8xf32>, %labels: tensor<8xi64>) -> tensor<8xf32> {
      %0 = bufferization.to_buffer %labels read_only
          : tensor<8xi64> to memref<8xi64>
      cma.check_labels %0 {num_classes = 10 : i64} : memref<8xi64>
      %y = math.exp %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::cma::CMADialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def PrepareEntriesPass : Pass<"cma-prepare-entries", "::mlir::ModuleOp"> {
  let summary = "Let public functions take buffers instead of tensors";
  let description = [{
    Every argument of a public function becomes a memref that is read once, at
    the start. A result that updates an argument (`cma.updates`) is written to
    that argument; every other result gets a memref argument of its own. A last
    argument holds the call's status, the words of a `cma_status`.

    What the C table of the entry needs (names, roles, types, which argument is
    donated, `include/cma/Runtime/Entry.h`) moves from the attributes of arguments
    and results to the function's `cma.entry`. The function itself is renamed, so
    that a model may be called `main` or `expf`.

    Types and ops that cannot be compiled are reported here: dynamic shapes,
    element types other than f32, f64, index and the signless integers of 1, 8,
    16, 32 and 64 bits, calls, and ops of the `cma` dialect that
    `convert-cma-to-linalg` should have lowered.

    ```mlir
    func.func @f(%p: tensor<4xf32> {cma.name = "p", cma.role = "parameter"})
        -> (tensor<4xf32> {cma.updates = "p"}, tensor<f32>) {
      ...
      return %new, %loss : tensor<4xf32>, tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @cma_body_f(%p: memref<4xf32>, %out: memref<f32>,
                          %status: memref<6xi64>)
        attributes {cma.entry = {name = "f", buffers = [...], ...}} {
      %0 = bufferization.to_tensor %p restrict writable
          : memref<4xf32> to tensor<4xf32>
      ...
      bufferization.materialize_in_destination %loss in restrict writable %out
          : (tensor<f32>, memref<f32>) -> ()
      bufferization.materialize_in_destination %new in restrict writable %p
          : (tensor<4xf32>, memref<4xf32>) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::cma::CMADialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def FuseElementwisePass
    : Pass<"cma-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Turn elementwise ops on tensors into few linalg.generic ops";
  let description = [{
    Elementwise `arith` and `math` on tensors and named linalg ops become
    `linalg.generic`. Then a producer moves into its consumer

    * where it only moves data (a broadcast, a transposition), or
    * where it is elementwise, has no other user, and each of its elements is
      read once, so that no arithmetic is done twice.

    A contraction takes nothing in: it reads every element many times. Splat
    constants end as scalars in a body or as `linalg.fill`; `tensor.concat` ends
    as insertions.

    ```mlir
    %0 = arith.mulf %a, %b : tensor<4xf32>
    %1 = arith.addf %0, %c : tensor<4xf32>
    ```
    becomes
    ```mlir
    %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id],
                         iterator_types = ["parallel"]}
        ins(%a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
        outs(%empty : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
      %2 = arith.mulf %x, %y : f32
      %3 = arith.addf %2, %z : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    ```
  }];
  let options = [
    Option<"fuseOps", "fuse", "bool", /*default=*/"true",
           "Fuse producers into consumers; without it, only convert">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AssignDestinationsPass
    : Pass<"cma-assign-destinations", "::mlir::func::FuncOp"> {
  let summary = "Compute each result in the buffer it is returned in";
  let description = [{
    For each `bufferization.materialize_in_destination` that
    `cma-prepare-entries` made, the op that first writes the returned value gets
    the buffer as its destination, also through reshapes and loops. Where there
    is none (an argument returned as it is, a constant, a value returned twice)
    the value is copied by a `linalg.generic`. One-shot bufferisation then sees
    every buffer as a tensor of its own and finds by analysis whether an argument
    may be overwritten where it is.

    ```mlir
    %p = bufferization.to_tensor %m restrict writable
        : memref<4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %new = linalg.generic {...} ins(%p, %g : ...) outs(%e : tensor<4xf32>) {...}
    bufferization.materialize_in_destination %new in restrict writable %m
        : (tensor<4xf32>, memref<4xf32>) -> ()
    ```
    becomes
    ```mlir
    %p = bufferization.to_tensor %m restrict writable
        : memref<4xf32> to tensor<4xf32>
    %new = linalg.generic {...} ins(%p, %g : ...) outs(%p : tensor<4xf32>) {...}
    bufferization.materialize_in_destination %new in restrict writable %m
        : (tensor<4xf32>, memref<4xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

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
