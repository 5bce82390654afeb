// RUN: cma-opt %s --cma-assign-precision=policy=f16 | FileCheck %s
// RUN: cma-opt %s --cma-assign-precision=policy=f16 > %t.once
// RUN: cma-opt %t.once --cma-assign-precision=policy=f16 > %t.twice
// RUN: diff %t.once %t.twice
// RUN: cma-opt %s --cma-assign-precision=policy=bf16 | FileCheck %s --check-prefix=BF16
// RUN: cma-opt %s --cma-assign-precision=policy=tf32 | FileCheck %s --check-prefix=TF32

// A contraction reads f16 and sums in f32; its result has the type that saves
// casts. The loss is f32.
// CHECK-LABEL: func.func @chain
// CHECK: cma.contract {{.*}}#cma.precision<f16>, planned
// CHECK: cma.gelu {{.*}}#cma.precision<f16>
// CHECK: cma.contract {{.*}}#cma.precision<f16, result = f32>, planned
// CHECK: cma.cross_entropy {{.*}}#cma.precision<f32>
// TF32-LABEL: func.func @chain
// TF32: cma.contract {{.*}}#cma.precision<tf32>, planned
// TF32: cma.gelu {{.*}}#cma.precision<f32>
// TF32: cma.contract {{.*}}#cma.precision<tf32>, planned
func.func @chain(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %l: tensor<8xi64>)
    -> tensor<f32> {
  %h = cma.contract "bi,ij->bj" (%x, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %y = cma.gelu %h : tensor<8x4xf32>
  %z = cma.contract "bi,ij->bj" (%y, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %loss = cma.cross_entropy %z, %l
      : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %loss : tensor<f32>
}

// exp, log, pow and rsqrt stay in f32 where the low type is f16, and follow in
// bf16; on what is proved to fit they follow in f16, too.
// CHECK-LABEL: func.func @sensitive
// CHECK: math.exp {{.*}}#cma.precision<f32>
// BF16-LABEL: func.func @sensitive
// BF16: math.exp {{.*}}#cma.precision<bf16>
func.func @sensitive(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = math.exp %a : tensor<4x4xf32>
  %c = cma.contract "ij,jk->ik" (%b, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @proved
// CHECK: math.exp {{.*}}#cma.precision<f16>
func.func @proved(%x: tensor<4x4xf32> {cma.range = #cma.range<-1.0, 1.0>})
    -> tensor<4x4xf32> {
  %a = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = math.exp %a : tensor<4x4xf32>
  %c = cma.contract "ij,jk->ik" (%b, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}

// f64 is never lowered; integers have no precision.
// CHECK-LABEL: func.func @wide
// CHECK: cma.contract {{.*}}#cma.precision<f64>, planned
// CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<4xi32>
func.func @wide(%x: tensor<4x4xf64>, %i: tensor<4xi32>)
    -> (tensor<4x4xf64>, tensor<4xi32>) {
  %a = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %b = arith.addi %i, %i : tensor<4xi32>
  return %a, %b : tensor<4x4xf64>, tensor<4xi32>
}

// One type for all that is selected or joined; the predicate is no float.
// CHECK-LABEL: func.func @groups
// CHECK: cma.contract {{.*}}#cma.precision<f16>, planned
// CHECK: arith.select {{.*}}#cma.precision<f16>
// CHECK: tensor.concat {{.*}}#cma.precision<f16>
func.func @groups(%x: tensor<4x4xf32>, %p: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %a = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = arith.select %p, %a, %x : tensor<4x4xi1>, tensor<4x4xf32>
  %c = tensor.concat dim(0) %a, %b
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %d = cma.contract "ij,ik->jk" (%c, %c) {planned}
      : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}
