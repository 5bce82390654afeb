// A plan keeps roundings: steps have the result's type and sum as the network does.
// RUN: cma-opt %s --cma-plan-contractions | FileCheck %s

// CHECK-LABEL: func @steps
func.func @steps(%x: tensor<2x3xf16>, %w: tensor<3x4xbf16>, %v: tensor<4x5xf32>) -> tensor<2x5xf16> {
  // CHECK-COUNT-2: {accumulate = f64, planned} : ({{.+}}) -> tensor<{{[0-9x]+}}xf16>
  %0 = cma.contract "bi,ij,jk->bk" (%x, %w, %v) {accumulate = f64}
      : (tensor<2x3xf16>, tensor<3x4xbf16>, tensor<4x5xf32>) -> tensor<2x5xf16>
  return %0 : tensor<2x5xf16>
}

// One network of two ops only where both round to one type.
// CHECK-LABEL: func @apart
func.func @apart(%x: tensor<2x3xf32>, %w: tensor<3x400xf32>, %v: tensor<400x5xf32>) -> tensor<2x5xf32> {
  // CHECK: cma.contract "ij,jk->ik" {{.*}} -> tensor<3x5xbf16>
  // CHECK: cma.contract "bi,ij->bj" {{.*}} -> tensor<2x5xf32>
  %0 = cma.contract "ij,jk->ik" (%w, %v) : (tensor<3x400xf32>, tensor<400x5xf32>) -> tensor<3x5xbf16>
  %1 = cma.contract "bi,ij->bj" (%x, %0) : (tensor<2x3xf32>, tensor<3x5xbf16>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// CHECK-LABEL: func @sums_apart
func.func @sums_apart(%x: tensor<2x3xf32>, %w: tensor<3x400xf32>, %v: tensor<400x5xf32>) -> tensor<2x5xf32> {
  // CHECK: cma.contract "ij,jk->ik" {{.*}} {accumulate = f64, planned}
  // CHECK: cma.contract "bi,ij->bj" {{.*}} {planned}
  %0 = cma.contract "ij,jk->ik" (%w, %v) {accumulate = f64} : (tensor<3x400xf32>, tensor<400x5xf32>) -> tensor<3x5xf32>
  %1 = cma.contract "bi,ij->bj" (%x, %0) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}
