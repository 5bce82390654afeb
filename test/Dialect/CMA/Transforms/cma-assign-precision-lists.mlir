// RUN: cma-opt %s --cma-assign-precision="policy=f16 solver=lists" | FileCheck %s --check-prefix=LISTS
// RUN: cma-opt %s --cma-assign-precision="policy=f16 deny=cma.gelu" | FileCheck %s --check-prefix=DENY
// RUN: cma-opt %s --cma-assign-precision="policy=f16 solver=lists deny=-math.exp" | FileCheck %s --check-prefix=UNDENY
// RUN: cma-opt %s --cma-assign-precision="policy=f16 allow=-cma.contract" | FileCheck %s --check-prefix=UNALLOW
// RUN: cma-opt %s --cma-assign-precision="policy=custom type=f8E5M2 allow=+cma.contract" | FileCheck %s --check-prefix=CUSTOM
// RUN: cma-opt %s --cma-assign-precision="policy=custom type=bf16 solver=lists allow=cma.contract follow=cma.gelu,math.exp" | FileCheck %s --check-prefix=MORE

// LISTS: cma.contract {{.*}}#cma.precision<f16>, planned
// LISTS: cma.gelu {{.*}}#cma.precision<f16>
// LISTS: math.exp {{.*}}#cma.precision<f32>
// LISTS: arith.addf {{.*}}#cma.precision<f32>
// DENY: cma.contract {{.*}}#cma.precision<f16, result = f32>
// DENY: cma.gelu {{.*}}#cma.precision<f32>
// UNDENY: cma.gelu {{.*}}#cma.precision<f16>
// UNDENY: math.exp {{.*}}#cma.precision<f16>
// UNALLOW-NOT: f16
// CUSTOM: cma.contract {{.*}}#cma.precision<f8E5M2, result = f32>
// CUSTOM: cma.gelu {{.*}}#cma.precision<f32>
// CUSTOM: arith.addf {{.*}}#cma.precision<f32>
// MORE: cma.contract {{.*}}#cma.precision<bf16>, planned
// MORE: cma.gelu {{.*}}#cma.precision<bf16>
// MORE: math.exp {{.*}}#cma.precision<bf16>
// MORE: arith.addf {{.*}}#cma.precision<f32>
func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %h = cma.contract "bi,ij->bj" (%x, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %y = cma.gelu %h : tensor<8x4xf32>
  %e = math.exp %y : tensor<8x4xf32>
  %s = arith.addf %e, %y : tensor<8x4xf32>
  %z = cma.contract "bi,ij->bj" (%y, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %t = arith.addf %z, %s : tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}
