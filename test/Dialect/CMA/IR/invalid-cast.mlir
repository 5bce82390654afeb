// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @shape_cast_c1(%x: tensor<4xf32>) {
  // expected-error @below {{'cma.cast' op expected the result to have the operand's shape, got 'tensor<5xf16>' for 'tensor<4xf32>'}}
  %0 = cma.cast %x : tensor<4xf32> to tensor<5xf16>
  return
}

// -----

func.func @dynamic_shape_cast_c1(%x: tensor<?xf32>) {
  // expected-error @below {{expected the result to have the operand's shape, got 'tensor<5xf16>' for 'tensor<?xf32>'}}
  %0 = cma.cast %x : tensor<?xf32> to tensor<5xf16>
  return
}

// -----

func.func @low_result_cast_c2(%x: tensor<4xf32>) {
  // expected-error @below {{'cma.cast' op expected f32 tensors for tf32, got 'tensor<4xf32>' and 'tensor<4xf16>'}}
  %0 = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf16>
  return
}

// -----

func.func @no_step_cast_c3(%x: tensor<4xf32>) {
  // expected-error @below {{'cma.cast' op expected a step for the rounding 'stochastic'}}
  %0 = "cma.cast"(%x) <{overflow = #cma.overflow<ieee>, round = #cma.rounding<stochastic>}>
      : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @seed_cast_c3(%x: tensor<4xf32>) {
  // expected-error @below {{'cma.cast' op expected no seed for the rounding 'nearest_even'}}
  %0 = "cma.cast"(%x) <{overflow = #cma.overflow<ieee>, seed = 1 : i64}>
      : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @no_stream_cast_c3(%x: tensor<4xf32>, %s: tensor<i64>) {
  // expected-error @below {{'cma.cast' op expected a stream for the rounding 'stochastic'}}
  %0 = "cma.cast"(%x, %s) <{overflow = #cma.overflow<ieee>, round = #cma.rounding<stochastic>, seed = 1 : i64}>
      : (tensor<4xf32>, tensor<i64>) -> tensor<4xf16>
  return
}

// -----

func.func @stream_cast_c4(%x: tensor<4xf32>, %s: tensor<i64>) {
  // expected-error @below {{'cma.cast' op expected the stream to be a non-empty string without NUL, got ""}}
  %0 = cma.cast %x round(stochastic, %s, seed = 1, stream = "") : tensor<4xf32> to tensor<4xf16>
  return
}

// -----

func.func @integer(%x: tensor<4xi32>) {
  // expected-error @below {{'cma.cast' op operand #0 must be ranked tensor of f64, f32, f16, bf16, f8E4M3FN or f8E5M2 values, but got 'tensor<4xi32>'}}
  %0 = cma.cast %x : tensor<4xi32> to tensor<4xf32>
  return
}

// -----

func.func @other_float(%x: tensor<4xf32>) {
  // expected-error @below {{'cma.cast' op result #0 must be ranked tensor of f64, f32, f16, bf16, f8E4M3FN or f8E5M2 values, but got 'tensor<4xf8E4M3>'}}
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf8E4M3>
  return
}

// -----

func.func @rounding(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'nearest_even', 'toward_zero' or 'stochastic', got 'up'}}
  %0 = cma.cast %x round(up) : tensor<4xf32> to tensor<4xf16>
  return
}

// -----

func.func @overflow(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'ieee' or 'saturate', got 'clip'}}
  %0 = cma.cast %x overflow(clip) : tensor<4xf32> to tensor<4xf16>
  return
}

// -----

func.func @mixed_f64_contract_c6(%x: tensor<2xf16>, %y: tensor<2xf64>) {
  // expected-error @below {{'cma.contract' op expected operand #1 to have the result's element type 'f16', got 'f64'}}
  %0 = cma.contract "i,i->i" (%x, %y) : (tensor<2xf16>, tensor<2xf64>) -> tensor<2xf16>
  return
}

// -----

func.func @narrow_contract_c9(%x: tensor<2xf16>) {
  // expected-error @below {{'cma.contract' op expected 'accumulate' to be f32 or f64 for elements of 'f16', got 'f16'}}
  %0 = cma.contract "i,i->" (%x, %x) {accumulate = f16} : (tensor<2xf16>, tensor<2xf16>) -> tensor<f16>
  return
}

// -----

func.func @f64_contract_c9(%x: tensor<2xf64>) {
  // expected-error @below {{expected 'accumulate' to be f64 for elements of 'f64', got 'f32'}}
  %0 = cma.contract "i,i->" (%x, %x) {accumulate = f32} : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
  return
}

// -----

func.func @integer_contract_c9(%x: tensor<2x2xi32>) {
  // expected-error @below {{expected no 'accumulate' for elements of 'i32'}}
  %0 = cma.contract "ij->ji" (%x) {accumulate = f32} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @loss(%x: tensor<2xf16>) {
  // expected-error @below {{'cma.mse' op operand #0 must be ranked tensor of 32-bit or 64-bit float values, but got 'tensor<2xf16>'}}
  %0 = cma.mse %x, %x : tensor<2xf16> -> tensor<f32>
  return
}
