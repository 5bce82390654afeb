// RUN: cma-opt %s --cma-assign-precision=policy=f16 --remarks-filter-missed="cma.*" -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: cma-opt %s --cma-assign-precision="policy=f16 ranges=a:-7.9921875:7.9921875" | FileCheck %s --check-prefix=GIVEN
// RUN: cma-opt %s --cma-assign-precision="policy=f16 require-proof" | FileCheck %s --check-prefix=PROOF
// RUN: cma-opt %s --cma-assign-precision=policy=bf16 | FileCheck %s --check-prefix=BF16

// 1023 products of up to 64 fit f16: 65472. 1024 do not, and the result stays
// in f32 although it costs a cast.
// CHECK-LABEL: func.func @fits
// CHECK: cma.contract {{.*}}#cma.precision<f16>, planned
func.func @fits(%a: tensor<4x1023xf32> {cma.name = "fits", cma.range = #cma.range<-8.0, 8.0>},
                %b: tensor<1023x4xf32> {cma.range = #cma.range<-8.0, 8.0>},
                %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = cma.contract "ik,kj->ij" (%a, %b) {planned}
      : (tensor<4x1023xf32>, tensor<1023x4xf32>) -> tensor<4x4xf32>
  %1 = cma.contract "ij,jk->ik" (%0, %c) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// REMARK: [[@LINE+14]]:8: remark: [Missed] Precision {{.*}} Function=overflows {{.*}}Bound=655{{[0-9.]*}}{{.*}}cma.contract stays in f32 where bounds exceed the low type
// CHECK-LABEL: func.func @overflows
// CHECK: cma.contract {{.*}}#cma.precision<f16, result = f32>, planned
// CHECK: cma.contract {{.*}}#cma.precision<f32>, planned
// GIVEN-LABEL: func.func @overflows
// GIVEN: cma.contract {{.*}}#cma.precision<f16>, planned
// PROOF-LABEL: func.func @overflows
// PROOF: cma.contract {{.*}}#cma.precision<f16, result = f32>, planned
// PROOF: cma.contract {{.*}}#cma.precision<f32>, planned
// BF16-LABEL: func.func @overflows
// BF16: cma.contract {{.*}}#cma.precision<bf16>, planned
func.func @overflows(%a: tensor<4x1024xf32> {cma.name = "a", cma.range = #cma.range<-8.0, 8.0>},
                     %b: tensor<1024x4xf32> {cma.range = #cma.range<-8.0, 8.0>},
                     %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = cma.contract "ik,kj->ij" (%a, %b) {planned}
      : (tensor<4x1024xf32>, tensor<1024x4xf32>) -> tensor<4x4xf32>
  %1 = cma.contract "ij,jk->ik" (%0, %c) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A constant that f16 does not hold: the mask of an attention.
// CHECK-LABEL: func.func @sentinel
// CHECK: arith.select {{.*}}#cma.precision<f32>
func.func @sentinel(%x: tensor<4x4xf32>, %p: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %mask = arith.constant dense<-1.0e9> : tensor<4x4xf32>
  %0 = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = arith.select %p, %0, %mask : tensor<4x4xi1>, tensor<4x4xf32>
  %2 = cma.softmax %1 : tensor<4x4xf32>
  %3 = cma.contract "ij,jk->ik" (%2, %x) {planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// A square of 256 is beyond f16; one of 255.875 is not.
// CHECK-LABEL: func.func @squares
// CHECK: arith.mulf %{{.*}}, %{{.*}} {cma.precision = #cma.precision<f32>}
// CHECK: arith.mulf %{{.*}}, %{{.*}} {cma.precision = #cma.precision<f16>}
func.func @squares(%a: tensor<4x4xf32> {cma.range = #cma.range<-256.0, 256.0>},
                   %b: tensor<4x4xf32> {cma.range = #cma.range<-255.875, 255.875>}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = cma.contract "ij->ji" (%a) {planned} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = arith.mulf %0, %0 : tensor<4x4xf32>
  %2 = cma.contract "ij,jk->ik" (%1, %1) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = cma.contract "ij->ji" (%b) {planned} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = arith.mulf %3, %3 : tensor<4x4xf32>
  %5 = cma.contract "ij,jk->ik" (%4, %4) {planned} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %5 : tensor<4x4xf32>, tensor<4x4xf32>
}
