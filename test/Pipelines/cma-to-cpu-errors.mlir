// Errors of the pipeline stand at the op they are about.
// RUN: cma-opt %s --cma-to-cpu --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op expected argument #0 to be a tensor of static shape with elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got 'tensor<?x4xf32>'}}
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

func.func @high_precision(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.extf' op expected elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 or index, got 'tensor<4xf128>'}}
  %b = arith.extf %x : tensor<4xf32> to tensor<4xf128>
  %e = math.exp %b : tensor<4xf128>
  %y = arith.truncf %e : tensor<4xf128> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  // expected-error @below {{op was not bufferized}}
  %y = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4xf32> -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
