// RUN: cma-opt %s --cma-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// The forward loop stacks what enters each iteration; the reverse loop takes it
// from the last to the first and adds up what belongs to values from outside.

// CHECK-LABEL: func.func @power_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x4xf32>
// CHECK: %[[F:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %[[X]], %[[STACK:.*]] = %[[EMPTY]]) -> (tensor<4xf32>, tensor<3x4xf32>)
// CHECK: %[[E:.*]] = math.exp %[[A]]
// CHECK: %[[M:.*]] = arith.mulf %[[E]], %[[W]]
// CHECK: %[[S:.*]] = tensor.insert_slice %[[A]] into %[[STACK]][%[[I]], 0] [1, 4] [1, 1]
// CHECK: scf.yield %[[M]], %[[S]]
// CHECK: %[[R:.*]]:2 = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[DA:.*]] = %[[D]], %[[DW:.*]] = %{{.*}})
// CHECK: %[[P:.*]] = arith.subi %{{.*}}, %[[J]] : index
// CHECK: %[[L:.*]] = tensor.extract_slice %[[F]]#1[%[[P]], 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
// CHECK: %[[E2:.*]] = math.exp %[[L]]
// CHECK: %[[T:.*]] = arith.mulf %[[DA]], %[[W]]
// CHECK: %[[U:.*]] = arith.mulf %[[E2]], %[[DA]]
// CHECK: %[[ACC:.*]] = arith.addf %[[DW]], %[[U]]
// CHECK: %[[V:.*]] = arith.mulf %[[T]], %[[E2]]
// CHECK: scf.yield %[[V]], %[[ACC]]
// CHECK: return %[[F]]#0, %[[R]]#0, %[[R]]#1
func.func @power(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %e = math.exp %a : tensor<4xf32>
    %b = arith.mulf %e, %w : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A sum needs nothing of what enters an iteration: no stack. The induction
// variable of the forward loop is computed anew, and the gradient of a slice is
// added to that slice alone.

// CHECK-LABEL: func.func @sum_backward(
// CHECK-SAME: %[[X:.*]]: tensor<9x4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK-NOT: tensor<3x
// CHECK: scf.for
// CHECK: scf.for %[[J:.*]] = %{{.*}} iter_args(%[[DX:.*]] = %{{.*}}) -> (tensor<9x4xf32>)
// CHECK: %[[P:.*]] = arith.subi %{{.*}}, %[[J]]
// CHECK: %[[Q:.*]] = arith.muli %[[P]], %{{.*}}
// CHECK: %[[IV:.*]] = arith.addi %[[Q]], %{{.*}}
// CHECK: %[[S:.*]] = tensor.extract_slice %[[DX]][%[[IV]], 0] [1, 4] [1, 1]
// CHECK: %[[A:.*]] = arith.addf %[[S]], %[[D]] : tensor<4xf32>
// CHECK: %[[I:.*]] = tensor.insert_slice %[[A]] into %[[DX]][%[[IV]], 0] [1, 4] [1, 1]
// CHECK: scf.yield %[[I]]
func.func @sum(%x: tensor<9x4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = scf.for %i = %c2 to %c9 step %c3 iter_args(%a = %zero) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<4xf32>
    %b = arith.addf %a, %s : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// An integer that the loop carries is saved where the reverse reads it.

// CHECK-LABEL: func.func @carried_index_backward(
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%{{.*}}] : tensor<2xindex>
// CHECK: tensor.extract %{{.*}}[%{{.*}}] : tensor<2xindex>
func.func @carried_index(%x: tensor<8xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %r, %n = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %zero, %k = %c1) -> (tensor<1xf32>, index) {
    %s = tensor.extract_slice %x[%k] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %b = arith.addf %a, %s : tensor<1xf32>
    %d = arith.muli %k, %c2 : index
    scf.yield %b, %d : tensor<1xf32>, index
  }
  return %r : tensor<1xf32>
}

// -----

// Nothing is saved of a tensor without elements.

// CHECK-LABEL: func.func @carried_nothing_backward(
// CHECK-NOT: tensor.insert_slice {{.*}}tensor<2x0xf32>
// CHECK: tensor.insert_slice %{{.*}} : tensor<3xf32> into tensor<2x3xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @carried_nothing(%n: tensor<2x0xf32>, %x: tensor<3xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %n, %b = %x) -> (tensor<2x0xf32>, tensor<3xf32>) {
    %c = math.exp %a : tensor<2x0xf32>
    %d = math.exp %b : tensor<3xf32>
    scf.yield %c, %d : tensor<2x0xf32>, tensor<3xf32>
  }
  %s = cma.contract "ij->" (%r#0) : (tensor<2x0xf32>) -> tensor<f32>
  %t = cma.contract "i->" (%r#1) : (tensor<3xf32>) -> tensor<f32>
  %u = arith.addf %s, %t : tensor<f32>
  return %u : tensor<f32>
}
