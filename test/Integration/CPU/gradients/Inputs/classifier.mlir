// Two gated tensor-train layers, gelu and layer_norm between them, cross_entropy.
func.func @classifier(
    %x: tensor<?x12xf32> {cma.role = "data", cma.name = "x"},
    %t: tensor<?xi64> {cma.role = "data", cma.name = "t"},
    %a0: tensor<1x3x2xf32> {cma.role = "parameter", cma.name = "a0"},
    %a1: tensor<2x4x3xf32> {cma.role = "parameter", cma.name = "a1"},
    %a2: tensor<3x2x2xf32> {cma.role = "parameter", cma.name = "a2"},
    %a3: tensor<2x4x1xf32> {cma.role = "parameter", cma.name = "a3"},
    %d0: tensor<2xf32> {cma.role = "parameter", cma.name = "d0"},
    %d1: tensor<3xf32> {cma.role = "parameter", cma.name = "d1"},
    %d2: tensor<2xf32> {cma.role = "parameter", cma.name = "d2"},
    %a: tensor<8xf32> {cma.role = "parameter", cma.name = "a"},
    %g: tensor<8xf32> {cma.role = "parameter", cma.name = "g"},
    %s: tensor<8xf32> {cma.role = "parameter", cma.name = "s"},
    %b0: tensor<1x4x2xf32> {cma.role = "parameter", cma.name = "b0"},
    %b1: tensor<2x2x3xf32> {cma.role = "parameter", cma.name = "b1"},
    %b2: tensor<3x5x1xf32> {cma.role = "parameter", cma.name = "b2"},
    %b: tensor<5xf32> {cma.role = "parameter", cma.name = "b"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x5xf32> {cma.role = "logits"}) {
  %0 = cma.tt_linear %x, (%a0, %a1), (%a2, %a3) gates(%d0, %d1, %d2) bias(%a)
      : tensor<?x12xf32>, (tensor<1x3x2xf32>, tensor<2x4x3xf32>),
        (tensor<3x2x2xf32>, tensor<2x4x1xf32>),
        gates(tensor<2xf32>, tensor<3xf32>, tensor<2xf32>), tensor<8xf32>
      -> tensor<?x8xf32>
  %1 = cma.gelu %0 : tensor<?x8xf32>
  %2 = cma.layer_norm %1 scale(%g) shift(%s)
      : tensor<?x8xf32> scale(tensor<8xf32>) shift(tensor<8xf32>)
  %3 = cma.tt_linear %2, (%b0, %b1), (%b2) bias(%b)
      : tensor<?x8xf32>, (tensor<1x4x2xf32>, tensor<2x2x3xf32>),
        (tensor<3x5x1xf32>), tensor<5xf32> -> tensor<?x5xf32>
  %4 = cma.cross_entropy %3, %t {ignore_index = -1 : i64}
      : tensor<?x5xf32>, tensor<?xi64> -> tensor<f32>
  return %4, %3 : tensor<f32>, tensor<?x5xf32>
}
