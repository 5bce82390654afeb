// Losses sum rows in the element type and the batch in f64.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s
// RUN: cma-opt %s --convert-cma-to-linalg --cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func @mse
func.func @mse(%p: tensor<8x4xf32>, %t: tensor<8x4xf32>) -> tensor<f32> {
  // CHECK: %[[ROWS:.+]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{.+}}, %{{.+}} : {{.*}} outs(%{{.+}} : tensor<8xf32>)
  // CHECK: %[[SUM:.+]] = linalg.generic {{.*}}["reduction"]} ins(%[[ROWS]] : tensor<8xf32>) outs(%{{.+}} : tensor<f64>)
  // CHECK: arith.extf
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<f64>) outs(%{{.+}} : tensor<f32>)
  // CHECK: %[[COUNT:.+]] = arith.constant 3.200000e+01 : f64
  // CHECK: arith.divf %{{.+}}, %[[COUNT]]
  // CHECK: arith.truncf
  %loss = cma.mse %p, %t : tensor<8x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// No element: 0 / 1.
// CHECK-LABEL: func @mse_empty
func.func @mse_empty(%p: tensor<0xf64>, %t: tensor<0xf64>) -> tensor<f64> {
  // CHECK: linalg.fill
  // CHECK: arith.constant 1.000000e+00 : f64
  // CHECK: arith.divf
  %loss = cma.mse %p, %t : tensor<0xf64> -> tensor<f64>
  return %loss : tensor<f64>
}

// One check for both ops, in front of everything; the reductions are shared.
// CHECK-LABEL: func @cross_entropy
// CHECK-SAME:    %[[LABELS:[a-z0-9]+]]: tensor<8xi32> {cma.name = "label"}
// CHECK-NEXT:  cma.check_labels %[[LABELS]] {argument = "label", ignore_index = -1 : i64, num_classes = 10 : i64}
// CHECK-NOT:   cma.
// CSE-LABEL: func @cross_entropy
// CSE-COUNT-3: ["parallel", "reduction"]
// CSE-NOT:     ["parallel", "reduction"]
// CSE:         return
func.func @cross_entropy(%x: tensor<8x10xf32>, %t: tensor<8xi32> {cma.name = "label"},
                         %c: tensor<f32>) -> (tensor<f32>, tensor<8x10xf32>) {
  %loss = cma.cross_entropy %x, %t {ignore_index = -1 : i64}
      : tensor<8x10xf32>, tensor<8xi32> -> tensor<f32>
  %dx = cma.cross_entropy_grad %x, %t, %c {ignore_index = -1 : i64}
      : tensor<8x10xf32>, tensor<8xi32>, tensor<f32>
  return %loss, %dx : tensor<f32>, tensor<8x10xf32>
}

// A label that labels cannot hold ignores nothing.
// CHECK-LABEL: func @unreachable_ignore_index
// CHECK-NOT: arith.constant -1
// CHECK: return
func.func @unreachable_ignore_index(%x: tensor<8x10xf32>, %t: tensor<8xi32>) -> tensor<f32> {
  %loss = cma.cross_entropy %x, %t {ignore_index = 4294967295 : i64}
      : tensor<8x10xf32>, tensor<8xi32> -> tensor<f32>
  return %loss : tensor<f32>
}
