// Errors of the pipeline stand at the op they are about.
// RUN: cma-opt %s --cma-to-cpu --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op expected argument #0 to be a tensor of static shape with elements of type f32, f64, i1, i8, i16, i32 or i64, got 'tensor<?x4xf32>'}}
func.func @batch(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = arith.addf %x, %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op expected calls to be inlined}}
  %y = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @low_precision(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.truncf' op expected elements of type f32, f64, i1, i8, i16, i32, i64 or index, got 'tensor<4xbf16>'}}
  %b = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
  %y = arith.extf %b : tensor<4xbf16> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  // expected-error @below {{op was not bufferized}}
  %y = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4xf32> -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
