// A user's precision goes to every op that computes in an annotated op's place,
// and to its derivatives.
// RUN: cma-opt %s --cma-expand-layers --cma-plan-contractions --cma-differentiate | FileCheck %s
// RUN: cma-opt %s --cma-expand-layers --cma-plan-contractions --cma-differentiate --cma-assign-precision=policy=f32 \
// RUN:   --cma-insert-casts --cma-verify-precision | FileCheck %s --check-prefix=CASTS

// CHECK-LABEL: func.func @layer(
// CHECK-COUNT-2: cma.contract {{.*}} {cma.precision = #cma.precision<bf16>, planned}
// CHECK: cma.broadcast {{.*}} {cma.precision = #cma.precision<bf16>}
// CHECK: arith.addf {{.*}} {cma.precision = #cma.precision<bf16>}
// CHECK-LABEL: func.func @layer_backward(
// CHECK-COUNT-2: cma.contract {{.*}} {cma.precision = #cma.precision<bf16>, planned}
// CHECK: arith.addf {{.*}} {cma.precision = #cma.precision<bf16>}
// CHECK-COUNT-5: cma.contract {{.*}} {cma.precision = #cma.precision<bf16>, planned}
// CASTS-LABEL: func.func @layer(
// CASTS: cma.contract {{.*}}xbf16>, {{.*}}xbf16>)
func.func @layer(%x: tensor<2x3xf32>, %u: tensor<3x2xf32>, %v: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = cma.low_rank_linear %x, %u, %v bias(%b) {cma.precision = #cma.precision<bf16>}
      : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
