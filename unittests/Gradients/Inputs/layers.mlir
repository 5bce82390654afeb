// Layers: tt_linear with one to four cores a side, rank 1 included.
func.func @f(%x: tensor<3x4xf64>, %g0: tensor<1x4x2xf64>, %g1: tensor<2x3x1xf64>) -> tensor<3x3xf64> {
  %0 = cma.tt_linear %x, (%g0), (%g1) : tensor<3x4xf64>, (tensor<1x4x2xf64>), (tensor<2x3x1xf64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %g0: tensor<1x4x2xf64>, %g1: tensor<2x3x1xf64>, %d0: tensor<2xf64>, %b: tensor<3xf64>) -> tensor<3x3xf64> {
  %0 = cma.tt_linear %x, (%g0), (%g1) gates(%d0) bias(%b) : tensor<3x4xf64>, (tensor<1x4x2xf64>), (tensor<2x3x1xf64>), gates(tensor<2xf64>), tensor<3xf64> -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %g0: tensor<1x4x1xf64>, %g1: tensor<1x3x1xf64>, %d0: tensor<1xf64>, %b: tensor<3xf64>) -> tensor<3x3xf64> {
  %0 = cma.tt_linear %x, (%g0), (%g1) gates(%d0) bias(%b) : tensor<3x4xf64>, (tensor<1x4x1xf64>), (tensor<1x3x1xf64>), gates(tensor<1xf64>), tensor<3xf64> -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
func.func @f(%x: tensor<3x6xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x3x3xf64>, %g2: tensor<3x3x2xf64>, %g3: tensor<2x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>, %d2: tensor<2xf64>, %b: tensor<6xf64>) -> tensor<3x6xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2, %g3) gates(%d0, %d1, %d2) bias(%b) : tensor<3x6xf64>, (tensor<1x2x2xf64>, tensor<2x3x3xf64>), (tensor<3x3x2xf64>, tensor<2x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<2xf64>), tensor<6xf64> -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
// -----
func.func @f(%x: tensor<3x6xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x3x3xf64>, %g2: tensor<3x5x1xf64>, %b: tensor<5xf64>) -> tensor<3x5xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2) bias(%b) : tensor<3x6xf64>, (tensor<1x2x2xf64>, tensor<2x3x3xf64>), (tensor<3x5x1xf64>), tensor<5xf64> -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
// -----
func.func @f(%x: tensor<3x5xf64>, %g0: tensor<1x5x3xf64>, %g1: tensor<3x2x2xf64>, %g2: tensor<2x3x1xf64>, %d0: tensor<3xf64>, %d1: tensor<2xf64>) -> tensor<3x6xf64> {
  %0 = cma.tt_linear %x, (%g0), (%g1, %g2) gates(%d0, %d1) : tensor<3x5xf64>, (tensor<1x5x3xf64>), (tensor<3x2x2xf64>, tensor<2x3x1xf64>), gates(tensor<3xf64>, tensor<2xf64>) -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
// -----
func.func @f(%x: tensor<2x12xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x2x3xf64>, %g2: tensor<3x3x4xf64>, %g3: tensor<4x3x3xf64>, %g4: tensor<3x2x2xf64>, %g5: tensor<2x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>, %d2: tensor<4xf64>, %d3: tensor<3xf64>, %d4: tensor<2xf64>, %b: tensor<12xf64>) -> tensor<2x12xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1, %g2), (%g3, %g4, %g5) gates(%d0, %d1, %d2, %d3, %d4) bias(%b) : tensor<2x12xf64>, (tensor<1x2x2xf64>, tensor<2x2x3xf64>, tensor<3x3x4xf64>), (tensor<4x3x3xf64>, tensor<3x2x2xf64>, tensor<2x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<4xf64>, tensor<3xf64>, tensor<2xf64>), tensor<12xf64> -> tensor<2x12xf64>
  return %0 : tensor<2x12xf64>
}
// -----
func.func @f(%x: tensor<2x12xf64>, %g0: tensor<1x2x1xf64>, %g1: tensor<1x2x1xf64>, %g2: tensor<1x3x1xf64>, %g3: tensor<1x2x1xf64>, %g4: tensor<1x2x1xf64>, %g5: tensor<1x2x1xf64>, %d0: tensor<1xf64>, %d1: tensor<1xf64>, %d2: tensor<1xf64>, %d3: tensor<1xf64>, %d4: tensor<1xf64>, %b: tensor<8xf64>) -> tensor<2x8xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1, %g2), (%g3, %g4, %g5) gates(%d0, %d1, %d2, %d3, %d4) bias(%b) : tensor<2x12xf64>, (tensor<1x2x1xf64>, tensor<1x2x1xf64>, tensor<1x3x1xf64>), (tensor<1x2x1xf64>, tensor<1x2x1xf64>, tensor<1x2x1xf64>), gates(tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>), tensor<8xf64> -> tensor<2x8xf64>
  return %0 : tensor<2x8xf64>
}
// -----
func.func @f(%x: tensor<2x16xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x2x3xf64>, %g2: tensor<3x2x3xf64>, %g3: tensor<3x2x4xf64>, %g4: tensor<4x2x3xf64>, %g5: tensor<3x2x3xf64>, %g6: tensor<3x2x2xf64>, %g7: tensor<2x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>, %d2: tensor<3xf64>, %d3: tensor<4xf64>, %d4: tensor<3xf64>, %d5: tensor<3xf64>, %d6: tensor<2xf64>, %b: tensor<16xf64>) -> tensor<2x16xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1, %g2, %g3), (%g4, %g5, %g6, %g7) gates(%d0, %d1, %d2, %d3, %d4, %d5, %d6) bias(%b) : tensor<2x16xf64>, (tensor<1x2x2xf64>, tensor<2x2x3xf64>, tensor<3x2x3xf64>, tensor<3x2x4xf64>), (tensor<4x2x3xf64>, tensor<3x2x3xf64>, tensor<3x2x2xf64>, tensor<2x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4xf64>, tensor<3xf64>, tensor<3xf64>, tensor<2xf64>), tensor<16xf64> -> tensor<2x16xf64>
  return %0 : tensor<2x16xf64>
}
// -----
func.func @f(%x: tensor<2x16xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x2x2xf64>, %g2: tensor<2x2x2xf64>, %g3: tensor<2x2x2xf64>, %g4: tensor<2x3x1xf64>) -> tensor<2x3xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1, %g2, %g3), (%g4) : tensor<2x16xf64>, (tensor<1x2x2xf64>, tensor<2x2x2xf64>, tensor<2x2x2xf64>, tensor<2x2x2xf64>), (tensor<2x3x1xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
func.func @f(%x: tensor<2x2x6xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x3x3xf64>, %g2: tensor<3x3x2xf64>, %g3: tensor<2x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>, %d2: tensor<2xf64>, %b: tensor<6xf64>) -> tensor<2x2x6xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2, %g3) gates(%d0, %d1, %d2) bias(%b) : tensor<2x2x6xf64>, (tensor<1x2x2xf64>, tensor<2x3x3xf64>), (tensor<3x3x2xf64>, tensor<2x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<2xf64>), tensor<6xf64> -> tensor<2x2x6xf64>
  return %0 : tensor<2x2x6xf64>
}
// -----
func.func @f(%x: tensor<6xf64>, %g0: tensor<1x2x2xf64>, %g1: tensor<2x3x3xf64>, %g2: tensor<3x3x2xf64>, %g3: tensor<2x2x1xf64>, %b: tensor<6xf64>) -> tensor<6xf64> {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2, %g3) bias(%b) : tensor<6xf64>, (tensor<1x2x2xf64>, tensor<2x3x3xf64>), (tensor<3x3x2xf64>, tensor<2x2x1xf64>), tensor<6xf64> -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %g0: tensor<1x4x3x1xf64>, %b: tensor<3xf64>) -> tensor<3x3xf64> {
  %0 = cma.ttm_linear %x, (%g0) bias(%b) : tensor<3x4xf64>, (tensor<1x4x3x1xf64>), tensor<3xf64> -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
func.func @f(%x: tensor<3x6xf64>, %g0: tensor<1x2x3x3xf64>, %g1: tensor<3x3x2x1xf64>, %d0: tensor<3xf64>, %b: tensor<6xf64>) -> tensor<3x6xf64> {
  %0 = cma.ttm_linear %x, (%g0, %g1) gates(%d0) bias(%b) : tensor<3x6xf64>, (tensor<1x2x3x3xf64>, tensor<3x3x2x1xf64>), gates(tensor<3xf64>), tensor<6xf64> -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
// -----
func.func @f(%x: tensor<3x6xf64>, %g0: tensor<1x2x3x1xf64>, %g1: tensor<1x3x2x1xf64>) -> tensor<3x6xf64> {
  %0 = cma.ttm_linear %x, (%g0, %g1) : tensor<3x6xf64>, (tensor<1x2x3x1xf64>, tensor<1x3x2x1xf64>) -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
// -----
func.func @f(%x: tensor<3x12xf64>, %g0: tensor<1x2x3x2xf64>, %g1: tensor<2x2x1x3xf64>, %g2: tensor<3x3x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>) -> tensor<3x6xf64> {
  %0 = cma.ttm_linear %x, (%g0, %g1, %g2) gates(%d0, %d1) : tensor<3x12xf64>, (tensor<1x2x3x2xf64>, tensor<2x2x1x3xf64>, tensor<3x3x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>) -> tensor<3x6xf64>
  return %0 : tensor<3x6xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %w: tensor<4x5xf64>, %b: tensor<5xf64>) -> tensor<3x5xf64> {
  %0 = cma.linear %x, %w bias(%b) : tensor<3x4xf64>, tensor<4x5xf64>, tensor<5xf64> -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
// -----
func.func @f(%x: tensor<2x3x4xf64>, %w: tensor<4x5xf64>) -> tensor<2x3x5xf64> {
  %0 = cma.linear %x, %w : tensor<2x3x4xf64>, tensor<4x5xf64> -> tensor<2x3x5xf64>
  return %0 : tensor<2x3x5xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %u: tensor<4x2xf64>, %v: tensor<2x5xf64>, %b: tensor<5xf64>) -> tensor<3x5xf64> {
  %0 = cma.low_rank_linear %x, %u, %v bias(%b) : tensor<3x4xf64>, tensor<4x2xf64>, tensor<2x5xf64>, tensor<5xf64> -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
