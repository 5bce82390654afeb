// Below f32 ops compute in f32 and round once.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(convert-cma-to-linalg))' --split-input-file | FileCheck %s

// CHECK-LABEL: func @contract
func.func @contract(%x: tensor<2x3xf16>, %w: tensor<3x4xbf16>) -> tensor<2x4xf8E5M2> {
  // CHECK: arith.extf %{{.+}} : f16 to f32
  // CHECK: arith.extf %{{.+}} : bf16 to f32
  // CHECK: linalg.fill {{.*}} -> tensor<2x4xf32>
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3x4xf32>)
  // CHECK: arith.mulf %{{.+}} : f32
  // CHECK: arith.addf %{{.+}} : f32
  // CHECK: arith.truncf %{{.+}} : f32 to f8E5M2
  %0 = cma.contract "bi,ij->bj" (%x, %w) : (tensor<2x3xf16>, tensor<3x4xbf16>) -> tensor<2x4xf8E5M2>
  return %0 : tensor<2x4xf8E5M2>
}

// -----

// CHECK-LABEL: func @accumulate
func.func @accumulate(%x: tensor<4xf32>) -> tensor<bf16> {
  // CHECK: arith.extf %{{.+}} : f32 to f64
  // CHECK: arith.addf %{{.+}} : f64
  // CHECK: arith.truncf %{{.+}} : f64 to bf16
  %0 = cma.contract "i->" (%x) {accumulate = f64} : (tensor<4xf32>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

// What only moves stays as it is; a change of type rounds behind the move.
// CHECK-LABEL: func @move
func.func @move(%x: tensor<2x3xf32>, %h: tensor<4xf8E4M3FN>) -> (tensor<3x2xf16>, tensor<2x4xf8E4M3FN>) {
  // CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<3x2xf32>)
  // CHECK: arith.truncf %{{.+}} : f32 to f16
  %0 = cma.contract "ij->ji" (%x) : (tensor<2x3xf32>) -> tensor<3x2xf16>
  // CHECK: ^bb0(%[[IN:.+]]: f8E4M3FN, %{{.+}}: f8E4M3FN):
  // CHECK-NEXT: linalg.yield %[[IN]] : f8E4M3FN
  %1 = cma.broadcast "n->bn" (%h) : (tensor<4xf8E4M3FN>) -> tensor<2x4xf8E4M3FN>
  return %0, %1 : tensor<3x2xf16>, tensor<2x4xf8E4M3FN>
}

// -----

// CHECK-LABEL: func @activation
func.func @activation(%x: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: %[[X:.+]] = arith.extf %{{.+}} : f16 to f32
  // CHECK: %[[Y:.+]] = arith.select %{{.+}}, %{{.+}}, %[[X]] : f32
  // CHECK: arith.truncf %[[Y]] : f32 to f16
  %0 = cma.relu %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// Moments and sums of rows are f32.
// CHECK-LABEL: func @rows
// CHECK-NOT: tensor<2xbf16>
func.func @rows(%x: tensor<2x4xbf16>, %g: tensor<4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>) {
  // CHECK: arith.truncf %{{.+}} : f32 to bf16
  %0 = cma.softmax %x : tensor<2x4xbf16>
  // CHECK: math.sqrt %{{.+}} : f32
  // CHECK: arith.truncf %{{.+}} : f32 to bf16
  %1 = cma.layer_norm %x scale(%g) : tensor<2x4xbf16> scale(tensor<4xbf16>)
  return %0, %1 : tensor<2x4xbf16>, tensor<2x4xbf16>
}
