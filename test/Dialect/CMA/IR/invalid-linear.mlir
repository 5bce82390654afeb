// Constraints of linear and low_rank_linear.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @input_rank_linear_c1(%x: tensor<f32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'cma.linear' op expected 'input' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.linear %x, %w : tensor<f32>, tensor<3x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @weight_rank_linear_c1(%x: tensor<8x3xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{'cma.linear' op expected 'weight' to have 2 axes, got 'tensor<3xf32>'}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<3xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @features_linear_c2(%x: tensor<8x3xf32>, %w: tensor<5x4xf32>) {
  // expected-error @below {{'cma.linear' op expected the input's last extent to be the weight's first extent, 5, got 3}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<5x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @bias_linear_c3(%x: tensor<8x3xf32>, %w: tensor<3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'cma.linear' op expected 'bias' to have one axis of extent 4, got 'tensor<3xf32>'}}
  %0 = cma.linear %x, %w bias(%b) : tensor<8x3xf32>, tensor<3x4xf32>, tensor<3xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @result_linear_c4(%x: tensor<8x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'cma.linear' op expected the result's shape to be the input's leading axes and then 4, got 'tensor<7x4xf32>' for input 'tensor<8x3xf32>'}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<3x4xf32> -> tensor<7x4xf32>
  return
}

// -----

func.func @operand_type_linear_c5(%x: tensor<8x3xf32>, %w: tensor<3x4xf64>) {
  // expected-error @below {{'cma.linear' op expected operand #1 to have the input's element type 'f32', got 'f64'}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<3x4xf64> -> tensor<8x4xf32>
  return
}

// -----

func.func @result_type_linear_c5(%x: tensor<8x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'cma.linear' op expected the result to have the input's element type 'f32', got 'f64'}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<3x4xf32> -> tensor<8x4xf64>
  return
}

// -----

func.func @static_linear_c6(%x: tensor<8x3xf32>, %w: tensor<3x?xf32>) {
  // expected-error @below {{'cma.linear' op expected weight #0 to have a static shape, got 'tensor<3x?xf32>'}}
  %0 = cma.linear %x, %w : tensor<8x3xf32>, tensor<3x?xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @factor_rank_low_rank_linear_c1(%x: tensor<8x6xf32>, %u: tensor<6x2xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected 'right' to have 2 axes, got 'tensor<4xf32>'}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf32>, tensor<6x2xf32>, tensor<4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @features_low_rank_linear_c2(%x: tensor<8x6xf32>, %u: tensor<5x2xf32>, %v: tensor<2x4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected the input's last extent to be the left factor's first extent, 5, got 6}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf32>, tensor<5x2xf32>, tensor<2x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @rank_low_rank_linear_c3(%x: tensor<8x6xf32>, %u: tensor<6x2xf32>, %v: tensor<3x4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected the left factor's second extent to be the right factor's first, got 2 and 3}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf32>, tensor<6x2xf32>, tensor<3x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @bias_low_rank_linear_c4(%x: tensor<8x6xf32>, %u: tensor<6x2xf32>, %v: tensor<2x4xf32>, %b: tensor<1x4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected 'bias' to have one axis of extent 4, got 'tensor<1x4xf32>'}}
  %0 = cma.low_rank_linear %x, %u, %v bias(%b)
      : tensor<8x6xf32>, tensor<6x2xf32>, tensor<2x4xf32>, tensor<1x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @result_low_rank_linear_c5(%x: tensor<8x6xf32>, %u: tensor<6x2xf32>, %v: tensor<2x4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected the result's shape to be the input's leading axes and then 4, got 'tensor<4x8xf32>' for input 'tensor<8x6xf32>'}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf32>, tensor<6x2xf32>, tensor<2x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @types_low_rank_linear_c6(%x: tensor<8x6xf64>, %u: tensor<6x2xf32>, %v: tensor<2x4xf64>) {
  // expected-error @below {{'cma.low_rank_linear' op expected operand #1 to have the input's element type 'f64', got 'f32'}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf64>, tensor<6x2xf32>, tensor<2x4xf64> -> tensor<8x4xf64>
  return
}

// -----

func.func @static_low_rank_linear_c7(%x: tensor<8x6xf32>, %u: tensor<6x2xf32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected factor #1 to have a static shape, got 'tensor<?x4xf32>'}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<8x6xf32>, tensor<6x2xf32>, tensor<?x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @matrix_overflow_low_rank_linear_c8(%x: tensor<4294967296xf32>, %u: tensor<4294967296x1xf32>, %v: tensor<1x4294967296xf32>) {
  // expected-error @below {{'cma.low_rank_linear' op expected the layer's matrix to have at most 2^63 - 1 elements, got 4294967296 x 4294967296}}
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<4294967296xf32>, tensor<4294967296x1xf32>, tensor<1x4294967296xf32> -> tensor<4294967296xf32>
  return
}
