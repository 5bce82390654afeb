// Constraints of tt_linear.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @no_input_core_tt_linear_c1(%x: tensor<8x3xf32>, %o0: tensor<1x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected at least one input core and one output core, got 0 and 1}}
  %0 = cma.tt_linear %x, (), (%o0)
      : tensor<8x3xf32>, (), (tensor<1x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @no_output_core_tt_linear_c1(%x: tensor<8x3xf32>, %i0: tensor<1x3x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected at least one input core and one output core, got 1 and 0}}
  %0 = cma.tt_linear %x, (%i0), ()
      : tensor<8x3xf32>, (tensor<1x3x1xf32>), () -> tensor<8x4xf32>
  return
}

// -----

func.func @core_rank_tt_linear_c2(%x: tensor<8x3xf32>, %i0: tensor<1x3x4xf32>, %o0: tensor<4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected core #1 to have 3 axes, got 'tensor<4x1xf32>'}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x3x4xf32>), (tensor<4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @boundary_tt_linear_c3(%x: tensor<8x3xf32>, %i0: tensor<1x3x4xf32>, %o0: tensor<4x4x2xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the boundary ranks to be 1, got 1 and 2}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x3x4xf32>), (tensor<4x4x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @chain_tt_linear_c4(%x: tensor<8x3xf32>, %i0: tensor<1x3x4xf32>, %o0: tensor<5x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the last extent of core #0 to be the first extent of core #1, got 4 and 5}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x3x4xf32>), (tensor<5x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @modes_tt_linear_c5(%x: tensor<8x5xf32>, %i0: tensor<1x2x4xf32>, %i1: tensor<4x3x2xf32>, %o0: tensor<2x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the input's last extent to be the product of the input modes, 6, got 5}}
  %0 = cma.tt_linear %x, (%i0, %i1), (%o0)
      : tensor<8x5xf32>, (tensor<1x2x4xf32>, tensor<4x3x2xf32>), (tensor<2x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @input_rank_tt_linear_c5(%x: tensor<f32>, %i0: tensor<1x3x2xf32>, %o0: tensor<2x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected 'input' to have at least one axis, got 'tensor<f32>'}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<f32>, (tensor<1x3x2xf32>), (tensor<2x4x1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gate_count_tt_linear_c6(%x: tensor<8x6xf32>, %i0: tensor<1x2x4xf32>, %i1: tensor<4x3x2xf32>, %o0: tensor<2x4x1xf32>, %d0: tensor<4xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected no gates, or 2 for 3 cores, got 1}}
  %0 = cma.tt_linear %x, (%i0, %i1), (%o0) gates(%d0)
      : tensor<8x6xf32>, (tensor<1x2x4xf32>, tensor<4x3x2xf32>), (tensor<2x4x1xf32>), gates(tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @gate_extent_tt_linear_c7(%x: tensor<8x6xf32>, %i0: tensor<1x2x4xf32>, %i1: tensor<4x3x2xf32>, %o0: tensor<2x4x1xf32>, %d0: tensor<4xf32>, %d1: tensor<4xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected gate #1 to have one axis of bond 1's extent 2, got 'tensor<4xf32>'}}
  %0 = cma.tt_linear %x, (%i0, %i1), (%o0) gates(%d0, %d1)
      : tensor<8x6xf32>, (tensor<1x2x4xf32>, tensor<4x3x2xf32>), (tensor<2x4x1xf32>), gates(tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @bias_tt_linear_c8(%x: tensor<8x3xf32>, %i0: tensor<1x3x2xf32>, %o0: tensor<2x4x2xf32>, %o1: tensor<2x2x1xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected 'bias' to have one axis of extent 8, got 'tensor<4xf32>'}}
  %0 = cma.tt_linear %x, (%i0), (%o0, %o1) bias(%b)
      : tensor<8x3xf32>, (tensor<1x3x2xf32>), (tensor<2x4x2xf32>, tensor<2x2x1xf32>), tensor<4xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @result_tt_linear_c9(%x: tensor<8x3xf32>, %i0: tensor<1x3x2xf32>, %o0: tensor<2x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the result's shape to be the input's leading axes and then 4, got 'tensor<8x5xf32>' for input 'tensor<8x3xf32>'}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x3x2xf32>), (tensor<2x4x1xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @types_tt_linear_c10(%x: tensor<8x3xf32>, %i0: tensor<1x3x2xf32>, %o0: tensor<2x4x1xf64>) {
  // expected-error @below {{'cma.tt_linear' op expected operand #2 to have the input's element type 'f32', got 'f64'}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x3x2xf32>), (tensor<2x4x1xf64>) -> tensor<8x4xf32>
  return
}

// -----

func.func @static_tt_linear_c11(%x: tensor<8x3xf32>, %i0: tensor<1x?x2xf32>, %o0: tensor<2x4x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected core #0 to have a static shape, got 'tensor<1x?x2xf32>'}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<8x3xf32>, (tensor<1x?x2xf32>), (tensor<2x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @modes_overflow_tt_linear_c12(%x: tensor<8x3xf32>, %i0: tensor<1x3x1xf32>, %o0: tensor<1x4294967296x1xf32>, %o1: tensor<1x4294967296x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the product of the output modes to be at most 2^63 - 1}}
  %0 = cma.tt_linear %x, (%i0), (%o0, %o1)
      : tensor<8x3xf32>, (tensor<1x3x1xf32>), (tensor<1x4294967296x1xf32>, tensor<1x4294967296x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @matrix_overflow_tt_linear_c12(%x: tensor<4294967296xf32>, %i0: tensor<1x4294967296x1xf32>, %o0: tensor<1x2147483648x1xf32>) {
  // expected-error @below {{'cma.tt_linear' op expected the layer's matrix to have at most 2^63 - 1 elements, got 4294967296 x 2147483648}}
  %0 = cma.tt_linear %x, (%i0), (%o0)
      : tensor<4294967296xf32>, (tensor<1x4294967296x1xf32>), (tensor<1x2147483648x1xf32>) -> tensor<2147483648xf32>
  return
}
