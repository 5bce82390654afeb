// Folders and canonicalisers: only ops that move data are merged away.
// RUN: cma-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @identity
// CHECK-SAME:    (%[[X:.+]]: tensor<2x3xf32>)
// CHECK-NEXT:  return %[[X]], %[[X]]
func.func @identity(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = cma.contract "ij->ij" (%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = cma.broadcast "ij->ij" (%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func @transpose_of_transpose
// CHECK-SAME:    (%[[X:.+]]: tensor<2x3x4xf32>)
// CHECK-NEXT:  %[[Y:.+]] = cma.contract "ijk->jik" (%[[X]])
// CHECK-NEXT:  return %[[X]], %[[Y]]
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x2x4xf32>) {
  %0 = cma.contract "ijk->kij" (%x) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = cma.contract "abc->bca" (%0) : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %2 = cma.contract "kij->jik" (%0) : (tensor<4x2x3xf32>) -> tensor<3x2x4xf32>
  return %1, %2 : tensor<2x3x4xf32>, tensor<3x2x4xf32>
}

// CHECK-LABEL: func @transpose_into_user
// CHECK-SAME:    (%[[X:.+]]: tensor<3x2xf32>, %[[W:.+]]: tensor<3x4xf32>)
// CHECK-NEXT:  %[[Y:.+]] = cma.contract "ba,bc->ac" (%[[X]], %[[W]]) {planned}
// CHECK-NEXT:  return %[[Y]]
func.func @transpose_into_user(%x: tensor<3x2xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = cma.contract "ij->ji" (%x) {planned} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = cma.contract "ab,bc->ac" (%0, %w) {planned} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A transposed square and its original are two operands of the same value.
// CHECK-LABEL: func @gram
// CHECK-SAME:    (%[[X:.+]]: tensor<3x3xf32>)
// CHECK-NEXT:  cma.contract "ba,bc->ac" (%[[X]], %[[X]])
func.func @gram(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = cma.contract "ij->ji" (%x) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = cma.contract "ab,bc->ac" (%0, %x) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// CHECK-LABEL: func @broadcasts
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>, %[[W:.+]]: tensor<2x4xf32>)
// CHECK-DAG:   cma.broadcast "{i0}->{i2}{i1}{i0}" (%[[X]]) : (tensor<4xf32>) -> tensor<5x3x4xf32>
// CHECK-DAG:   cma.broadcast "{i0}->{i0}{i1}" (%[[X]]) : (tensor<4xf32>) -> tensor<4x3xf32>
// CHECK-DAG:   cma.broadcast "{i0}->{i0}{i0}{i0}" (%[[X]]) : (tensor<4xf32>) -> tensor<4x4x4xf32>
// CHECK-DAG:   cma.broadcast "ba->acb" (%[[W]]) : (tensor<2x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT:  return
func.func @broadcasts(%x: tensor<4xf32>, %w: tensor<2x4xf32>)
    -> (tensor<5x3x4xf32>, tensor<4x3xf32>, tensor<4x4x4xf32>, tensor<4x3x2xf32>) {
  %0 = cma.broadcast "n->bn" (%x) : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = cma.broadcast "bn->abn" (%0) : (tensor<3x4xf32>) -> tensor<5x3x4xf32>
  %2 = cma.contract "bn->nb" (%0) : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %3 = cma.broadcast "a->aa" (%x) : (tensor<4xf32>) -> tensor<4x4xf32>
  %4 = cma.broadcast "ij->iij" (%3) : (tensor<4x4xf32>) -> tensor<4x4x4xf32>
  %5 = cma.contract "ij->ji" (%w) : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %6 = cma.broadcast "ab->acb" (%5) : (tensor<4x2xf32>) -> tensor<4x3x2xf32>
  return %1, %2, %4, %6 : tensor<5x3x4xf32>, tensor<4x3xf32>, tensor<4x4x4xf32>, tensor<4x3x2xf32>
}

// CHECK-LABEL: func @splats
// CHECK-DAG:   %[[TWO:.+]] = arith.constant dense<2> : tensor<3x4xi64>
// CHECK-DAG:   %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
// CHECK-DAG:   %[[ONE:.+]] = cma.broadcast "a->aa"
// CHECK-DAG:   %[[MOVED:.+]] = arith.constant dense<2> : tensor<4x3xi64>
// CHECK:       return %[[TWO]], %[[MOVED]], %[[ZERO]], %[[ONE]]
func.func @splats() -> (tensor<3x4xi64>, tensor<4x3xi64>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %two = arith.constant dense<2> : tensor<4xi64>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = cma.broadcast "n->bn" (%two) : (tensor<4xi64>) -> tensor<3x4xi64>
  %1 = cma.contract "bn->nb" (%0) : (tensor<3x4xi64>) -> tensor<4x3xi64>
  %2 = cma.broadcast "a->aa" (%zero) : (tensor<4xf32>) -> tensor<4x4xf32>
  %3 = cma.broadcast "a->aa" (%one) : (tensor<4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<3x4xi64>, tensor<4x3xi64>, tensor<4x4xf32>, tensor<4x4xf32>
}
