// RUN: cma-opt %s --cma-verify-precision --verify-each=0 | FileCheck %s
// RUN: cma-opt %s --cma-assign-precision=policy=bf16 --cma-verify-precision --cma-insert-casts --cma-verify-precision=target=sm_80 -o /dev/null

// CHECK-LABEL: func.func @good
// CHECK: cma.contract "bi,ij->bj" (%arg0, %arg1) {planned}
func.func @good(%x: tensor<8x4xf32>,
    %w: tensor<4x4xf32> {cma.name = "w", cma.role = "parameter"}, %l: tensor<8xi64>)
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
