// Zeros around a gradient keep its scale; around what has none, any number may
// stand; around a scaled gradient, no number may that has not its scale.
// RUN: cma-opt %s --cma-verify-scales --split-input-file --verify-diagnostics -o /dev/null

func.func @zeros(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<i1> {
  %zero = arith.constant 0.0 : f32
  %scale = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<4xf32>
  %g = arith.mulf %x, %scale : tensor<4xf32>
  %p = tensor.pad %g low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  %u, %f = cma.unscale %s (%p) : tensor<f32>, tensor<6xf32>
  return %f : tensor<i1>
}

// -----

func.func @ones(%s: tensor<f32>, %x: tensor<4xf32>, %y: tensor<6xf32>) -> tensor<i1> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<4xf32> to tensor<6xf32>
  %scale = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<6xf32>
  %g = arith.mulf %p, %scale : tensor<6xf32>
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<6xf32>
  return %f : tensor<i1>
}

// -----

func.func @scaled(%s: tensor<f32>, %x: tensor<4xf32>) {
  // expected-note @below {{has no scale}}
  %one = arith.constant 1.0 : f32
  %scale = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<4xf32>
  // expected-note @below {{'%1' has the scale '%arg0'}}
  %g = arith.mulf %x, %scale : tensor<4xf32>
  // expected-error @below {{'tensor.pad' op expected values of one loss scale, got '%1' with the scale '%arg0' and '%cst' with no scale}}
  %p = tensor.pad %g low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<4xf32> to tensor<6xf32>
  %f = cma.unscale %s () : tensor<f32>
  return
}

// -----

func.func @own(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<i1> {
  %number = tensor.extract %s[] : tensor<f32>
  %scale = cma.broadcast "->a" (%s) : (tensor<f32>) -> tensor<4xf32>
  %g = arith.mulf %x, %scale : tensor<4xf32>
  %p = tensor.pad %g low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %number : f32
  } : tensor<4xf32> to tensor<6xf32>
  %u, %f = cma.unscale %s (%p) : tensor<f32>, tensor<6xf32>
  return %f : tensor<i1>
}
