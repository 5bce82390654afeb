// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels))' | FileCheck %s

// A kernel in the body of another one takes its fill over, which the body must
// not keep: what is left are loops in loops.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: memref.alloc()
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: memref.store
// CHECK-NOT: linalg
// CHECK: return
func.func @nested(%a: memref<3x3xf32>, %b: memref<3xf32>, %c: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.map outs(%c : memref<3xf32>)
    (%init: f32) {
      %i = linalg.index 0 : index
      %sum = memref.alloc() : memref<3xf32>
      linalg.fill ins(%zero : f32) outs(%sum : memref<3xf32>)
      linalg.generic {
          indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%b, %a : memref<3xf32>, memref<3x3xf32>) outs(%sum : memref<3xf32>) {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        linalg.yield %t : f32
      }
      %v = memref.load %sum[%i] : memref<3xf32>
      linalg.yield %v : f32
    }
  return
}
