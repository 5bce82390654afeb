// Where casts belong, by known answers.
// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-precision | FileCheck %s

// The sums of the pool are f32 already: no cast behind the arguments' own.
// CHECK-LABEL: func.func @pool
// CHECK-COUNT-2: cma.cast %arg
// CHECK-NOT: cma.cast
// CHECK: cma.contract {{.*}} (tensor<4x4x4x4xf16>) -> tensor<4x4xf32>
// CHECK: cma.mse
func.func @pool(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %t: tensor<4x4xf32>) -> tensor<f32> {
  %y = cma.contract "ik,kj->ij" (%a, %b) {planned} : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %r = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [4, 4, 4, 4] : tensor<16x16xf32> into tensor<4x4x4x4xf32>
  %p = cma.contract "abcd->ac" (%r) {planned} : (tensor<4x4x4x4xf32>) -> tensor<4x4xf32>
  %l = cma.mse %p, %t : tensor<4x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// One value in sixteen goes to the loss, all of them to a contraction in f16: the
// cast stands behind the slice, where it writes least.
// CHECK-LABEL: func.func @subsample
// CHECK: %[[Y:.*]] = cma.contract {{.*}} -> tensor<16x16xf16>
// CHECK-NOT: cma.cast
// CHECK: tensor.extract_slice %[[Y]]{{.*}} to tensor<4x4xf16>
// CHECK-NEXT: cma.cast {{.*}} : tensor<4x4xf16> to tensor<4x4xf32>
// CHECK-NOT: cma.cast
// CHECK: cma.contract {{.*}} (%[[Y]], %[[Y]])
func.func @subsample(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %t: tensor<4x4xf32>) -> (tensor<f32>, tensor<16x16xf32>) {
  %y = cma.contract "ik,kj->ij" (%a, %b) {planned} : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %p = tensor.extract_slice %y[0, 0] [4, 4] [4, 4] : tensor<16x16xf32> to tensor<4x4xf32>
  %l = cma.mse %p, %t : tensor<4x4xf32> -> tensor<f32>
  %z = cma.contract "ij,jk->ik" (%y, %y) {planned} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %l, %z : tensor<f32>, tensor<16x16xf32>
}

// Three readers, one cast.
// CHECK-LABEL: func.func @shared
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[C:.*]] = cma.cast %[[E]]
// CHECK-NOT: cma.cast
// CHECK: cma.contract {{.*}} (%[[C]],
// CHECK: cma.contract {{.*}} (%[[C]],
// CHECK: cma.contract {{.*}} (%[[C]], %[[C]])
func.func @shared(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = math.exp %x : tensor<4x4xf32>
  %1 = cma.contract "ij,jk->ik" (%0, %a) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = cma.contract "ij,jk->ik" (%0, %b) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = cma.contract "ij,jk->ik" (%0, %0) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// One reader in f16 and one in f32: one cast between them.
// CHECK-LABEL: func.func @diamond
// CHECK: %[[Y:.*]] = cma.contract {{.*}} -> tensor<4x4xf32>
// CHECK-NEXT: %[[C:.*]] = cma.cast %[[Y]]
// CHECK-NOT: cma.cast
// CHECK: math.exp %[[Y]]
// CHECK: cma.contract {{.*}} (%[[C]],
func.func @diamond(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = cma.contract "ij,jk->ik" (%x, %a) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = math.exp %0 : tensor<4x4xf32>
  %2 = cma.contract "ij,jk->ik" (%0, %a) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = arith.addf %1, %2 : tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// A transposition between two contractions in f16 needs none.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-3: cma.cast %arg
// CHECK-NOT: cma.cast
// CHECK: cma.broadcast {{.*}} -> tensor<2x4xf16>
func.func @chain(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %0 = cma.contract "ij,jk->ik" (%x, %a) {planned} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %1 = cma.broadcast "ij->ji" (%0) : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = cma.contract "ij,jk->ik" (%1, %b) {planned} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
