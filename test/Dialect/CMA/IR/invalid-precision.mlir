// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @operand_precision_c1(%x: tensor<4xf32>) {
  // expected-error @below {{expected the operand type to be f64, f32, tf32, f16, bf16, f8E4M3FN or f8E5M2, got 'i32'}}
  %0 = math.exp %x {cma.precision = #cma.precision<i32>} : tensor<4xf32>
  return
}

// -----

func.func @accumulate_precision_c2(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'accumulate' to be f32 or f64 for operands of 'bf16', got 'bf16'}}
  %0 = math.exp %x {cma.precision = #cma.precision<bf16, accumulate = bf16>} : tensor<4xf32>
  return
}

// -----

func.func @accumulate_f64_precision_c2(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'accumulate' to be f64 for operands of 'f64', got 'f32'}}
  %0 = math.exp %x {cma.precision = #cma.precision<f64, accumulate = f32>} : tensor<4xf32>
  return
}

// -----

func.func @result_precision_c3(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'result' to be f64, f32, f16, bf16, f8E4M3FN or f8E5M2, got 'tf32'}}
  %0 = math.exp %x {cma.precision = #cma.precision<tf32, result = tf32>} : tensor<4xf32>
  return
}

// -----

func.func @field(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'accumulate' or 'result', each at most once, got 'output'}}
  %0 = math.exp %x {cma.precision = #cma.precision<f16, output = f32>} : tensor<4xf32>
  return
}

// -----

func.func @twice(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'accumulate' or 'result', each at most once, got 'result'}}
  %0 = math.exp %x {cma.precision = #cma.precision<f16, result = f32, result = f16>} : tensor<4xf32>
  return
}

// -----

func.func @kind_cma_c8(%x: tensor<4xf32>) {
  // expected-error @below {{'math.exp' op expected 'cma.precision' to be a #cma.precision, got "f16"}}
  %0 = math.exp %x {cma.precision = "f16"} : tensor<4xf32>
  return
}

// -----

func.func @integers_cma_c8(%x: tensor<4xi32>) {
  // expected-error @below {{'arith.addi' op expected an operand or a result of floats beside 'cma.precision'}}
  %0 = arith.addi %x, %x {cma.precision = #cma.precision<f16>} : tensor<4xi32>
  return
}
