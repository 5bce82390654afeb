// One check for each tensor of labels, number of classes and ignored label, right
// behind the definition of the labels.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-LABEL: func @two_losses
// CHECK-SAME:    (%[[X:.+]]: tensor<8x10xf32>, %[[A:.+]]: tensor<8xi64>, %[[B:.+]]: tensor<8xi64> {cma.name = "other"})
// CHECK-NEXT:  cma.check_labels %[[A]] {argument = "1", num_classes = 10 : i64} : tensor<8xi64>
// CHECK-NEXT:  cma.check_labels %[[B]] {argument = "other", num_classes = 10 : i64} : tensor<8xi64>
// CHECK-NEXT:  cma.check_labels %[[A]] {argument = "1", ignore_index = 3 : i64, num_classes = 10 : i64} : tensor<8xi64>
// CHECK-NOT:   cma.check_labels
func.func @two_losses(%x: tensor<8x10xf32>, %a: tensor<8xi64>, %b: tensor<8xi64> {cma.name = "other"})
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = cma.cross_entropy %x, %a : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  %1 = cma.cross_entropy %x, %b : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  %2 = cma.cross_entropy %x, %a {ignore_index = 3 : i64} : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  %3 = cma.cross_entropy %x, %a : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func @computed
func.func @computed(%x: tensor<8x10xf32>, %a: tensor<8xi64>) -> tensor<f32> {
  // CHECK: %[[L:.+]] = arith.addi
  // CHECK-NEXT: cma.check_labels %[[L]] {num_classes = 10 : i64} : tensor<8xi64>
  %l = arith.addi %a, %a : tensor<8xi64>
  %0 = cma.cross_entropy %x, %l : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
  return %0 : tensor<f32>
}
