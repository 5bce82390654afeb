// What canonicalisation and CSE leave alone: the tree of a planned network, sums,
// diagonals, and networks with a path of their own.
// RUN: cma-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @planned
// CHECK-NEXT:  %[[A:.+]] = cma.contract "ab,bc->ac" (%{{.+}}, %{{.+}}) {planned}
// CHECK-NEXT:  %[[B:.+]] = cma.contract "ac,cd->ad" (%[[A]], %{{.+}}) {planned}
// CHECK-NEXT:  %[[C:.+]] = cma.contract "ad->d" (%[[B]]) {planned}
// CHECK-NEXT:  return %[[C]]
func.func @planned(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %z: tensor<4x5xf32>) -> tensor<5xf32> {
  %0 = cma.contract "ab,bc->ac" (%x, %y) {planned} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = cma.contract "ac,cd->ad" (%0, %z) {planned} : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %2 = cma.contract "ad->d" (%1) {planned} : (tensor<2x5xf32>) -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// CHECK-LABEL: func @diagonal
// CHECK-NEXT:  %[[A:.+]] = cma.contract "aa->a"
// CHECK-NEXT:  cma.contract "a,ab->b" (%[[A]],
func.func @diagonal(%x: tensor<3x3xf32>, %w: tensor<3x4xf32>) -> tensor<4xf32> {
  %0 = cma.contract "aa->a" (%x) : (tensor<3x3xf32>) -> tensor<3xf32>
  %1 = cma.contract "a,ab->b" (%0, %w) : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @path
// CHECK-NEXT:  %[[A:.+]] = cma.contract "ij->ji" (%{{.+}}) {path = {{\[}}[0]]}
// CHECK-NEXT:  cma.contract "ab,bc->ac" (%[[A]],
func.func @path(%x: tensor<3x2xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = cma.contract "ij->ji" (%x) {path = [[0]]} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = cma.contract "ab,bc->ac" (%0, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A check has an effect even though nothing uses it.
// CHECK-LABEL: func @check
// CHECK-NEXT:  cma.check_labels
func.func @check(%t: tensor<8xi64>) {
  cma.check_labels %t {num_classes = 10 : i64} : tensor<8xi64>
  return
}
