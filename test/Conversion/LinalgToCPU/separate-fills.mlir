// Each sum starts from a fill of its own.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-separate-fills,canonicalize))' | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @two(
// CHECK-NOT:     linalg.fill
// CHECK:         %[[E0:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]] :
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[F0]] :
// CHECK:         %[[E1:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]] :
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[F1]] :
func.func @two(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.subf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A fill with one user, or one that is only read, stays.
// CHECK-LABEL: func.func @one(
// CHECK:         linalg.fill
// CHECK-NOT:     linalg.fill
func.func @one() -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}
