// Every layer, activation, norm and loss in one model, batch axis open.
func.func @everything(
    %x: tensor<?x12xf64> {cma.name = "x"}, %label: tensor<?xi64> {cma.name = "label"}, %target: tensor<?x4xf64> {cma.name = "target"},
    %g0: tensor<1x3x2xf64> {cma.name = "g0"}, %g1: tensor<2x4x3xf64> {cma.name = "g1"}, %g2: tensor<3x2x3xf64> {cma.name = "g2"}, %g3: tensor<3x4x1xf64> {cma.name = "g3"},
    %d0: tensor<2xf64> {cma.name = "d0"}, %d1: tensor<3xf64> {cma.name = "d1"}, %d2: tensor<3xf64> {cma.name = "d2"}, %b: tensor<8xf64> {cma.name = "b"},
    %scale: tensor<8xf64> {cma.name = "scale"}, %shift: tensor<8xf64> {cma.name = "shift"},
    %m0: tensor<1x2x3x2xf64> {cma.name = "m0"}, %m1: tensor<2x4x2x1xf64> {cma.name = "m1"}, %e0: tensor<2xf64> {cma.name = "e0"}, %mb: tensor<6xf64> {cma.name = "mb"},
    %u: tensor<6x2xf64> {cma.name = "u"}, %v: tensor<2x5xf64> {cma.name = "v"}, %vb: tensor<5xf64> {cma.name = "vb"},
    %w: tensor<5x4xf64> {cma.name = "w"}, %wb: tensor<4xf64> {cma.name = "wb"})
    -> (tensor<f64> {cma.role = "loss"}, tensor<?x4xf64> {cma.role = "logits"}) {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2, %g3) gates(%d0, %d1, %d2) bias(%b)
      : tensor<?x12xf64>, (tensor<1x3x2xf64>, tensor<2x4x3xf64>), (tensor<3x2x3xf64>, tensor<3x4x1xf64>), gates(tensor<2xf64>, tensor<3xf64>, tensor<3xf64>), tensor<8xf64> -> tensor<?x8xf64>
  %1 = cma.gelu %0 : tensor<?x8xf64>
  %2 = cma.layer_norm %1 scale(%scale) shift(%shift) {epsilon = 1.0e-5 : f64}
      : tensor<?x8xf64> scale(tensor<8xf64>) shift(tensor<8xf64>)
  %3 = cma.ttm_linear %2, (%m0, %m1) gates(%e0) bias(%mb)
      : tensor<?x8xf64>, (tensor<1x2x3x2xf64>, tensor<2x4x2x1xf64>), gates(tensor<2xf64>), tensor<6xf64> -> tensor<?x6xf64>
  %4 = cma.gelu %3 approximate(tanh) : tensor<?x6xf64>
  %5 = cma.low_rank_linear %4, %u, %v bias(%vb)
      : tensor<?x6xf64>, tensor<6x2xf64>, tensor<2x5xf64>, tensor<5xf64> -> tensor<?x5xf64>
  %6 = cma.relu %5 : tensor<?x5xf64>
  %7 = cma.linear %6, %w bias(%wb)
      : tensor<?x5xf64>, tensor<5x4xf64>, tensor<4xf64> -> tensor<?x4xf64>
  %8 = cma.cross_entropy %7, %label {ignore_index = -1 : i64}
      : tensor<?x4xf64>, tensor<?xi64> -> tensor<f64>
  %9 = cma.softmax %7 : tensor<?x4xf64>
  %10 = cma.mse %9, %target : tensor<?x4xf64> -> tensor<f64>
  %loss = arith.addf %8, %10 : tensor<f64>
  return %loss, %7 : tensor<f64>, tensor<?x4xf64>
}
