// RUN: cma-opt %s --cma-build-train-step=momentum=0.5 --split-input-file --verify-diagnostics

// expected-error @+1 {{expected one function with a backward function, got 0}}
module {
  func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
    return %w : tensor<f32>
  }
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %x: tensor<f32>) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected argument #1 to have the role "parameter", "state" or "data" to build a training step, got none}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %x: tensor<f32>, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%x: tensor<f32> {cma.role = "data"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %x : tensor<f32>
}
// expected-error @+1 {{expected at least one argument of role "parameter" to train}}
func.func @model_backward(%x: tensor<f32> {cma.role = "data"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "0"}) {
  return %x, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<4xf32>) {
  return %w : tensor<4xf32>
}
// expected-error @+1 {{expected a result of role "loss" and an argument of role "cotangent" for it}}
func.func @model_backward(%w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"}, %d: tensor<4xf32> {cma.role = "cotangent"})
    -> (tensor<4xf32>, tensor<4xf32> {cma.gradient = "w"}) {
  return %w, %d : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected a gradient of parameter 'w'; cma-differentiate makes one unless 'wanted' leaves it out}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.updates = "w"}) {
  return %w, %w : tensor<f32>, tensor<f32>
}
// expected-error @+1 {{expected the optimizer alone to update parameter 'w', got result #1 for it}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.updates = "w"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %w, %d : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "state", cma.name = "w.momentum"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected the name 'w.momentum' to be free for a momentum buffer, got argument #1 of that name}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "state", cma.name = "w.momentum"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<i32> {cma.role = "parameter", cma.name = "w"}) {
  return
}
// expected-error @+1 {{expected parameter 'w' to be a floating-point tensor, got 'tensor<i32>'}}
func.func @model_backward(%w: tensor<i32> {cma.role = "parameter", cma.name = "w"}) {
  return
}

// -----

func.func @model(%w: f32 {cma.role = "parameter", cma.name = "w"}) {
  return
}
// expected-error @+1 {{expected parameter 'w' to be a floating-point tensor, got 'f32'}}
func.func @model_backward(%w: f32 {cma.role = "parameter", cma.name = "w"}) {
  return
}
