// RUN: cma-opt %s --cma-plan-contractions --cma-assign-precision="policy=f16 require-proof" --remarks-filter-missed="cma-assign-precision" -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// The order of a contraction decides which types are legal. Matrices first, an
// element of the product may be 1024 * 8 * 8 = 65536, which f16 does not hold.
// REMARK: [[@LINE+8]]:8: {{.*}}[Missed] Precision {{.*}} Function=matrices_first {{.*}}Bound=655
// CHECK-LABEL: func.func @matrices_first
// CHECK: cma.contract "ij,jk->ik" {{.*}}#cma.precision<f16, result = f32>
// CHECK: cma.contract "ik,k->i" {{.*}}#cma.precision<f32>
func.func @matrices_first(%a: tensor<1024x1024xf32> {cma.range = #cma.range<-8.0, 8.0>},
                          %b: tensor<1024x1024xf32> {cma.range = #cma.range<-8.0, 8.0>},
                          %v: tensor<1024xf32> {cma.range = #cma.range<-0.00048828125, 0.00048828125>})
    -> tensor<1024xf32> {
  %0 = cma.contract "ij,jk->ik" (%a, %b) {planned}
      : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = cma.contract "ik,k->i" (%0, %v) {planned}
      : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// The planner multiplies the vector first: bounds of 4, then 32768.
// CHECK-LABEL: func.func @planned
// CHECK-COUNT-2: cma.contract {{.*}}#cma.precision<f16{{[,>]}}
// CHECK-NOT: cma.contract
func.func @planned(%a: tensor<1024x1024xf32> {cma.range = #cma.range<-8.0, 8.0>},
                   %b: tensor<1024x1024xf32> {cma.range = #cma.range<-8.0, 8.0>},
                   %v: tensor<1024xf32> {cma.range = #cma.range<-0.00048828125, 0.00048828125>})
    -> tensor<1024xf32> {
  %0 = cma.contract "ij,jk,k->i" (%a, %b, %v)
      : (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
