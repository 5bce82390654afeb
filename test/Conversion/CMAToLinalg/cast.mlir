// Casts become one op each; saturation clamps before the rounding.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(convert-cma-to-linalg))' --split-input-file | FileCheck %s

// CHECK-LABEL: func @nearest
func.func @nearest(%x: tensor<2x3xf32>) -> tensor<2x3xf16> {
  // CHECK: linalg.generic {indexing_maps = [#[[MAP:.+]], #[[MAP]]], iterator_types = ["parallel", "parallel"]}
  // CHECK: %[[Y:.+]] = arith.truncf %{{.+}} : f32 to f16
  // CHECK-NEXT: linalg.yield %[[Y]] : f16
  %0 = cma.cast %x : tensor<2x3xf32> to tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// -----

// CHECK-LABEL: func @toward_zero
func.func @toward_zero(%x: tensor<4xf64>) -> tensor<4xf32> {
  // CHECK: arith.truncf %{{.+}} toward_zero : f64 to f32
  %0 = cma.cast %x round(toward_zero) : tensor<4xf64> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A NaN passes both comparisons.
// CHECK-LABEL: func @saturate
func.func @saturate(%x: tensor<4xf32>) -> tensor<4xf8E4M3FN> {
  // CHECK: %[[MAX:.+]] = arith.constant 4.480000e+02 : f32
  // CHECK: %[[OVER:.+]] = arith.cmpf ogt, %[[X:.+]], %[[MAX]]
  // CHECK: %[[HIGH:.+]] = arith.select %[[OVER]], %[[MAX]], %[[X]]
  // CHECK: %[[MIN:.+]] = arith.constant -4.480000e+02 : f32
  // CHECK: %[[UNDER:.+]] = arith.cmpf olt, %[[HIGH]], %[[MIN]]
  // CHECK: %[[BOTH:.+]] = arith.select %[[UNDER]], %[[MIN]], %[[HIGH]]
  // CHECK: arith.truncf %[[BOTH]] : f32 to f8E4M3FN
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

// Neither holds the other: by way of f32. An exact cast never clamps.
// CHECK-LABEL: func @sideways
func.func @sideways(%x: tensor<4xf16>, %y: tensor<4xf8E4M3FN>) -> (tensor<4xbf16>, tensor<4xf16>) {
  // CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : f16 to f32
  // CHECK-NEXT: arith.truncf %[[WIDE]] : f32 to bf16
  %0 = cma.cast %x : tensor<4xf16> to tensor<4xbf16>
  // CHECK: arith.extf %{{.+}} : f8E4M3FN to f32
  // CHECK-NOT: arith.cmpf
  // CHECK: arith.truncf %{{.+}} : f32 to f16
  %1 = cma.cast %y overflow(saturate) : tensor<4xf8E4M3FN> to tensor<4xf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xf16>
}

// -----

// CHECK-LABEL: func @tf32
func.func @tf32(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[NARROW:.+]] = arith.truncf %{{.+}} : f32 to tf32
  // CHECK-NEXT: arith.extf %[[NARROW]] : tf32 to f32
  %0 = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The noise depends on the element and the step alone: ten rounds of Philox.
// CHECK-LABEL: func @stochastic
// CHECK-SAME: (%[[X:.+]]: tensor<2x3xf32>, %[[STEP:.+]]: tensor<i64>)
func.func @stochastic(%x: tensor<2x3xf32>, %step: tensor<i64>) -> tensor<2x3xbf16> {
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[STEP]] : tensor<2x3xf32>, tensor<i64>)
  // CHECK-DAG: linalg.index 0
  // CHECK-DAG: linalg.index 1
  // CHECK-COUNT-20: arith.mului_extended
  // CHECK-NOT: arith.mului_extended
  // CHECK: arith.cmpi ult
  // CHECK: arith.bitcast %{{.+}} : i16 to bf16
  %0 = cma.cast %x round(stochastic, %step, seed = 1, stream = "w") : tensor<2x3xf32> to tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
