// RUN: cma-opt %s --cma-differentiate --split-input-file | FileCheck %s

// The derivatives of arith, math and tensor ops; their values are checked by
// execution in Integration/CPU/gradients.

// CHECK-LABEL: func.func @quotient_backward(
// CHECK-SAME: %[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<4xf64>, %[[D:.*]]: tensor<4xf64>
// CHECK: %[[Y:.*]] = arith.divf %[[A]], %[[B]]
// CHECK: %[[Q:.*]] = arith.divf %[[D]], %[[B]]
// CHECK: %[[P:.*]] = arith.mulf %[[Q]], %[[Y]]
// CHECK: %[[N:.*]] = arith.negf %[[P]]
// CHECK: return %[[Y]], %[[Q]], %[[N]]
func.func @quotient(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %y = arith.divf %a, %b : tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

// Nothing is computed for the operand whose gradient nobody asked for; no
// gradient flows through comparisons and integers.

// CHECK-LABEL: func.func @mask_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {{{.*}}}, %[[I:.*]]: tensor<4xi32>, %[[D:.*]]: tensor<4xf32>
// CHECK: %[[F:.*]] = arith.sitofp %[[I]]
// CHECK: %[[M:.*]] = arith.cmpf ogt, %[[X]], %[[F]]
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %[[G:.*]] = arith.select %[[M]], %[[D]], %[[Z]]
// CHECK: return %{{.*}}, %[[G]]
func.func @mask(%x: tensor<4xf32> {cma.role = "parameter", cma.name = "x"}, %i: tensor<4xi32>) -> tensor<4xf32> {
  %f = arith.sitofp %i : tensor<4xi32> to tensor<4xf32>
  %m = arith.cmpf ogt, %x, %f : tensor<4xf32>
  %y = arith.select %m, %x, %f : tensor<4xi1>, tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @conversions_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
// CHECK: %[[U:.*]] = arith.extf %[[D]] : tensor<4xf32> to tensor<4xf64>
// CHECK: %[[V:.*]] = arith.mulf %[[U]], %{{.*}} : tensor<4xf64>
// CHECK: arith.truncf %[[V]] : tensor<4xf64> to tensor<4xf32>
func.func @conversions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %e = math.exp %w : tensor<4xf64>
  %y = arith.truncf %e : tensor<4xf64> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @reshapes_backward(
// CHECK-SAME: %[[D:[^ ]*]]: tensor<2x4xf32> {cma.name = "cotangent"
// CHECK: %[[E:.*]] = tensor.expand_shape %[[D]] {{\[\[}}0], [1, 2]] output_shape [2, 2, 2]
// CHECK: tensor.collapse_shape %[[E]] {{\[\[}}0, 1], [2]] : tensor<2x2x2xf32> into tensor<4x2xf32>
func.func @reshapes(%x: tensor<4x2xf32>) -> tensor<2x4xf32> {
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 2] : tensor<4x2xf32> into tensor<2x2x2xf32>
  %c = tensor.collapse_shape %e [[0], [1, 2]] : tensor<2x2x2xf32> into tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @slices_backward(
// CHECK-SAME: %{{.*}}: tensor<8x4xf32>, %{{.*}}: tensor<8x4xf32>, %[[D:.*]]: tensor<8x4xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[D]][0, 2] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8xf32>
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: %[[DY:.*]] = tensor.insert_slice %[[Z]] into %[[D]][0, 2] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x4xf32>
// CHECK: %[[O:.*]] = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK: %[[DX:.*]] = tensor.insert_slice %[[S]] into %[[O]][0, 1] [8, 1] [1, 1]
// CHECK: return %{{.*}}, %[[DX]], %[[DY]]
func.func @slices(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = tensor.extract_slice %x[0, 1] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8xf32>
  %i = tensor.insert_slice %s into %y[0, 2] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x4xf32>
  return %i : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @joined_backward(
// CHECK-SAME: %[[D:[^ ]*]]: tensor<3x6xf32> {cma.name = "cotangent"
// CHECK: %[[P:.*]] = tensor.extract_slice %[[D]][0, 1] [3, 5] [1, 1] : tensor<3x6xf32> to tensor<3x5xf32>
// CHECK: tensor.extract_slice %[[P]][0, 0] [3, 2] [1, 1] : tensor<3x5xf32> to tensor<3x2xf32>
// CHECK: tensor.extract_slice %[[P]][0, 2] [3, 3] [1, 1] : tensor<3x5xf32> to tensor<3x3xf32>
func.func @joined(%a: tensor<3x2xf32>, %b: tensor<3x3xf32>) -> tensor<3x6xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<3x2xf32>, tensor<3x3xf32>) -> tensor<3x5xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %c low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x5xf32> to tensor<3x6xf32>
  return %p : tensor<3x6xf32>
}

// -----

// An input without elements has no part of the cotangent.
// CHECK-LABEL: func.func @joined_nothing_backward(
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 0] [2, 3] [1, 1]
// CHECK: %[[N:.*]] = arith.constant dense<{{.*}}> : tensor<2x0xf32>
// CHECK: return %{{.*}}, %[[A]], %[[N]]
func.func @joined_nothing(%a: tensor<2x3xf32>, %n: tensor<2x0xf32>) -> tensor<2x3xf32> {
  %c = tensor.concat dim(1) %a, %n : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}
