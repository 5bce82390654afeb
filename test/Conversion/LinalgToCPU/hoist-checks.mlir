// Label checks, and the ops that compute their labels, come first.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-hoist-checks))' | FileCheck %s

// CHECK-LABEL: func.func @after_work(
// CHECK-SAME:      %[[X:.*]]: tensor<8xf32>, %[[L:.*]]: tensor<8xi64>)
// CHECK-NEXT:    %[[B:.*]] = bufferization.to_buffer %[[L]] read_only : tensor<8xi64> to memref<8xi64>
// CHECK-NEXT:    cma.check_labels %[[B]] {argument = "label", num_classes = 10 : i64} : memref<8xi64>
// CHECK-NEXT:    math.exp %[[X]]
func.func @after_work(%x: tensor<8xf32>, %labels: tensor<8xi64>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  cma.check_labels %labels {num_classes = 10 : i64, argument = "label"} : tensor<8xi64>
  return %y : tensor<8xf32>
}

// What the labels are computed by moves too; what is computed from them does not.
// CHECK-LABEL: func.func @computed(
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = bufferization.to_buffer
// CHECK-NEXT:    cma.check_labels %[[B]]
// CHECK:         math.exp
// CHECK:         arith.addi
func.func @computed(%x: tensor<8xf32>, %labels: tensor<2x4xi32>) -> (tensor<8xf32>, tensor<4x2xi32>) {
  %y = math.exp %x : tensor<8xf32>
  %e = tensor.empty() : tensor<4x2xi32>
  %t = linalg.transpose ins(%labels : tensor<2x4xi32>) outs(%e : tensor<4x2xi32>) permutation = [1, 0]
  %s = arith.addi %t, %t : tensor<4x2xi32>
  cma.check_labels %t {num_classes = 3 : i64, ignore_index = -1 : i64} : tensor<4x2xi32>
  return %y, %s : tensor<8xf32>, tensor<4x2xi32>
}

// A repeated check goes away; one that differs stays.
// CHECK-LABEL: func.func @repeated(
// CHECK:         cma.check_labels {{.*}}num_classes = 10
// CHECK:         cma.check_labels {{.*}}num_classes = 9
// CHECK-NOT:     cma.check_labels
func.func @repeated(%labels: tensor<8xi64>) {
  cma.check_labels %labels {num_classes = 10 : i64} : tensor<8xi64>
  cma.check_labels %labels {num_classes = 10 : i64} : tensor<8xi64>
  cma.check_labels %labels {num_classes = 9 : i64} : tensor<8xi64>
  return
}

// CHECK-LABEL: func.func @in_loop(
// CHECK:         cma.check_labels
// CHECK:         scf.for
func.func @in_loop(%x: tensor<4xf32>, %labels: tensor<2x4xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %row = tensor.extract_slice %labels[1, 0] [1, 4] [1, 1] : tensor<2x4xi64> to tensor<4xi64>
    cma.check_labels %row {num_classes = 7 : i64} : tensor<4xi64>
    %z = arith.addf %y, %y : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
