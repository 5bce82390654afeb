// Names that the step needs are free, and optimizers compute in f32 or f64.
// RUN: cma-opt %s --cma-build-train-step="optimizer=adamw loss-scale=dynamic accumulate=2" --split-input-file --verify-diagnostics

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "state", cma.name = "w.second_moment"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected the name 'w.second_moment' to be free for a moment, got argument #1 of that name}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "state", cma.name = "w.second_moment"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "loss_scale"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected the name 'loss_scale' to be free for the loss scale, got argument #0 of that name}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "loss_scale"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "loss_scale"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "data", cma.name = "w.gradient"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
// expected-error @+1 {{expected the name 'w.gradient' to be free for a sum of gradients, got argument #1 of that name}}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %m: tensor<f32> {cma.role = "data", cma.name = "w.gradient"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}

// -----

func.func @model(%w: tensor<f16> {cma.role = "parameter", cma.name = "w"}, %l: tensor<f32> {cma.role = "data", cma.name = "l"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %l : tensor<f32>
}
// expected-error @+1 {{expected parameter 'w' to be of f32 or f64, in which optimizers compute, got 'f16'}}
func.func @model_backward(%w: tensor<f16> {cma.role = "parameter", cma.name = "w"}, %l: tensor<f32> {cma.role = "data", cma.name = "l"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f16> {cma.gradient = "w"}) {
  return %l, %w : tensor<f32>, tensor<f16>
}

// -----

// expected-error @+1 {{expected the name '@model_apply' to be free for the training step}}
func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
func.func @model_backward(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}, %d: tensor<f32> {cma.role = "cotangent"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.gradient = "w"}) {
  return %w, %d : tensor<f32>, tensor<f32>
}
func.func @model_apply() {
  return
}
