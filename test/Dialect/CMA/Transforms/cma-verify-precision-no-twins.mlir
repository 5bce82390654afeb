// Values of other shapes, and what is made of scalars, are no twins.
// RUN: cma-opt %s --cma-verify-precision -o /dev/null

func.func @splat(%s: f32, %x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %a = tensor.splat %s : tensor<4xf32>
  %b = tensor.splat %s : tensor<8xf32>
  %c = arith.addf %a, %x : tensor<4xf32>
  %d = arith.addf %b, %y : tensor<8xf32>
  return %c, %d : tensor<4xf32>, tensor<8xf32>
}

func.func @broadcast(%s: tensor<f32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %a = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<4xf32>
  %b = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<8xf32>
  return %a, %b : tensor<4xf32>, tensor<8xf32>
}

func.func @convert(%i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf16>) {
  %a = arith.sitofp %i : tensor<4xi32> to tensor<4xf32>
  %b = arith.sitofp %i : tensor<4xi32> to tensor<4xf16>
  return %a, %b : tensor<4xf32>, tensor<4xf16>
}
