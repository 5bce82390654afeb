// RUN: cma-opt %s --cma-differentiate --split-input-file | FileCheck %s

// The cotangent stands in the operand's place.

// CHECK-LABEL: func.func @pair_backward(
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4xf32>, %[[B:.*]]: tensor<2x4x5xf32>, %[[D:.*]]: tensor<5x2x3xf32>
// CHECK-DAG: cma.contract "ngm,gkn->gmk" (%[[D]], %[[B]]) {planned}
// CHECK-DAG: cma.contract "gmk,ngm->gkn" (%[[A]], %[[D]]) {planned}
func.func @pair(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<5x2x3xf32> {
  %y = cma.contract "gmk,gkn->ngm" (%a, %b) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<5x2x3xf32>
  return %y : tensor<5x2x3xf32>
}

// -----

// A label of one operand alone was summed: its gradient repeats.

// CHECK-LABEL: func.func @once_backward(
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<2x4xf32>, %[[D:.*]]: tensor<2xf32>
// CHECK: %[[T:.*]] = cma.contract "b,by->b" (%[[D]], %[[B]]) {planned} : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// CHECK: cma.broadcast "b->bx" (%[[T]]) : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK: %[[U:.*]] = cma.contract "bx,b->b" (%[[A]], %[[D]]) {planned} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK: cma.broadcast "b->by" (%[[U]]) : (tensor<2xf32>) -> tensor<2x4xf32>
func.func @once(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2xf32> {
  %y = cma.contract "bx,by->b" (%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// A diagonal goes back onto the diagonal, zeros elsewhere.

// CHECK-LABEL: func.func @diagonal_backward(
// CHECK-SAME: %[[A:.*]]: tensor<3x3x2xf32>, %[[B:.*]]: tensor<2x3xf32>, %[[D:.*]]: tensor<3xf32>
// CHECK: %[[T:.*]] = cma.contract "a,ba->ab" (%[[D]], %[[B]])
// CHECK: cma.broadcast "ab->aab" (%[[T]]) : (tensor<3x2xf32>) -> tensor<3x3x2xf32>
// CHECK: cma.contract "aab,a->ba" (%[[A]], %[[D]])
func.func @diagonal(%a: tensor<3x3x2xf32>, %b: tensor<2x3xf32>) -> tensor<3xf32> {
  %y = cma.contract "aab,ba->a" (%a, %b) : (tensor<3x3x2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// One operand: the trace of a matrix, a sum, a transpose.

// CHECK-LABEL: func.func @one_backward(
// CHECK-SAME: %[[D:[^ ]*]]: tensor<f32> {cma.name = "cotangent"
// CHECK: %[[G:.*]] = cma.broadcast "->aa" (%[[D]]) : (tensor<f32>) -> tensor<3x3xf32>
// CHECK: %[[H:.*]] = cma.broadcast "cb->abc" (%[[G]]) : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
// CHECK: %[[T:.*]] = cma.contract "abc->bca" (%[[H]]) {planned}
// CHECK: return %{{.*}}, %[[T]]
func.func @one(%a: tensor<3x3x2xf32>) -> tensor<f32> {
  %t = cma.contract "bca->abc" (%a) : (tensor<3x3x2xf32>) -> tensor<2x3x3xf32>
  %s = cma.contract "abc->cb" (%t) : (tensor<2x3x3xf32>) -> tensor<3x3xf32>
  %y = cma.contract "aa->" (%s) : (tensor<3x3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// The adjoint of a broadcast takes the diagonal and sums.

// CHECK-LABEL: func.func @broadcast_backward(
// CHECK: cma.contract "aab->b" (%{{.*}}) {planned} : (tensor<2x2x3xf32>) -> tensor<3xf32>
func.func @broadcast(%a: tensor<3xf32>) -> tensor<2x2x3xf32> {
  %y = cma.broadcast "b->aab" (%a) : (tensor<3xf32>) -> tensor<2x2x3xf32>
  return %y : tensor<2x2x3xf32>
}

// -----

// Integers move without a gradient.

// CHECK-LABEL: func.func @integers_backward(
// CHECK-COUNT-1: cma.contract
// CHECK-NOT: cma.contract
func.func @integers(%a: tensor<2x3xi64>, %b: tensor<3xf32>) -> (tensor<3x2xi64>, tensor<3xf32>) {
  %t = cma.contract "ab->ba" (%a) : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %y = arith.negf %b : tensor<3xf32>
  return %t, %y : tensor<3x2xi64>, tensor<3xf32>
}
