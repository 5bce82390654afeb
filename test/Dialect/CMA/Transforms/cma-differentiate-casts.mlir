// A cotangent is cast back to nearest even and keeps infinities, whatever the cast.
// RUN: cma-opt %s --split-input-file --cma-differentiate | FileCheck %s

// CHECK-LABEL: func.func @cast_backward
// CHECK-SAME: (%{{.+}}: tensor<4xf32>, %{{.+}}: tensor<i64>, %[[DY:.+]]: tensor<4xf8E4M3FN>
func.func @cast(%x: tensor<4xf32>, %step: tensor<i64>) -> tensor<4xf8E4M3FN> {
  // CHECK: cma.cast %{{.+}} round(stochastic, %{{.+}}, seed = 1, stream = "x") : tensor<4xf32> to tensor<4xf8E4M3FN>
  // CHECK: %[[DX:.+]] = cma.cast %[[DY]] : tensor<4xf8E4M3FN> to tensor<4xf32>
  // CHECK: return %{{.+}}, %[[DX]]
  %y = cma.cast %x round(stochastic, %step, seed = 1, stream = "x") : tensor<4xf32> to tensor<4xf8E4M3FN>
  return %y : tensor<4xf8E4M3FN>
}

// -----

// CHECK-LABEL: func.func @widen_backward
// CHECK-SAME: (%{{.+}}: tensor<4xf8E5M2>, %[[DY:.+]]: tensor<4xf32>
func.func @widen(%x: tensor<4xf8E5M2>) -> tensor<4xf32> {
  // CHECK: cma.cast %[[DY]] overflow(ieee) : tensor<4xf32> to tensor<4xf8E5M2>
  %y = cma.cast %x : tensor<4xf8E5M2> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Rounding to tf32 lets the cotangent pass.
// CHECK-LABEL: func.func @tf32_backward
// CHECK-SAME: (%{{.+}}: tensor<4xf32>, %[[DY:.+]]: tensor<4xf32>
func.func @tf32(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[Y:.+]] = cma.cast %{{.+}} tf32
  // CHECK-NEXT: return %[[Y]], %[[DY]]
  %y = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A message has the type of the operand that it is the gradient of.
// CHECK-LABEL: func.func @mixed_backward
// CHECK-SAME: (%[[X:.+]]: tensor<2x3xf16>, %[[W:.+]]: tensor<3x4xbf16>, %[[DY:.+]]: tensor<2x4xf32>
func.func @mixed(%x: tensor<2x3xf16>, %w: tensor<3x4xbf16>) -> tensor<2x4xf32> {
  // CHECK-DAG: cma.contract "bj,ij->bi" (%[[DY]], %[[W]]) {accumulate = f64, planned} : (tensor<2x4xf32>, tensor<3x4xbf16>) -> tensor<2x3xf16>
  // CHECK-DAG: cma.contract "bi,bj->ij" (%[[X]], %[[DY]]) {accumulate = f64, planned} : (tensor<2x3xf16>, tensor<2x4xf32>) -> tensor<3x4xbf16>
  %y = cma.contract "bi,ij->bj" (%x, %w) {accumulate = f64} : (tensor<2x3xf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// The cotangent of a sum is cast before it is repeated.
// CHECK-LABEL: func.func @sum_backward
// CHECK-SAME: (%{{.+}}: tensor<2x3xf16>, %[[DY:.+]]: tensor<2xf32>
func.func @sum(%x: tensor<2x3xf16>) -> tensor<2xf32> {
  // CHECK: %[[NARROW:.+]] = cma.cast %[[DY]] : tensor<2xf32> to tensor<2xf16>
  // CHECK: cma.broadcast "i->ij" (%[[NARROW]]) : (tensor<2xf16>) -> tensor<2x3xf16>
  %y = cma.contract "ij->i" (%x) : (tensor<2x3xf16>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
