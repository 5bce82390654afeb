// Stack buffers are made once per thread.
// RUN: cma-opt %s --pass-pipeline='builtin.module(convert-scf-to-openmp,func.func(cma-hoist-allocas),canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = memref.alloca() : memref<4xf32>
// CHECK:         omp.parallel {
// CHECK-NEXT:      %[[B:.*]] = memref.alloca() : memref<8xf32>
// CHECK-NEXT:      omp.wsloop
// CHECK-NOT:       memref.alloca_scope
// CHECK:             memref.store %{{.*}}, %[[B]]
// CHECK:         scf.for
// CHECK-NOT:       memref.alloca
// CHECK:           memref.store %{{.*}}, %[[A]]
func.func @f(%v: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = memref.alloca() : memref<8xf32>
    memref.store %v, %b[%i] : memref<8xf32>
    %l = memref.load %b[%c1] : memref<8xf32>
    memref.store %l, %out[%i] : memref<8xf32>
    scf.reduce
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloca() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    %l = memref.load %a[%c1] : memref<4xf32>
    memref.store %l, %out[%i] : memref<8xf32>
  }
  return
}
