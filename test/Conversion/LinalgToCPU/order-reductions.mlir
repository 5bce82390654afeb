// Parallel loops that reduce values run in order; others stay parallel.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-order-reductions))' | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[ZERO:.*]]: f32, %[[LOW:.*]]: f32
// CHECK:         %[[R:.*]]:2 = scf.for %[[I:.*]] = %c0 to %c4 step %c1 iter_args(%[[S0:.*]] = %[[ZERO]], %[[M0:.*]] = %[[LOW]]) -> (f32, f32) {
// CHECK:           scf.for %[[J:.*]] = %c0 to %c8 step %c1 iter_args(%[[S:.*]] = %[[S0]], %[[M:.*]] = %[[M0]]) -> (f32, f32) {
// CHECK-NEXT:        %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[S]], %[[V]]
// CHECK-NEXT:        %[[MAX:.*]] = arith.maximumf %[[M]], %[[V]]
// CHECK-NEXT:        scf.yield %[[SUM]], %[[MAX]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @two(%x: memref<4x8xf32>, %zero: f32, %low: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) init (%zero, %low) -> (f32, f32) {
    %v = memref.load %x[%i, %j] : memref<4x8xf32>
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      scf.reduce.return %t : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %t = arith.maximumf %a, %b : f32
      scf.reduce.return %t : f32
    }
  }
  return %s#0, %s#1 : f32, f32
}

// The sum inside is in order, the loop around it has none.
// CHECK-LABEL: func.func @nested(
// CHECK:         scf.parallel
// CHECK:           %[[S:.*]] = scf.for
// CHECK:           memref.store %[[S]]
// CHECK:           scf.reduce
func.func @nested(%x: memref<4x8xf32>, %y: memref<4xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = scf.parallel (%j) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
      %v = memref.load %x[%i, %j] : memref<4x8xf32>
      scf.reduce(%v : f32) {
      ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32
      }
    }
    memref.store %s, %y[%i] : memref<4xf32>
    scf.reduce
  }
  return
}
