// RUN: cma-opt %s --cma-plan-contractions --cma-differentiate | FileCheck %s

// A network of N operands has N - 1 contractions, and all its gradients together
// cost twice as many more: here 7 and 14.

// CHECK-LABEL: func.func @f_backward(
// CHECK-COUNT-21: cma.contract
// CHECK-NOT: cma.contract
// CHECK: return
func.func @f(%x: tensor<2x2xf32>, %a: tensor<2x2xf32>, %b: tensor<2x2xf32>,
             %c: tensor<2x2xf32>, %d: tensor<2x2xf32>, %e: tensor<2x2xf32>,
             %g: tensor<2x2xf32>, %h: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = cma.contract "ab,bc,cd,de,ef,fg,gh,hi->ai" (%x, %a, %b, %c, %d, %e, %g, %h)
      : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>,
         tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
