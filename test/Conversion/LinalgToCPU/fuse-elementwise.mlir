// Elementwise chains become one op; contractions stay alone.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-elementwise),cse)' | FileCheck %s
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-elementwise{fuse=false}),cse)' | FileCheck %s --check-prefix=APART

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @chain(
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      math.tanh
// CHECK-NOT:     linalg.generic
// APART-LABEL: func.func @chain(
// APART-COUNT-4: linalg.generic
func.func @chain(%a: tensor<4x8xf32>, %bias: tensor<8xf32>) -> tensor<4x8xf32> {
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %0 = arith.mulf %a, %two : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %1 = arith.addf %0, %b : tensor<4x8xf32>
  %2 = math.tanh %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A value with two users is computed once.
// CHECK-LABEL: func.func @two_users(
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
func.func @two_users(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = math.exp %a : tensor<4x8xf32>
  %1 = arith.mulf %0, %a : tensor<4x8xf32>
  %2 = arith.subf %0, %a : tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A comparison is done by each user: masks in memory are slow.
// CHECK-LABEL: func.func @mask(
// CHECK:         linalg.generic
// CHECK:           arith.cmpf
// CHECK-NEXT:      arith.select
// CHECK:         linalg.generic
// CHECK:           arith.cmpf
// CHECK-NEXT:      arith.select
// CHECK-NOT:     linalg.generic
func.func @mask(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %m = arith.cmpf ogt, %a, %b : tensor<4x8xf32>
  %0 = arith.select %m, %a, %b : tensor<4x8xi1>, tensor<4x8xf32>
  %1 = arith.select %m, %b, %a : tensor<4x8xi1>, tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// 1 / sqrt is computed for each row, not for each element.
// CHECK-LABEL: func.func @row_statistic(
// CHECK:         linalg.generic
// CHECK:           math.rsqrt
// CHECK:         linalg.generic
// CHECK-NOT:       math.rsqrt
// CHECK:           arith.mulf
func.func @row_statistic(%v: tensor<8xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = math.rsqrt %v : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @contraction(
// CHECK:         linalg.generic
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}}"reduction"
// CHECK-NOT:       arith.maximumf
// CHECK:         linalg.generic
// CHECK:           arith.negf
// APART-LABEL: func.func @contraction(
func.func @contraction(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %r = arith.maximumf %x, %zeros : tensor<4x8xf32>
  %init = arith.constant dense<0.0> : tensor<4x3xf32>
  %y = linalg.matmul ins(%r, %w : tensor<4x8xf32>, tensor<8x3xf32>) outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  %n = arith.negf %y : tensor<4x3xf32>
  return %n : tensor<4x3xf32>
}

// Constants that repeat one value are filled in.
// CHECK-LABEL: func.func @constants(
// CHECK-DAG:     %[[C:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[C]] : f32)
// CHECK:         tensor.empty() : tensor<0x3xf32>
// CHECK:         arith.constant dense<[1, 2]> : tensor<2xi64>
func.func @constants() -> (tensor<64x64xf32>, tensor<0x3xf32>, tensor<2xi64>) {
  %0 = arith.constant dense<1.0> : tensor<64x64xf32>
  %1 = arith.constant dense<> : tensor<0x3xf32>
  %2 = arith.constant dense<[1, 2]> : tensor<2xi64>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<0x3xf32>, tensor<2xi64>
}
