// RUN: cma-opt %s --cma-differentiate --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @relu_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = cma.relu %[[X]]
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %[[M:.*]] = arith.cmpf ugt, %[[Y]], %[[Z]]
// CHECK: arith.select %[[M]], %[[D]], %[[Z]]
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = cma.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @gelu_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK: cma.gelu_grad %[[X]], %[[D]] approximate(tanh) : tensor<4xf32>
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = cma.gelu %x approximate(tanh) : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @softmax_backward(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>, %[[D:.*]]: tensor<2x3x4xf32>
// CHECK: %[[Y:.*]] = cma.softmax %[[X]]
// CHECK: %[[S:.*]] = cma.contract "abc,abc->ab" (%[[D]], %[[Y]]) {planned}
// CHECK: %[[R:.*]] = cma.broadcast "ab->abc" (%[[S]])
// CHECK: %[[C:.*]] = arith.subf %[[D]], %[[R]]
// CHECK: arith.mulf %[[Y]], %[[C]]
func.func @softmax(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = cma.softmax %x : tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @layer_norm_backward(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[G:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<8x4xf32>
// CHECK: %[[R:.*]] = cma.broadcast "b->ab" (%[[G]])
// CHECK: %[[S:.*]] = arith.mulf %[[D]], %[[R]]
// CHECK: %[[DX:.*]] = cma.layer_norm_grad %[[X]], %[[S]] {epsilon = 1.000000e-03 : f64}
// CHECK: %[[H:.*]] = cma.layer_norm %[[X]] {epsilon = 1.000000e-03 : f64} : tensor<8x4xf32>
// CHECK: %[[DG:.*]] = cma.contract "ab,ab->b" (%[[D]], %[[H]]) {planned}
// CHECK: %[[DB:.*]] = cma.contract "ab->b" (%[[D]]) {planned}
// CHECK: return %{{.*}}, %[[DX]], %[[DG]], %[[DB]]
func.func @layer_norm(%x: tensor<8x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %y = cma.layer_norm %x scale(%g) shift(%b) {epsilon = 1.0e-3 : f64} : tensor<8x4xf32> scale(tensor<4xf32>) shift(tensor<4xf32>)
  return %y : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @layer_norm_shift_only_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK: %[[DX:.*]] = cma.layer_norm_grad %[[X]], %[[D]]
// CHECK: return %{{.*}}, %[[DX]], %[[D]]
func.func @layer_norm_shift_only(%x: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = cma.layer_norm %x shift(%b) : tensor<4xf32> shift(tensor<4xf32>)
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @mse_backward(
// CHECK-SAME: %[[P:.*]]: tensor<2x4xf32>, %[[T:.*]]: tensor<2x4xf32>, %[[D:.*]]: tensor<f32>
// CHECK: %[[F:.*]] = arith.constant dense<2.500000e-01> : tensor<f32>
// CHECK: %[[S:.*]] = arith.mulf %[[D]], %[[F]] : tensor<f32>
// CHECK: %[[R:.*]] = cma.broadcast "->ab" (%[[S]])
// CHECK: %[[E:.*]] = arith.subf %[[P]], %[[T]]
// CHECK: %[[DP:.*]] = arith.mulf %[[R]], %[[E]]
// CHECK: %[[N:.*]] = arith.subf %[[T]], %[[P]]
// CHECK: %[[DT:.*]] = arith.mulf %[[R]], %[[N]]
// CHECK: return %{{.*}}, %[[DP]], %[[DT]]
func.func @mse(%p: tensor<2x4xf32>, %t: tensor<2x4xf32>) -> tensor<f32> {
  %y = cma.mse %p, %t : tensor<2x4xf32> -> tensor<f32>
  return %y : tensor<f32>
}
