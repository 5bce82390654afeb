// A residual block of a TT-matrix and tanh, two low-rank factors, softmax as a
// gate, a dense head, mean squared error. The block is a function of its own.
func.func private @block(%x: tensor<?x6xf32>, %m0: tensor<1x2x3x3xf32>,
                         %m1: tensor<3x3x2x1xf32>, %d: tensor<3xf32>)
    -> tensor<?x6xf32> {
  %0 = cma.ttm_linear %x, (%m0, %m1) gates(%d)
      : tensor<?x6xf32>, (tensor<1x2x3x3xf32>, tensor<3x3x2x1xf32>),
        gates(tensor<3xf32>) -> tensor<?x6xf32>
  %1 = math.tanh %0 : tensor<?x6xf32>
  %2 = arith.addf %x, %1 : tensor<?x6xf32>
  return %2 : tensor<?x6xf32>
}
func.func @regression(
    %x: tensor<?x6xf32> {cma.role = "data", cma.name = "x"},
    %y: tensor<?x2xf32> {cma.role = "data", cma.name = "y"},
    %m0: tensor<1x2x3x3xf32> {cma.role = "parameter", cma.name = "m0"},
    %m1: tensor<3x3x2x1xf32> {cma.role = "parameter", cma.name = "m1"},
    %d: tensor<3xf32> {cma.role = "parameter", cma.name = "d"},
    %u: tensor<6x2xf32> {cma.role = "parameter", cma.name = "u"},
    %v: tensor<2x6xf32> {cma.role = "parameter", cma.name = "v"},
    %w: tensor<6x2xf32> {cma.role = "parameter", cma.name = "w"},
    %b: tensor<2xf32> {cma.role = "parameter", cma.name = "b"})
    -> (tensor<f32> {cma.role = "loss"}) {
  %0 = call @block(%x, %m0, %m1, %d)
      : (tensor<?x6xf32>, tensor<1x2x3x3xf32>, tensor<3x3x2x1xf32>,
         tensor<3xf32>) -> tensor<?x6xf32>
  %1 = call @block(%0, %m0, %m1, %d)
      : (tensor<?x6xf32>, tensor<1x2x3x3xf32>, tensor<3x3x2x1xf32>,
         tensor<3xf32>) -> tensor<?x6xf32>
  %2 = cma.low_rank_linear %1, %u, %v
      : tensor<?x6xf32>, tensor<6x2xf32>, tensor<2x6xf32> -> tensor<?x6xf32>
  %3 = cma.softmax %2 : tensor<?x6xf32>
  %4 = arith.mulf %3, %1 : tensor<?x6xf32>
  %5 = cma.relu %4 : tensor<?x6xf32>
  %6 = cma.linear %5, %w bias(%b)
      : tensor<?x6xf32>, tensor<6x2xf32>, tensor<2xf32> -> tensor<?x2xf32>
  %7 = cma.mse %6, %y : tensor<?x2xf32> -> tensor<f32>
  return %7 : tensor<f32>
}
