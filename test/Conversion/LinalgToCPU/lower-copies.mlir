// Copies become linalg ops, and loops carry no memref.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-copies))' | FileCheck %s

// The second copy reads what the first overwrites, so that is saved.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME:      %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[A]] : memref<4xf32>) outs(%[[T]] : memref<4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[B]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[T]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NOT:     linalg.generic
func.func @swap(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @itself(
// CHECK-NEXT:    return
func.func @itself(%a: memref<4xf32>) {
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  return
}

// A view of the target is saved first, too.
// CHECK-LABEL: func.func @overlap(
// CHECK:         %[[V:.*]] = memref.subview
// CHECK:         %[[T:.*]] = memref.alloc() : memref<3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[V]] : {{.*}}) outs(%[[T]] : memref<3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[T]] : memref<3xf32>)
func.func @overlap(%a: memref<4xf32>) {
  %from = memref.subview %a[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  %to = memref.subview %a[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %from, %to : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1], offset: 1>>
  return
}

// Not at the end: no caller's buffer is concerned.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic
func.func @inside(%a: memref<f32>, %b: memref<f32>, %v: f32) {
  memref.copy %a, %b : memref<f32> to memref<f32>
  memref.store %v, %a[] : memref<f32>
  return
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME:      %[[A:[a-z0-9]+]]: memref<4xf32>,
// CHECK:         %[[X:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : memref<4xf32>) outs(%[[X]] : memref<4xf32>)
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (index) {
// CHECK:           %[[NEXT:.*]] = memref.alloc() : memref<4xf32>
// CHECK:           linalg.fill {{.*}} outs(%[[NEXT]] : memref<4xf32>)
// CHECK:           linalg.generic {{.*}} ins(%[[NEXT]] : memref<4xf32>) outs(%[[X]] : memref<4xf32>)
// CHECK:           scf.yield %{{.*}} : index
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : memref<4xf32>)
func.func @loop(%a: memref<4xf32>, %out: memref<4xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %k = %c0) -> (memref<4xf32>, index) {
    %next = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%next : memref<4xf32>)
    %l = arith.addi %k, %i : index
    scf.yield %next, %l : memref<4xf32>, index
  }
  memref.copy %r#0, %out : memref<4xf32> to memref<4xf32>
  return
}
