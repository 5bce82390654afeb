// RUN: cma-opt %s --cma-assign-precision=policy=f16 | FileCheck %s
// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-precision | FileCheck %s --check-prefix=CASTS

// A state that goes through contractions is carried in f16, a sum in f32.
// CHECK-LABEL: func.func @carried
// CHECK: cma.contract {{.*}}#cma.precision<f16>, planned
// CHECK: cma.contract {{.*}}#cma.precision<f16, result = f32>, planned
// CHECK: arith.addf {{.*}}#cma.precision<f32>
// CHECK: cma.precision = #cma.precision<f32>, cma.result_types = [f16, f32]
// CASTS-LABEL: func.func @carried
// CASTS: scf.for {{.*}} -> (tensor<4x4xf16>, tensor<4x4xf32>)
// CASTS: %[[A:.*]] = cma.contract {{.*}} -> tensor<4x4xf16>
// CASTS-NOT: cma.cast
// CASTS: %[[B:.*]] = arith.addf
// CASTS: scf.yield %[[A]], %[[B]] : tensor<4x4xf16>, tensor<4x4xf32>
func.func @carried(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %r:2 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%s = %x, %sum = %zero) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %a = cma.contract "ij,jk->ik" (%s, %w) {planned}
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %y = cma.contract "ij,kj->ik" (%s, %w) {planned}
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = arith.addf %sum, %y : tensor<4x4xf32>
    scf.yield %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Both branches yield one type.
// CHECK-LABEL: func.func @branches
// CHECK: } {cma.precision = #cma.precision<f16>}
// CASTS-LABEL: func.func @branches
// CASTS: scf.if %{{.*}} -> (tensor<4x4xf16>)
func.func @branches(%p: i1, %x: tensor<4x4xf32>, %w: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %a = cma.contract "ij,jk->ik" (%x, %w) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = scf.if %p -> tensor<4x4xf32> {
    %c = cma.relu %a : tensor<4x4xf32>
    scf.yield %c : tensor<4x4xf32>
  } else {
    scf.yield %a : tensor<4x4xf32>
  }
  %d = cma.contract "ij,jk->ik" (%b, %w) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// f64 keeps its type beside f32, which has one type for each value.
// CHECK-LABEL: func.func @mixed
// CHECK: cma.precision = #cma.precision<f32>, cma.result_types = [f16, f64, f32]
// CASTS-LABEL: func.func @mixed
// CASTS: scf.for {{.*}} -> (tensor<4x4xf16>, tensor<4x4xf64>, tensor<4x4xf32>)
// CASTS: arith.mulf {{.*}} : tensor<4x4xf64>
func.func @mixed(%x: tensor<4x4xf32>, %y: tensor<4x4xf64>, %w: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:3 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%s = %x, %d = %y, %sum = %x)
      -> (tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32>) {
    %a = cma.contract "ij,jk->ik" (%s, %w) {planned}
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = arith.mulf %d, %d : tensor<4x4xf64>
    %c = arith.addf %sum, %x : tensor<4x4xf32>
    scf.yield %a, %b, %c : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32>
}

// A user's type is that of the values that were f32; a list has its own.
// CHECK-LABEL: func.func @users
// CHECK: cma.precision = #cma.precision<bf16>, cma.result_types = [f64, bf16]
// CHECK: cma.precision = #cma.precision<f32>, cma.result_types = [f64, bf16]
// CASTS-LABEL: func.func @users
// CASTS: scf.if %{{.*}} -> (tensor<4xf64>, tensor<4xbf16>)
// CASTS: scf.if %{{.*}} -> (tensor<4xf64>, tensor<4xbf16>)
func.func @users(%p: i1, %x: tensor<4xf64>, %y: tensor<4xf32>)
    -> (tensor<4xf64>, tensor<4xf32>) {
  %a:2 = scf.if %p -> (tensor<4xf64>, tensor<4xf32>) {
    scf.yield %x, %y : tensor<4xf64>, tensor<4xf32>
  } else {
    %b = arith.negf %x : tensor<4xf64>
    scf.yield %b, %y : tensor<4xf64>, tensor<4xf32>
  } {cma.precision = #cma.precision<bf16>}
  %c:2 = scf.if %p -> (tensor<4xf64>, tensor<4xf32>) {
    scf.yield %a#0, %a#1 : tensor<4xf64>, tensor<4xf32>
  } else {
    scf.yield %a#0, %y : tensor<4xf64>, tensor<4xf32>
  } {cma.result_types = [f64, bf16]}
  return %c#0, %c#1 : tensor<4xf64>, tensor<4xf32>
}
