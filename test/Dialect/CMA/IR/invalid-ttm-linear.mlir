// Constraints of ttm_linear.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @no_core_ttm_linear_c1(%x: tensor<8x6xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected at least one core, got 0}}
  %0 = cma.ttm_linear %x, ()
      : tensor<8x6xf32>, () -> tensor<8x4xf32>
  return
}

// -----

func.func @core_rank_ttm_linear_c2(%x: tensor<8x6xf32>, %c0: tensor<1x6x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected core #0 to have 4 axes, got 'tensor<1x6x1xf32>'}}
  %0 = cma.ttm_linear %x, (%c0)
      : tensor<8x6xf32>, (tensor<1x6x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @boundary_ttm_linear_c3(%x: tensor<8x6xf32>, %c0: tensor<2x6x4x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the boundary ranks to be 1, got 2 and 1}}
  %0 = cma.ttm_linear %x, (%c0)
      : tensor<8x6xf32>, (tensor<2x6x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @chain_ttm_linear_c4(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<2x3x2x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the last extent of core #0 to be the first extent of core #1, got 3 and 2}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<2x3x2x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @modes_ttm_linear_c5(%x: tensor<8x5xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the input's last extent to be the product of the input modes, 6, got 5}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<8x5xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @gate_count_ttm_linear_c6(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>, %d0: tensor<3xf32>, %d1: tensor<3xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected no gates, or 1 for 2 cores, got 2}}
  %0 = cma.ttm_linear %x, (%c0, %c1) gates(%d0, %d1)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>), gates(tensor<3xf32>, tensor<3xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @gate_rank_ttm_linear_c7(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>, %d0: tensor<3x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected gate #0 to have one axis of bond 0's extent 3, got 'tensor<3x1xf32>'}}
  %0 = cma.ttm_linear %x, (%c0, %c1) gates(%d0)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>), gates(tensor<3x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @bias_ttm_linear_c8(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>, %b: tensor<6xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected 'bias' to have one axis of extent 4, got 'tensor<6xf32>'}}
  %0 = cma.ttm_linear %x, (%c0, %c1) bias(%b)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>), tensor<6xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @result_ttm_linear_c9(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the result's shape to be the input's leading axes and then 4, got 'tensor<8x1x4xf32>' for input 'tensor<8x6xf32>'}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>) -> tensor<8x1x4xf32>
  return
}

// -----

func.func @types_ttm_linear_c10(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the result to have the input's element type 'f32', got 'f64'}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>) -> tensor<8x4xf64>
  return
}

// -----

func.func @static_ttm_linear_c11(%x: tensor<8x6xf32>, %c0: tensor<1x2x2x3xf32>, %c1: tensor<3x3x2x?xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected core #1 to have a static shape, got 'tensor<3x3x2x?xf32>'}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x?xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @matrix_overflow_ttm_linear_c12(%x: tensor<16777216xf32>, %c0: tensor<1x4096x1048576x1xf32>, %c1: tensor<1x4096x1048576x1xf32>) {
  // expected-error @below {{'cma.ttm_linear' op expected the layer's matrix to have at most 2^63 - 1 elements, got 16777216 x 1099511627776}}
  %0 = cma.ttm_linear %x, (%c0, %c1)
      : tensor<16777216xf32>, (tensor<1x4096x1048576x1xf32>, tensor<1x4096x1048576x1xf32>) -> tensor<1099511627776xf32>
  return
}
