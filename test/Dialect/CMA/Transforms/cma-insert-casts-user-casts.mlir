// A user's cast that equals an inserted one is shared, wherever it stands, and
// dominates all uses.
// RUN: cma-opt %s --cma-assign-precision=policy=bf16 --cma-insert-casts --cma-verify-precision | FileCheck %s

// CHECK-LABEL: func.func @behind_a_use(
// CHECK-NEXT:    cma.cast %arg1
// CHECK-NEXT:    cma.cast %arg0
// CHECK-NEXT:    cma.cast %arg2
// CHECK-NEXT:    cma.contract
// CHECK-NOT:     cma.cast
func.func @behind_a_use(%x: tensor<4xf32>, %y: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %a = cma.contract "i,i->i" (%x, %w) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = cma.cast %y : tensor<4xf32> to tensor<4xbf16>
  return %a, %c : tensor<4xf32>, tensor<4xbf16>
}

// CHECK-LABEL: func.func @of_an_activation(
// CHECK:         %[[B:.*]] = math.absf %arg0 : tensor<4xf32>
// CHECK-NEXT:    %[[C:.*]] = cma.cast %[[B]] : tensor<4xf32> to tensor<4xbf16>
// CHECK-NOT:     cma.cast %[[B]]
// CHECK:         return %{{.*}}, %[[C]]
func.func @of_an_activation(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %b = math.absf %x {cma.precision = #cma.precision<f32>} : tensor<4xf32>
  %c = cma.cast %b : tensor<4xf32> to tensor<4xbf16>
  %a = cma.contract "i,i->i" (%b, %w) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = arith.addf %a, %b {cma.precision = #cma.precision<f32>} : tensor<4xf32>
  return %e, %c : tensor<4xf32>, tensor<4xbf16>
}
