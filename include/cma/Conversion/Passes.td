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
// CMAToLinalg: the dialect to linalg on tensors
//===----------------------------------------------------------------------===//

def ConvertCMAToLinalgPass
    : Pass<"convert-cma-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Lower the cma dialect to linalg on tensors";
  let description = [{
    Every op becomes a few `linalg.generic` ops of static shape; only
    `cma.check_labels` is left, one for each tensor of labels, number of classes
    and ignored label, right behind the labels' definition.

    - A `cma.contract` of two operands becomes one op with the loops batch, rows
      (of the operand that lacks the result's last axis), columns, sum. Diagonals
      and labels that only one operand has are dealt with on that operand before.
      Labels that stand side by side in every tensor become one loop, but the
      batch axis of the data stays a loop of its own, the same in every op, so
      that later passes can fuse along it.
    - Sums are in the element type. Losses sum their rows in f64 and round the
      mean once.
    - Softmax and the losses subtract the row's maximum before the exponential.
    - `cma.sgd` and `cma.adamw` become one op whose inits are the parameter and its
      buffers. In a `cma.guard` that op's body also chooses between the old and
      the new values; what other ops make is chosen by an op of its own.
    - `cma.unscale` becomes elementwise products, and a reduction that looks for
      overflow; `cma.clip_by_global_norm` sums squares in f64. Both reduce large
      tensors in rows, which threads share.

    Layers (see `cma-expand-layers`), contractions of more than two operands
    (`cma-plan-contractions`) and dynamic shapes (`cma-specialize`) are errors.

    ```mlir
    %y = cma.contract "bijk,ijkr->br" (%x, %w)
        : (tensor<8x2x3x4xf32>, tensor<2x3x4x5xf32>) -> tensor<8x5xf32>
    ```
    becomes
    ```mlir
    %a = tensor.collapse_shape %x [[0], [1, 2, 3]]
        : tensor<8x2x3x4xf32> into tensor<8x24xf32>
    %b = tensor.collapse_shape %w [[0, 1, 2], [3]]
        : tensor<2x3x4x5xf32> into tensor<24x5xf32>
    %zero = linalg.fill ins(%cst : f32) outs(%empty : tensor<8x5xf32>)
        -> tensor<8x5xf32>
    %y = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                         affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x24xf32>, tensor<24x5xf32>)
        outs(%zero : tensor<8x5xf32>) {
    ^bb0(%l: f32, %r: f32, %acc: f32):
      %product = arith.mulf %l, %r : f32
      %sum = arith.addf %acc, %product : f32
      linalg.yield %sum : f32
    } -> tensor<8x5xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

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
      read once, so that no arithmetic is done twice. A comparison moves into
      all its users: a mask in memory costs more.

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

def LegalizeFloatsPass : Pass<"cma-legalize-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute f16, bf16, f8 and tf32 in f32 and integers";
  let description = [{
    Ops of `arith` and `math` on f16, bf16, f8E4M3FN, f8E5M2 or tf32 compute in
    f32 and round their result once (integers of more than 24 bits become floats
    by way of f64, so that they are rounded once, too). Conversions become integer
    arithmetic on the bits, without branches or calls, so that they vectorise.
    They are exact: every tie goes to the even neighbour, subnormal values stay, a
    NaN stays a NaN. A rounding is never dropped, and no cast gets a fast-math
    flag. Conversions between f16 and f32 stay where the target has instructions
    for them.

    Afterwards the narrow types are only moved and reinterpreted; tf32 is gone.

    ```mlir
    %2 = arith.addf %0, %1 : bf16
    ```
    becomes
    ```mlir
    %b0 = arith.bitcast %0 : bf16 to i16
    %i0 = arith.extui %b0 : i16 to i32
    %s0 = arith.shli %i0, %c16 : i32
    %f0 = arith.bitcast %s0 : i32 to f32
    ...
    %sum = arith.addf %f0, %f1 : f32
    %bits = arith.bitcast %sum : f32 to i32
    %shifted = arith.shrui %bits, %c16 : i32
    %odd = arith.andi %shifted, %c1 : i32
    %half = arith.addi %bits, %c32767 : i32
    %rounded = arith.addi %half, %odd : i32
    %quiet = arith.ori %bits, %c4194304 : i32
    %nan = arith.cmpf uno, %sum, %sum : f32
    %either = arith.select %nan, %quiet, %rounded : i32
    %upper = arith.shrui %either, %c16 : i32
    %low = arith.trunci %upper : i32 to i16
    %2 = arith.bitcast %low : i16 to bf16
    ```
  }];
  let options = [
    Option<"f16Instructions", "f16-instructions", "bool", /*default=*/"true",
           "The target converts between f16 and f32 (F16C, AVX-512, AArch64)">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AssignDestinationsPass
    : Pass<"cma-assign-destinations", "::mlir::func::FuncOp"> {
  let summary = "Compute each result in the buffer it is returned in";
  let description = [{
    For each `bufferization.materialize_in_destination` that
    `cma-prepare-entries` made, the op that first writes the returned value gets
    the buffer as its destination, also through reshapes and loops. Where there
    is none (an argument returned as it is, a constant, a value returned twice)
    the value is copied by a `linalg.generic`. A repeated number for a buffer that
    is also read is filled in at the end. One-shot bufferisation then sees every
    buffer as a tensor of its own and finds by analysis whether an argument may be
    overwritten where it is.

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

def CopyLoopDestinationsPass
    : Pass<"cma-copy-loop-destinations", "::mlir::func::FuncOp"> {
  let summary = "Copy what a loop inserts into, where it comes from outside";
  let description = [{
    An insertion in a loop into a tensor from outside of it starts from that
    tensor in every iteration. One-shot bufferisation takes the insertion's
    destination and a slice of it for the same memory within one iteration, and
    does not see that the next iteration reads it again: computing the slice in
    place would leave its values behind. A copy in the loop makes each iteration
    start anew; bufferisation needs that copy anyway.

    ```mlir
    scf.for ... {
      %v = tensor.insert_slice %y into %outside[%i, 0] [1, 4] [1, 1]
          : tensor<4xf32> into tensor<7x4xf32>
    ```
    becomes
    ```mlir
    scf.for ... {
      %c = bufferization.alloc_tensor() copy(%outside) : tensor<7x4xf32>
      %v = tensor.insert_slice %y into %c[%i, 0] [1, 4] [1, 1]
          : tensor<4xf32> into tensor<7x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def LowerTensorBodiesPass
    : Pass<"cma-lower-tensor-bodies", "::mlir::func::FuncOp"> {
  let summary = "Run bodies that compute tensors in loops";
  let description = [{
    The body of a `tensor.generate`, or of a `tensor.pad`, runs for every element.
    One-shot bufferisation takes it for code that runs once: a tensor that such a
    body computes from one that stands outside may overwrite it, although the next
    element reads it again. Loops are understood. Bodies that only compute scalars
    stay as they are; a linalg op whose body computes a tensor is an error.

    ```mlir
    %g = tensor.generate {
    ^bb0(%i: index):
      %s = arith.mulf %v, %v : tensor<4xf32>
      %e = tensor.extract %s[%i] : tensor<4xf32>
      tensor.yield %e : f32
    } : tensor<4xf32>
    ```
    becomes
    ```mlir
    %empty = tensor.empty() : tensor<4xf32>
    %g = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %empty) -> tensor<4xf32> {
      %s = arith.mulf %v, %v : tensor<4xf32>
      %e = tensor.extract %s[%i] : tensor<4xf32>
      %u = tensor.insert %e into %t[%i] : tensor<4xf32>
      scf.yield %u : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
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

def LowerChecksPass : Pass<"cma-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Turn label checks into a scan that ends the call";
  let description = [{
    Each `cma.check_labels` becomes a loop that looks for the first label out of
    range. Where there is one, the status argument is filled (code, row-major
    index, label, limit, the argument's name, the op's location), and of several
    failing checks the first reports. Everything after the last check moves under
    the condition that all of them hold. Needs `cma-hoist-checks`,
    `cma-prepare-entries` and bufferisation.

    ```mlir
    cma.check_labels %labels {num_classes = 10 : i64} : memref<8xi64>
    linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
    return
    ```
    becomes
    ```mlir
    %found:2 = scf.for %i = %c0 to %c8 step %c1
        iter_args(%at = %none, %bad = %none) -> (i64, i64) { ... }
    %fine = arith.cmpi slt, %found#0, %zero : i64
    scf.if %not_fine {
      memref.store %code, %status[%c0] : memref<6xi64>
      ...
    }
    scf.if %fine {
      linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
    }
    return
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanMemoryPass : Pass<"cma-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Lay every allocation out in the workspace argument";
  let description = [{
    Every `memref.alloc` of a function with a `cma.entry` becomes a view of one
    workspace, a new last argument, at an offset of a multiple of 64 bytes.
    Allocations do not share memory. One inside an `scf.parallel` has a place for
    every iteration; the loop's bounds must then be constant. The size goes to
    `cma.entry`; sizes beyond 2^63 - 1 bytes are refused. An argument without
    elements becomes a `memref<0xi8>`.

    Afterwards nothing allocates or copies at run time: any other op that would,
    `memref.copy` included, is an error. `memref.alloca` stays (see
    `cma-hoist-allocas`).

    ```mlir
    func.func @cma_body_f(%x: memref<4xf32>, %status: memref<6xi64>)
        attributes {cma.entry = {..., workspace = 0 : i64}} {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc() : memref<32xf32>
      ...
    ```
    becomes
    ```mlir
    func.func @cma_body_f(%x: memref<4xf32>, %status: memref<6xi64>,
                          %workspace: memref<192xi8>)
        attributes {cma.entry = {..., workspace = 192 : i64}} {
      %a = memref.view %workspace[%c0][] : memref<192xi8> to memref<4xf32>
      %b = memref.view %workspace[%c64][] : memref<192xi8> to memref<32xf32>
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerMathPass : Pass<"cma-lower-math", "::mlir::ModuleOp"> {
  let summary = "Choose how elementary functions are computed";
  let description = [{
    On f32 scalars and vectors `math.exp`, `math.tanh`, `math.erf` and `math.log`
    become polynomials (at most 5 ulp off, `math.exp` of less than -87.3 is 0).
    Functions that LLVM has no intrinsic for, or only one that loses digits near
    0 (`math.expm1`, `math.log1p`), become calls of libm, lane by lane. Others
    stay for `convert-math-to-llvm`. f64 is never approximated.

    ```mlir
    %0 = math.erf %x : f64
    ```
    becomes
    ```mlir
    %0 = call @erf(%x) : (f64) -> f64
    ```
  }];
  let options = [
    Option<"approximate", "approximate", "bool", /*default=*/"true",
           "Use polynomials for f32">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def OrderReductionsPass
    : Pass<"cma-order-reductions", "::mlir::func::FuncOp"> {
  let summary = "Run parallel loops that reduce values in order";
  let description = [{
    Writes an `scf.parallel` with results as `scf.for` loops that carry them.
    Threads would combine partial results in an order that depends on how many
    there are, and with it the last bits of a sum of floats. CMA's own parallel
    loops have no results: their partial sums lie in memory and are added in the
    order of fixed chunks.

    ```mlir
    %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
      %v = memref.load %x[%i] : memref<8xf32>
      scf.reduce(%v : f32) {
      ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32
      }
    }
    ```
    becomes
    ```mlir
    %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i] : memref<8xf32>
      %t = arith.addf %a, %v : f32
      scf.yield %t : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def HoistAllocasPass : Pass<"cma-hoist-allocas", "::mlir::func::FuncOp"> {
  let summary = "Allocate stack buffers once per thread";
  let description = [{
    Moves each `memref.alloca` to the start of the `omp.parallel` around it, or
    of the function, so that a loop does not use up the stack. It also empties the
    `memref.alloca_scope` that `convert-scf-to-openmp` puts into each loop;
    `canonicalize` then removes the scope, which `convert-scf-to-cf` could not
    lower.

    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
          memref.alloca_scope {
            %0 = memref.alloca() : memref<16xf32>
            ...
    ```
    becomes
    ```mlir
    omp.parallel {
      %0 = memref.alloca() : memref<16xf32>
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
          memref.alloca_scope {
            ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def HoldFloatsAsIntegersPass
    : Pass<"cma-hold-floats-as-integers", "::mlir::ModuleOp"> {
  let summary = "Load, move and store bf16 and f16 as integers";
  let description = [{
    Replaces bf16, and f16 where the target has no instructions for it, by
    integers of that width in every op of the LLVM dialect. After
    `cma-legalize-floats` nothing computes with these types any longer; bits are
    moved only. LLVM still splits short vectors of them through f32 and back, which
    ends in a call of the library for each element.

    ```mlir
    llvm.func @f(%p: !llvm.ptr) -> vector<1xi16> {
      %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<1xbf16>
      %1 = llvm.bitcast %0 : vector<1xbf16> to vector<1xi16>
      llvm.return %1 : vector<1xi16>
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%p: !llvm.ptr) -> vector<1xi16> {
      %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<1xi16>
      %1 = llvm.bitcast %0 : vector<1xi16> to vector<1xi16>
      llvm.return %1 : vector<1xi16>
    }
    ```

    Refused: arithmetic on these types.
  }];
  let options = [
    Option<"f16Instructions", "f16-instructions", "bool", /*default=*/"true",
           "Whether the target converts f16 by instructions (F16C on x86)">
  ];
}

def EmitEntriesPass : Pass<"cma-emit-entries", "::mlir::ModuleOp"> {
  let summary = "Write the C table and call of every entry";
  let description = [{
    For every function with a `cma.entry`, adds the constant `cma_entry_<name>`, a
    `cma_entry` of `include/cma/Runtime/Entry.h`, and the function behind its
    `call`. The body becomes internal; its pointers are marked as disjoint and
    aligned, inputs as read-only. An op outside the LLVM and OpenMP dialects is
    reported as one that could not be lowered. `llvm.loop_annotation` on a jump,
    where the conversions from `scf` leave it, becomes the jump's own attribute.

    ```mlir
    llvm.func @cma_body_f(%x: !llvm.ptr, %status: !llvm.ptr, %ws: !llvm.ptr)
        attributes {cma.entry = {name = "f", ...}} { ... }
    ```
    becomes
    ```mlir
    llvm.func internal @cma_call_f(%buffers: !llvm.ptr, %ws: !llvm.ptr,
                                   %status: !llvm.ptr) -> i32 { ... }
    llvm.mlir.global external constant @cma_entry_f() : !llvm.struct<...> { ... }
    llvm.func internal @cma_body_f(%x: !llvm.ptr {llvm.align = 64 : i64, ...},
                                   ...) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SeparateFillsPass : Pass<"cma-separate-fills", "::mlir::func::FuncOp"> {
  let summary = "Give every sum on tensors a fill of its own";
  let description = [{
    Common subexpression elimination merges fills of equal tensors. As the
    starting value of several sums such a tensor has to be copied for each of
    them when buffers are assigned, and the copies tie together buffers that have
    nothing in common. This pass gives each op that overwrites the filled tensor
    a `linalg.fill` of its own; it runs just before bufferisation.

    ```mlir
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %a = linalg.reduce ... outs(%f : tensor<4xf32>)
    %b = linalg.reduce ... outs(%f : tensor<4xf32>)
    ```
    becomes
    ```mlir
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %a = linalg.reduce ... outs(%f : tensor<4xf32>)
    %g = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.reduce ... outs(%g : tensor<4xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseBatchLoopsPass : Pass<"cma-fuse-batch-loops", "::mlir::func::FuncOp"> {
  let summary = "Run ops that share the batch axis in one loop over tiles of it";
  let description = [{
    Finds the axis along which most of a block's work is independent (the batch)
    and gathers linalg ops on memrefs that have it into runs. A run becomes one
    loop over at most 16 chunks of the batch, in parallel, with a loop over tiles
    of some tens of positions inside; each op works on the tile's part of its
    operands while that is in cache:

    - a buffer that only the run uses becomes scratch of one tile, with rows
      padded to whole vectors;
    - an op that sums over the batch (a gradient of weights, a loss) adds to one
      partial result per chunk. After the loop these are combined in the order of
      the chunks, so that results are the same for any number of threads. Partial
      results of more than 512 KiB stay out of the run;
    - ops in between that do not have the axis move before or after the run where
      no op would then read another value; otherwise the run ends.

    The last, partial tile is a copy of its own. Run before `cma-lower-kernels`.

    ```mlir
    linalg.generic ... ins(%x, %a : memref<4096x768xf32>, memref<768x30xf32>)
                       outs(%t : memref<4096x30xf32>) {...}
    linalg.generic ... ins(%t, %b : memref<4096x30xf32>, memref<30x768xf32>)
                       outs(%y : memref<4096x768xf32>) {...}
    ```
    becomes
    ```mlir
    scf.parallel (%chunk) = (%c0) to (%c16) step (%c1) {
      %scratch = memref.alloc() : memref<64x32xf32>
      %ts = memref.subview %scratch[0, 0] [64, 30] [1, 1] ...
      scf.for %tile = %first to %last step %c1 {
        %xs = memref.subview %x[%row, 0] [64, 768] [1, 1] ...
        %ys = memref.subview %y[%row, 0] [64, 768] [1, 1] ...
        linalg.generic ... ins(%xs, %a) outs(%ts) {...}
        linalg.generic ... ins(%ts, %b) outs(%ys) {...}
      }
    }
    ```
  }];
  let options = [
    Option<"tile", "tile", "int64_t", /*default=*/"0",
           "Positions of the batch per tile; 0 chooses by what a tile touches">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerKernelsPass : Pass<"cma-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "Lower linalg ops on memrefs to loops over vectors";
  let description = [{
    Every linalg op on memrefs of static shape becomes loops:

    - a contraction of two floating operands becomes register tiles of up to 6
      rows by 64 bytes, with the accumulators in loop-carried vectors. One operand
      (B) is read in rows of the tile's width; where it does not change in the
      loops around, it is copied once in front of them into such panels, padded
      with zeros, and where its rows would evict each other from the cache, one
      panel at a time. The other is read element by element along any axis. Where
      the other or the result lies in a large buffer, a tile prefetches what the
      tile of the next rows needs, and the innermost loop is annotated for LLVM
      to unroll it;
    - elementwise ops, broadcasts and reductions become vector loops along an
      axis with unit stride in every operand that moves;
    - anything else becomes scalar loops.

    A fill of the result just before becomes the initial value of the sum. An
    elementwise op of one buffer in and one out, a change of type for example, is
    done inside a contraction where nobody can tell: in registers on the sums
    before they are stored, or on rows of the other operand just before the tile
    that reads them.
    Ops outside a parallel loop that do enough work are cut into at most 16
    chunks, whatever the number of threads, so that results do not depend on it.
    Remarks of the category `cma-lower-kernels` say what was chosen, and why not
    something faster. Sums may be reassociated; nothing else about the arithmetic
    changes.

    ```mlir
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.absf %in : f32
      linalg.yield %0 : f32
    }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %p = arith.muli %i, %c16 : index
      %0 = vector.load %a[%p] : memref<64xf32>, vector<16xf32>
      %1 = math.absf %0 : vector<16xf32>
      vector.store %1, %b[%p] : memref<64xf32>, vector<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CMA_CONVERSION_PASSES
