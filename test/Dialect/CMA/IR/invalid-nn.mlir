// Constraints of activations, norms, losses and optimizers.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @scalar_softmax_c1(%x: tensor<f32>) {
  // expected-error @below {{'cma.softmax' op expected 'input' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.softmax %x : tensor<f32>
  return
}

// -----

func.func @scalar_layer_norm_c1(%x: tensor<f64>) {
  // expected-error @below {{'cma.layer_norm' op expected 'input' to have at least one axis, got 'tensor<f64>'}}
  %0 = cma.layer_norm %x : tensor<f64>
  return
}

// -----

func.func @scale_layer_norm_c2(%x: tensor<8x10xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'cma.layer_norm' op expected 'scale' to have one axis, the last extent and the element type of the input 'tensor<8x10xf32>', got 'tensor<8xf32>'}}
  %0 = cma.layer_norm %x scale(%g) : tensor<8x10xf32> scale(tensor<8xf32>)
  return
}

// -----

func.func @shift_layer_norm_c2(%x: tensor<8x10xf32>, %g: tensor<10xf64>) {
  // expected-error @below {{'cma.layer_norm' op expected 'shift' to have one axis, the last extent and the element type of the input 'tensor<8x10xf32>', got 'tensor<10xf64>'}}
  %0 = cma.layer_norm %x shift(%g) : tensor<8x10xf32> shift(tensor<10xf64>)
  return
}

// -----

func.func @negative_layer_norm_c3(%x: tensor<8x10xf32>) {
  // expected-error @below {{'cma.layer_norm' op expected 'epsilon' to be finite and not negative, got -1.000000e+00}}
  %0 = cma.layer_norm %x {epsilon = -1.0 : f64} : tensor<8x10xf32>
  return
}

// -----

func.func @infinite_layer_norm_c3(%x: tensor<8x10xf32>) {
  // expected-error @below {{'cma.layer_norm' op expected 'epsilon' to be finite and not negative, got INF}}
  %0 = cma.layer_norm %x {epsilon = 0x7FF0000000000000 : f64} : tensor<8x10xf32>
  return
}

// -----

func.func @scalar_layer_norm_grad_c1(%x: tensor<f32>) {
  // expected-error @below {{'cma.layer_norm_grad' op expected 'input' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.layer_norm_grad %x, %x : tensor<f32>
  return
}

// -----

func.func @epsilon_layer_norm_grad_c2(%x: tensor<8x10xf32>) {
  // expected-error @below {{'cma.layer_norm_grad' op expected 'epsilon' to be finite and not negative, got nan}}
  %0 = cma.layer_norm_grad %x, %x {epsilon = 0x7FF8000000000000 : f64} : tensor<8x10xf32>
  return
}

// -----

func.func @type_mse_c1(%x: tensor<8x10xf32>) {
  // expected-error @below {{'cma.mse' op expected 'loss' to have the element type of 'prediction', 'f32', got 'f64'}}
  %0 = cma.mse %x, %x : tensor<8x10xf32> -> tensor<f64>
  return
}

// -----

func.func @scalar_cross_entropy_c1(%x: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.cross_entropy' op expected 'logits' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.cross_entropy %x, %t : tensor<f32>, tensor<i64> -> tensor<f32>
  return
}

// -----

func.func @labels_cross_entropy_c2(%x: tensor<8x10xf32>, %t: tensor<7xi64>) {
  // expected-error @below {{'cma.cross_entropy' op expected 'labels' to have the shape of 'logits' without its last axis, got 'tensor<7xi64>' for 'tensor<8x10xf32>'}}
  %0 = cma.cross_entropy %x, %t : tensor<8x10xf32>, tensor<7xi64> -> tensor<f32>
  return
}

// -----

func.func @type_cross_entropy_c3(%x: tensor<8x10xf32>, %t: tensor<8xi64>) {
  // expected-error @below {{'cma.cross_entropy' op expected 'loss' to have the element type of 'logits', 'f32', got 'f64'}}
  %0 = cma.cross_entropy %x, %t : tensor<8x10xf32>, tensor<8xi64> -> tensor<f64>
  return
}

// -----

func.func @scalar_cross_entropy_grad_c1(%x: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.cross_entropy_grad' op expected 'logits' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.cross_entropy_grad %x, %t, %x : tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

func.func @labels_cross_entropy_grad_c2(%x: tensor<8x10xf32>, %t: tensor<8x10xi32>, %c: tensor<f32>) {
  // expected-error @below {{'cma.cross_entropy_grad' op expected 'labels' to have the shape of 'logits' without its last axis, got 'tensor<8x10xi32>' for 'tensor<8x10xf32>'}}
  %0 = cma.cross_entropy_grad %x, %t, %c : tensor<8x10xf32>, tensor<8x10xi32>, tensor<f32>
  return
}

// -----

func.func @type_cross_entropy_grad_c3(%x: tensor<8x10xf32>, %t: tensor<8xi32>, %c: tensor<f64>) {
  // expected-error @below {{'cma.cross_entropy_grad' op expected 'cotangent' to have the element type of 'logits', 'f32', got 'f64'}}
  %0 = cma.cross_entropy_grad %x, %t, %c : tensor<8x10xf32>, tensor<8xi32>, tensor<f64>
  return
}

// -----

func.func @classes_check_labels_c1(%t: tensor<8xi64>) {
  // expected-error @below {{'cma.check_labels' op expected 'num_classes' to be at least 0, got -1}}
  cma.check_labels %t {num_classes = -1 : i64} : tensor<8xi64>
  return
}

// -----

func.func @large_momentum_sgd_c1(%p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected 'momentum' to be at least 0 and below 1, got 1.000000e+00}}
  %0, %1 = cma.sgd %p, %p, %lr momentum(%m) {momentum = 1.0 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @nan_momentum_sgd_c1(%p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected 'momentum' to be at least 0 and below 1, got nan}}
  %0, %1 = cma.sgd %p, %p, %lr momentum(%m) {momentum = 0x7FF8000000000000 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @no_buffer_sgd_c1(%p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected a momentum buffer for 'momentum' 9.000000e-01}}
  %0 = cma.sgd %p, %p, %lr {momentum = 0.9 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @weight_decay_sgd_c2(%p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected 'weight_decay' to be finite and not negative, got -1.000000e-02}}
  %0 = cma.sgd %p, %p, %lr {weight_decay = -0.01 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @new_buffer_sgd_c3(%p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected a new buffer exactly where there is a buffer}}
  %0 = "cma.sgd"(%p, %p, %lr, %m) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @buffer_type_sgd_c3(%p: tensor<4xf32>, %m: tensor<5xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'cma.sgd' op expected the buffers to have the parameter's type 'tensor<4xf32>', got 'tensor<5xf32>' and 'tensor<5xf32>'}}
  %0, %1 = "cma.sgd"(%p, %p, %lr, %m) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}
