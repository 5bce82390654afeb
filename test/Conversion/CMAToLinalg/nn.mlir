// Activations and norms: one generic per elementwise part and per row reduction.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ALL:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>

// A NaN is not below zero and so stays.
// CHECK-LABEL: func @relu
func.func @relu(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]]]
  // CHECK: ^bb0(%[[IN:.+]]: f32, %{{.+}}: f32):
  // CHECK: %[[ZERO:.+]] = arith.constant 0.0
  // CHECK: %[[NEGATIVE:.+]] = arith.cmpf olt, %[[IN]], %[[ZERO]]
  // CHECK: arith.select %[[NEGATIVE]], %[[ZERO]], %[[IN]]
  %y = cma.relu %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// CHECK-LABEL: func @gelu
func.func @gelu(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  // CHECK: linalg.generic
  // CHECK: math.erf
  // CHECK: linalg.generic
  // CHECK: math.tanh
  %y = cma.gelu %x : tensor<f64>
  %z = cma.gelu %x approximate(tanh) : tensor<f64>
  return %y, %z : tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func @softmax
// CHECK-SAME:    (%[[X:.+]]: tensor<8x4xf32>)
func.func @softmax(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[INF:.+]] = arith.constant 0xFF800000
  // CHECK: %[[INIT:.+]] = linalg.fill ins(%[[INF]]
  // CHECK: %[[MAX:.+]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]] {{.*}} outs(%[[INIT]]
  // CHECK: arith.maxnumf
  // CHECK: %[[EXP:.+]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]]
  // CHECK: math.exp
  // CHECK: %[[SUM:.+]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[EXP]]
  // CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]]
  // CHECK: arith.divf
  %y = cma.softmax %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// CHECK-LABEL: func @layer_norm
// CHECK-SAME:    (%[[X:.+]]: tensor<8x4xf32>, %[[G:.+]]: tensor<4xf32>, %[[B:.+]]: tensor<4xf32>)
func.func @layer_norm(%x: tensor<8x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[SUM:.+]] = linalg.generic {{.*}}["parallel", "reduction"]
  // CHECK: %[[MEAN:.+]] = linalg.generic {{.*}} ins(%[[SUM]]
  // CHECK: %[[SQUARES:.+]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[X]], %[[MEAN]]
  // CHECK: %[[VARIANCE:.+]] = linalg.generic {{.*}} ins(%[[SQUARES]]
  // CHECK: %[[SCALE:.+]] = linalg.generic {{.*}} ins(%[[VARIANCE]]
  // CHECK: math.sqrt
  // CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROW]], #[[$ROW]], #[[$COLUMN]], #[[$COLUMN]], #[[$ALL]]]
  // CHECK-SAME: ins(%[[X]], %[[MEAN]], %[[SCALE]], %[[G]], %[[B]]
  %y = cma.layer_norm %x scale(%g) shift(%b) {epsilon = 1.0e-6 : f64}
      : tensor<8x4xf32> scale(tensor<4xf32>) shift(tensor<4xf32>)
  return %y : tensor<8x4xf32>
}

// The gradient computes the same moments, which CSE shares.
// CHECK-LABEL: func @layer_norm_grad
func.func @layer_norm_grad(%x: tensor<8x4xf32>, %dy: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK-COUNT-4: iterator_types = ["parallel", "reduction"]
  // CHECK-NOT: "reduction"
  // CHECK: return
  %dx = cma.layer_norm_grad %x, %dy : tensor<8x4xf32>
  return %dx : tensor<8x4xf32>
}
