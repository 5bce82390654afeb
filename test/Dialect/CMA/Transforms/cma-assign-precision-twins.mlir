// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-precision | FileCheck %s
// RUN: cma-opt %s --cma-assign-precision="policy=f16 solver=lists" --cma-insert-casts --cma-verify-precision | FileCheck %s --check-prefix=LISTS

// What is computed twice has one type, although one is read in f16 and the other
// in f32: their bits are equal.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: cma.contract "ij,jk->ik" {{.*}} -> tensor<4x4xf32>
// CHECK: math.exp {{.*}} : tensor<4x4xf32>
// LISTS-LABEL: func.func @twice
// LISTS-COUNT-2: cma.contract "ij,jk->ik" {{.*}} -> tensor<4x4xf16>
// LISTS: math.exp {{.*}} : tensor<4x4xf32>
func.func @twice(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %a = cma.contract "ij,jk->ik" (%x, %y) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = cma.contract "ij,jk->ik" (%x, %y) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = cma.contract "ij,ij->i" (%a, %y) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %d = math.exp %b : tensor<4x4xf32>
  return %c, %d : tensor<4xf32>, tensor<4x4xf32>
}

// Of other operands it is another value.
// CHECK-LABEL: func.func @apart
// CHECK: cma.relu {{.*}} : tensor<4x4xf16>
// CHECK: cma.relu {{.*}} : tensor<4x4xf32>
func.func @apart(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %h = cma.contract "ij,ij->ij" (%x, %y) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = cma.relu %h : tensor<4x4xf32>
  %b = cma.relu %x : tensor<4x4xf32>
  %c = cma.contract "ij,ij->i" (%a, %y) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %d = math.exp %b : tensor<4x4xf32>
  return %c, %d : tensor<4xf32>, tensor<4x4xf32>
}

// What the user writes on one of them, also the last one, goes for all.
// CHECK-LABEL: func.func @annotated
// CHECK-COUNT-3: math.absf {{.*}} : tensor<4xbf16>
func.func @annotated(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = math.absf %x : tensor<4xf32>
  %b = math.absf %x : tensor<4xf32>
  %c = math.absf %x {cma.precision = #cma.precision<bf16>} : tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
