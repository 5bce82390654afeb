// RUN: cma-opt %s --cma-copy-loop-destinations | FileCheck %s

// CHECK-LABEL: func.func @from_outside(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<7x4xf32>
// CHECK: scf.for
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[Z]]) : tensor<7x4xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[C]]
func.func @from_outside(%x: tensor<4xf32>, %z: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %0 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z) -> (tensor<7x4xf32>) {
    %y = arith.mulf %x, %x : tensor<4xf32>
    %v = tensor.insert_slice %y into %z[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<7x4xf32>
    %s = arith.addf %a, %v : tensor<7x4xf32>
    scf.yield %s : tensor<7x4xf32>
  }
  return %0 : tensor<7x4xf32>
}

// What the loop carries is inserted into in place, as is anything outside of
// loops.

// CHECK-LABEL: func.func @carried(
// CHECK-NOT: alloc_tensor
func.func @carried(%x: tensor<4xf32>, %z: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %w = tensor.insert_slice %x into %z[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<7x4xf32>
  %0 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %w) -> (tensor<7x4xf32>) {
    %y = arith.mulf %x, %x : tensor<4xf32>
    %v = tensor.insert_slice %y into %a[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<7x4xf32>
    scf.yield %v : tensor<7x4xf32>
  }
  return %0 : tensor<7x4xf32>
}
