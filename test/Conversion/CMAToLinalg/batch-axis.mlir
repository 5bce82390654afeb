// The batch axis of the data stays a loop of its own; axes of weights do not.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-LABEL: func @model
func.func @model(%x: tensor<8x2x3xf32> {cma.role = "data"},
                 %g: tensor<4x2x3xf32> {cma.role = "parameter", cma.name = "g"},
                 %w: tensor<3x5xf32> {cma.role = "parameter", cma.name = "w"})
    -> (tensor<8x2x5xf32>, tensor<4x2x5xf32>) {
  // CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]
  // CHECK-SAME: tensor<8x2x3xf32>, tensor<3x5xf32>
  %r = cma.relu %x : tensor<8x2x3xf32>
  %y = cma.contract "bij,jk->bik" (%r, %w)
      : (tensor<8x2x3xf32>, tensor<3x5xf32>) -> tensor<8x2x5xf32>
  // CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]
  // CHECK-SAME: tensor<8x3xf32>, tensor<3x5xf32>
  %z = cma.contract "bij,jk->bik" (%g, %w)
      : (tensor<4x2x3xf32>, tensor<3x5xf32>) -> tensor<4x2x5xf32>
  return %y, %z : tensor<8x2x5xf32>, tensor<4x2x5xf32>
}

// The sum over the batch is a loop of its own, too.
// CHECK-LABEL: func @weight_gradient
func.func @weight_gradient(%x: tensor<8x2x3xf32> {cma.role = "data"},
                           %dy: tensor<8x2x5xf32> {cma.role = "cotangent"})
    -> tensor<3x5xf32> {
  // CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction", "reduction"]
  %dw = cma.contract "bij,bik->jk" (%x, %dy)
      : (tensor<8x2x3xf32>, tensor<8x2x5xf32>) -> tensor<3x5xf32>
  return %dw : tensor<3x5xf32>
}
