// RUN: cma-opt %s --cma-plan-contractions="objective=mults" | FileCheck %s
// RUN: cma-opt %s --cma-plan-contractions="objective=mults flatten=false" | FileCheck %s --check-prefix=KEEP
// RUN: cma-opt %s --cma-plan-contractions="objective=mults report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// The inner contraction takes the outer one's labels, and a new name where its
// own is taken.
// CHECK-LABEL: func @nested(
// KEEP-LABEL: func @nested(
// JSON: "function": "nested"
// JSON: "equation": "ba,aj,ji->bi"
func.func @nested(%x: tensor<50x4xf32>, %w: tensor<4x5xf32>, %v: tensor<5x6xf32>) -> tensor<50x6xf32> {
  // CHECK: %[[WV:.*]] = cma.contract "aj,ji->ai" (%arg1, %arg2) {planned} : {{.*}} -> tensor<4x6xf32>
  // CHECK: cma.contract "ba,ai->bi" (%arg0, %[[WV]]) {planned}
  // KEEP: %[[XW:.*]] = cma.contract "bi,ij->bj" (%arg0, %arg1) {planned}
  // KEEP: cma.contract "bj,ji->bi" (%[[XW]], %arg2) {planned}
  %0 = cma.contract "bi,ij->bj" (%x, %w) : (tensor<50x4xf32>, tensor<4x5xf32>) -> tensor<50x5xf32>
  %1 = cma.contract "bj,ji->bi" (%0, %v) : (tensor<50x5xf32>, tensor<5x6xf32>) -> tensor<50x6xf32>
  return %1 : tensor<50x6xf32>
}

// A diagonal of a product reads the diagonal alone.
// CHECK-LABEL: func @diagonal(
// JSON: "function": "diagonal"
// JSON: "equation": "ik,ki->i"
func.func @diagonal(%x: tensor<4x5xf32>, %w: tensor<5x4xf32>) -> tensor<4xf32> {
  // CHECK: cma.contract "ik,ki->i" (%arg0, %arg1) {planned}
  %0 = cma.contract "ik,kj->ij" (%x, %w) : (tensor<4x5xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
  %1 = cma.contract "ii->i" (%0) : (tensor<4x4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Neither a second use, nor a path on either side, nor another block is crossed.
// CHECK-LABEL: func @bounds(
// JSON: "function": "bounds"
// JSON: "name": "bounds/0"
// JSON: "equation": "ij,jk->ik"
// JSON: "name": "bounds/1"
// JSON: "equation": "ij,jk->ik"
// JSON: "name": "bounds/2"
// JSON: "equation": "ij->ji"
// JSON: "name": "bounds/3"
// JSON: "equation": "ij,jk->ik"
// JSON: "name": "bounds/4"
// JSON: "equation": "ij->i"
// JSON-NOT: "name"
func.func @bounds(%x: tensor<4x4xf32>, %c: i1) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
  %0 = cma.contract "ij,jk->ik" (%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = cma.contract "ij,jk->ik" (%0, %0) {path = [[0, 1]]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = cma.contract "ij->ji" (%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = cma.contract "ij,jk->ik" (%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %4 = scf.if %c -> (tensor<4xf32>) {
    %5 = cma.contract "ij->i" (%3) : (tensor<4x4xf32>) -> tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  } else {
    scf.yield %zero : tensor<4xf32>
  }
  return %1, %2, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>
}
