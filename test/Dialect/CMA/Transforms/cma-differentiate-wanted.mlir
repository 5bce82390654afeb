// RUN: cma-opt %s --cma-differentiate=wanted=2,a | FileCheck %s
// RUN: cma-opt %s --cma-differentiate=wanted=1 | FileCheck %s --check-prefix=NAME
// RUN: cma-opt %s --cma-differentiate | FileCheck %s --check-prefix=ALL

// Gradients stand in argument order. Only what they need is computed.

// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME: -> (tensor<8x4xf32>, tensor<8x6xf32> {cma.gradient = "a", cma.role = "gradient"}, tensor<5x4xf32> {cma.gradient = "2", cma.role = "gradient"})
// CHECK: cma.contract "bi,ij->bj"
// CHECK: cma.contract "bj,jk->bk"
// CHECK: cma.contract "bk,jk->bj"
// CHECK: cma.contract "bj,bk->jk"
// CHECK: cma.contract "bj,ij->bi"
// CHECK-NOT: cma.contract

// An unnamed argument is known by its position.
// NAME-LABEL: func.func @f_backward(
// NAME-SAME: tensor<8x4xf32> {cma.name = "cotangent", cma.role = "cotangent"})
// NAME-SAME: -> (tensor<8x4xf32>, tensor<6x5xf32> {cma.gradient = "1", cma.role = "gradient"})

// ALL-LABEL: func.func @f_backward(
// ALL-SAME: -> (tensor<8x4xf32>, tensor<8x6xf32> {cma.gradient = "a", cma.role = "gradient"}, tensor<6x5xf32> {cma.gradient = "1", cma.role = "gradient"}, tensor<5x4xf32> {cma.gradient = "2", cma.role = "gradient"})
func.func @f(%a: tensor<8x6xf32> {cma.name = "a"}, %b: tensor<6x5xf32>, %c: tensor<5x4xf32>) -> tensor<8x4xf32> {
  %0 = cma.contract "bi,ij->bj" (%a, %b) {planned} : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
  %1 = cma.contract "bj,jk->bk" (%0, %c) {planned} : (tensor<8x5xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
