// What a loop adds to is carried in f32, also through math.fma and inner regions.
// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-precision | FileCheck %s

// CHECK-LABEL: func.func @fma(
// CHECK:         scf.for {{.*}} -> (tensor<4x4xf32>)
func.func @fma(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = cma.contract "ij,jk->ik" (%x, %w) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %s) -> (tensor<4x4xf32>) {
    %d = math.fma %s, %s, %a : tensor<4x4xf32>
    scf.yield %d : tensor<4x4xf32>
  }
  %o = cma.contract "ij,jk->ik" (%r, %w) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @in_if(
// CHECK:         scf.for {{.*}} -> (tensor<4x4xf32>)
func.func @in_if(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %p: i1) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = cma.contract "ij,jk->ik" (%x, %w) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %s) -> (tensor<4x4xf32>) {
    %d = scf.if %p -> tensor<4x4xf32> {
      %e = arith.addf %a, %s : tensor<4x4xf32>
      scf.yield %e : tensor<4x4xf32>
    } else {
      scf.yield %a : tensor<4x4xf32>
    }
    scf.yield %d : tensor<4x4xf32>
  }
  %o = cma.contract "ij,jk->ik" (%r, %w) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}
