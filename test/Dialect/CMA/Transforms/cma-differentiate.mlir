// RUN: cma-opt %s --cma-differentiate --split-input-file | FileCheck %s

// The example of the pass' description.

// CHECK-LABEL: func.func @f(
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME: %[[X:.*]]: tensor<8x6xf32>,
// CHECK-SAME: %[[W:.*]]: tensor<6x4xf32> {cma.name = "w", cma.role = "parameter"},
// CHECK-SAME: %[[DY:.*]]: tensor<8x4xf32> {cma.name = "cotangent", cma.role = "cotangent"})
// CHECK-SAME: -> (tensor<8x4xf32>, tensor<6x4xf32> {cma.gradient = "w", cma.role = "gradient"})
// CHECK: %[[Y:.*]] = cma.contract "bi,ij->bj" (%[[X]], %[[W]]) {planned}
// CHECK: %[[DW:.*]] = cma.contract "bi,bj->ij" (%[[X]], %[[DY]]) {planned}
// CHECK: return %[[Y]], %[[DW]]
func.func @f(%x: tensor<8x6xf32>, %w: tensor<6x4xf32> {cma.name = "w", cma.role = "parameter"}) -> tensor<8x4xf32> {
  %y = cma.contract "bi,ij->bj" (%x, %w) {planned}
      : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// The loss is differentiated; results and attributes stay; a parameter that the
// loss does not depend on has a gradient of zeros.

// CHECK-LABEL: func.func @model_backward(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {cma.name = "x", cma.role = "data"},
// CHECK-SAME: %[[T:.*]]: tensor<8xi64> {cma.name = "cotangent", cma.role = "data"},
// CHECK-SAME: %[[B:.*]]: tensor<8x4xf32> {cma.init = #cma.init<zeros>, cma.name = "b", cma.role = "parameter"},
// CHECK-SAME: %[[U:.*]]: tensor<3xf32> {cma.name = "u", cma.role = "parameter"},
// CHECK-SAME: %[[S:.*]]: tensor<2xf32> {cma.name = "s", cma.role = "state"},
// The model uses the name "cotangent".
// CHECK-SAME: %[[DL:.*]]: tensor<f32> {cma.role = "cotangent"})
// CHECK-SAME: -> (tensor<8x4xf32> {cma.role = "logits"}, tensor<f32> {cma.role = "loss"}, tensor<2xf32> {cma.updates = "s"}, tensor<8x4xf32> {cma.gradient = "b", cma.role = "gradient"}, tensor<3xf32> {cma.gradient = "u", cma.role = "gradient"})
// CHECK-SAME: attributes {some.attribute}
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[B]]
// CHECK: %[[L:.*]] = cma.cross_entropy %[[Y]], %[[T]] {ignore_index = 3 : i64}
// CHECK: %[[G:.*]] = cma.cross_entropy_grad %[[Y]], %[[T]], %[[DL]] {ignore_index = 3 : i64}
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK: return %[[Y]], %[[L]], %[[S]], %[[G]], %[[Z]]
func.func @model(
    %x: tensor<8x4xf32> {cma.role = "data", cma.name = "x"},
    %t: tensor<8xi64> {cma.role = "data", cma.name = "cotangent"},
    %b: tensor<8x4xf32> {cma.role = "parameter", cma.name = "b", cma.init = #cma.init<zeros>},
    %u: tensor<3xf32> {cma.role = "parameter", cma.name = "u"},
    %s: tensor<2xf32> {cma.role = "state", cma.name = "s"})
    -> (tensor<8x4xf32> {cma.role = "logits"}, tensor<f32> {cma.role = "loss"},
        tensor<2xf32> {cma.updates = "s"}) attributes {some.attribute} {
  %y = arith.addf %x, %b : tensor<8x4xf32>
  %loss = cma.cross_entropy %y, %t {ignore_index = 3 : i64} : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %y, %loss, %s : tensor<8x4xf32>, tensor<f32>, tensor<2xf32>
}

// -----

// A value with several users: their contributions are added, the last user
// first.

// CHECK-LABEL: func.func @fan_out_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[DY:.*]]: tensor<4xf32>
// CHECK: %[[E:.*]] = math.exp %[[X]]
// CHECK: %[[S:.*]] = math.sin %[[X]]
// CHECK: %[[DE:.*]] = arith.mulf %[[DY]], %[[S]]
// CHECK: %[[DS:.*]] = arith.mulf %[[E]], %[[DY]]
// CHECK: %[[C:.*]] = math.cos %[[X]]
// CHECK: %[[FROMS:.*]] = arith.mulf %[[DS]], %[[C]]
// CHECK: %[[FROME:.*]] = arith.mulf %[[DE]], %[[E]]
// CHECK: %[[SUM:.*]] = arith.addf %[[FROMS]], %[[FROME]]
// CHECK: return %{{.*}}, %[[SUM]]
func.func @fan_out(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = math.exp %x : tensor<4xf32>
  %s = math.sin %x : tensor<4xf32>
  %y = arith.mulf %e, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// An argument that is returned, and an integer beside it.

// CHECK-LABEL: func.func @identity_backward(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>, %[[D:.*]]: tensor<4xf32>
// CHECK-SAME: -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32> {cma.gradient = "0", cma.role = "gradient"})
// CHECK-NEXT: return %[[X]], %[[I]], %[[D]]
func.func @identity(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  return %x, %i : tensor<4xf32>, tensor<4xi32>
}
