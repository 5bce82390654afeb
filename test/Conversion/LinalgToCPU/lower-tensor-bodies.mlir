// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-tensor-bodies))' | FileCheck %s

// What computes a tensor for each element runs in loops.
// CHECK-LABEL: func.func @generate(
// CHECK-SAME:    %[[V:.*]]: tensor<3xf32>, %[[N:.*]]: index)
// CHECK-NOT:     tensor.generate
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]]) : tensor<3x?xf32>
// CHECK:         scf.for %[[I:.*]] = {{.*}} to %c3{{.*}} iter_args(%[[A:.*]] = %[[E]])
// CHECK-NEXT:      scf.for %{{.*}} = {{.*}} to %[[N]] step {{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK-NEXT:        %[[S:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT:        %[[X:.*]] = tensor.extract %[[S]][%[[I]]]
// CHECK-NEXT:        %[[U:.*]] = tensor.insert %[[X]] into %[[B]][%[[I]], %{{.*}}]
// CHECK-NEXT:        scf.yield %[[U]]
func.func @generate(%v: tensor<3xf32>, %n: index) -> tensor<3x?xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.mulf %v, %v : tensor<3xf32>
    %e = tensor.extract %s[%i] : tensor<3xf32>
    tensor.yield %e : f32
  } : tensor<3x?xf32>
  return %g : tensor<3x?xf32>
}

// A padding is computed everywhere; the source goes into it.
// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    %[[V:.*]]: tensor<3xf32>)
// CHECK:         %[[P:.*]] = scf.for {{.*}} -> (tensor<6xf32>)
// CHECK:         tensor.insert_slice %[[V]] into %[[P]][1] [3] [1] : tensor<3xf32> into tensor<6xf32>
func.func @pad(%v: tensor<3xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %p = tensor.pad %v low[1] high[2] {
  ^bb0(%i: index):
    %s = arith.negf %v : tensor<3xf32>
    %e = tensor.extract %s[%c0] : tensor<3xf32>
    tensor.yield %e : f32
  } : tensor<3xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

// One in the body of another.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     tensor.generate
// CHECK:         return
func.func @nested(%v: tensor<3xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %g = tensor.generate {
  ^bb0(%i: index):
    %h = tensor.generate {
    ^bb0(%j: index):
      %s = arith.mulf %v, %v : tensor<3xf32>
      %e = tensor.extract %s[%j] : tensor<3xf32>
      tensor.yield %e : f32
    } : tensor<3xf32>
    %e = tensor.extract %h[%i] : tensor<3xf32>
    tensor.yield %e : f32
  } : tensor<2xf32>
  return %g : tensor<2xf32>
}

// Scalars are what linalg is for.
// CHECK-LABEL: func.func @scalars(
// CHECK:         tensor.generate
func.func @scalars(%v: tensor<3xf32>) -> tensor<3xf32> {
  %g = tensor.generate {
  ^bb0(%i: index):
    %e = tensor.extract %v[%i] : tensor<3xf32>
    %s = arith.mulf %e, %e : f32
    tensor.yield %s : f32
  } : tensor<3xf32>
  return %g : tensor<3xf32>
}
