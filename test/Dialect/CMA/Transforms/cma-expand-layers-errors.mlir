// RUN: cma-opt %s --cma-expand-layers --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'cma.linear' op expected static shapes, got 'tensor<?x6xf32>'; run cma-specialize first}}
  %0 = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @wide_bond(%x: tensor<8x6xf32>, %g0: tensor<1x2x3xf32>, %g1: tensor<3x3x4xf32>, %g2: tensor<4x4x1xf32>) -> tensor<8x4xf32> {
  // expected-warning @below {{rank 3 of bond 0 is above its useful cap 2}}
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2)
      : tensor<8x6xf32>, (tensor<1x2x3xf32>, tensor<3x3x4xf32>), (tensor<4x4x1xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @wide_ttm_bond(%x: tensor<8x4xf32>, %g0: tensor<1x2x2x5xf32>, %g1: tensor<5x2x2x1xf32>) -> tensor<8x4xf32> {
  // expected-warning @below {{rank 5 of bond 0 is above its useful cap 4}}
  %0 = cma.ttm_linear %x, (%g0, %g1) : tensor<8x4xf32>, (tensor<1x2x2x5xf32>, tensor<5x2x2x1xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @wide_pair(%x: tensor<8x6xf32>, %u: tensor<6x5xf32>, %v: tensor<5x4xf32>) -> tensor<8x4xf32> {
  // expected-warning @below {{rank 5 is above its useful cap 4}}
  %0 = cma.low_rank_linear %x, %u, %v : tensor<8x6xf32>, tensor<6x5xf32>, tensor<5x4xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Rank 1 is never too wide, not even between empty modes.
func.func @empty(%x: tensor<8x0xf32>, %g0: tensor<1x0x1xf32>, %g1: tensor<1x4x1xf32>) -> tensor<8x4xf32> {
  %0 = cma.tt_linear %x, (%g0), (%g1) : tensor<8x0xf32>, (tensor<1x0x1xf32>), (tensor<1x4x1xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
