// Whole models.
// CLASSES: 3
func.func @f(%x: tensor<5x12xf64>, %l: tensor<5xi64>,
    %a0: tensor<1x3x2xf64>, %a1: tensor<2x4x3xf64>, %a2: tensor<3x4x2xf64>, %a3: tensor<2x2x1xf64>, %d0: tensor<2xf64>, %d1: tensor<3xf64>, %d2: tensor<2xf64>, %a: tensor<8xf64>,
    %g: tensor<8xf64>, %s: tensor<8xf64>,
    %b0: tensor<1x4x2xf64>, %b1: tensor<2x2x3xf64>, %b2: tensor<3x3x1xf64>, %b: tensor<3xf64>) -> tensor<f64> {
  %0 = cma.tt_linear %x, (%a0, %a1), (%a2, %a3) gates(%d0, %d1, %d2) bias(%a)
      : tensor<5x12xf64>, (tensor<1x3x2xf64>, tensor<2x4x3xf64>), (tensor<3x4x2xf64>, tensor<2x2x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<2xf64>), tensor<8xf64> -> tensor<5x8xf64>
  %1 = cma.gelu %0 : tensor<5x8xf64>
  %2 = cma.layer_norm %1 scale(%g) shift(%s) : tensor<5x8xf64> scale(tensor<8xf64>) shift(tensor<8xf64>)
  %3 = cma.tt_linear %2, (%b0, %b1), (%b2) bias(%b)
      : tensor<5x8xf64>, (tensor<1x4x2xf64>, tensor<2x2x3xf64>), (tensor<3x3x1xf64>), tensor<3xf64> -> tensor<5x3xf64>
  %4 = cma.cross_entropy %3, %l : tensor<5x3xf64>, tensor<5xi64> -> tensor<f64>
  return %4 : tensor<f64>
}
// -----
// A residual block and a regression head.
func.func @f(%x: tensor<4x6xf64>, %y: tensor<4x2xf64>, %g0: tensor<1x2x3x3xf64>, %g1: tensor<3x3x2x1xf64>, %d: tensor<3xf64>,
    %u: tensor<6x2xf64>, %v: tensor<2x6xf64>, %w: tensor<6x2xf64>, %b: tensor<2xf64>) -> tensor<f64> {
  %0 = cma.ttm_linear %x, (%g0, %g1) gates(%d)
      : tensor<4x6xf64>, (tensor<1x2x3x3xf64>, tensor<3x3x2x1xf64>), gates(tensor<3xf64>) -> tensor<4x6xf64>
  %1 = math.tanh %0 : tensor<4x6xf64>
  %2 = arith.addf %x, %1 : tensor<4x6xf64>
  %3 = cma.low_rank_linear %2, %u, %v : tensor<4x6xf64>, tensor<6x2xf64>, tensor<2x6xf64> -> tensor<4x6xf64>
  %4 = cma.softmax %3 : tensor<4x6xf64>
  %5 = arith.mulf %4, %2 : tensor<4x6xf64>
  %6 = cma.linear %5, %w bias(%b) : tensor<4x6xf64>, tensor<6x2xf64>, tensor<2xf64> -> tensor<4x2xf64>
  %7 = cma.mse %6, %y : tensor<4x2xf64> -> tensor<f64>
  return %7 : tensor<f64>
}
// -----
// Attention written with contractions.
func.func @f(%x: tensor<2x3x4xf64>, %q: tensor<4x2x2xf64>, %k: tensor<4x2x2xf64>, %v: tensor<4x2x2xf64>, %o: tensor<2x2x4xf64>) -> tensor<2x3x4xf64> {
  %0 = cma.contract "bse,ehd->bhsd" (%x, %q) : (tensor<2x3x4xf64>, tensor<4x2x2xf64>) -> tensor<2x2x3x2xf64>
  %1 = cma.contract "bse,ehd->bhsd" (%x, %k) : (tensor<2x3x4xf64>, tensor<4x2x2xf64>) -> tensor<2x2x3x2xf64>
  %2 = cma.contract "bse,ehd->bhsd" (%x, %v) : (tensor<2x3x4xf64>, tensor<4x2x2xf64>) -> tensor<2x2x3x2xf64>
  %3 = cma.contract "bhsd,bhtd->bhst" (%0, %1) : (tensor<2x2x3x2xf64>, tensor<2x2x3x2xf64>) -> tensor<2x2x3x3xf64>
  %4 = cma.softmax %3 : tensor<2x2x3x3xf64>
  %5 = cma.contract "bhst,bhtd,hde->bse" (%4, %2, %o) : (tensor<2x2x3x3xf64>, tensor<2x2x3x2xf64>, tensor<2x2x4xf64>) -> tensor<2x3x4xf64>
  return %5 : tensor<2x3x4xf64>
}
