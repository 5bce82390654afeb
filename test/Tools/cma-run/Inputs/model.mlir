// A linear classifier of 2 features into 3 classes.
func.func @model(
    %x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"},
    %label: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    %w: tensor<2x3xf32> {cma.role = "parameter", cma.name = "fc.w", cma.init = #cma.init<normal, std = 0.1>},
    %b: tensor<3xf32> {cma.role = "parameter", cma.name = "fc.b", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x3xf32> {cma.role = "logits"}) {
  %logits = cma.linear %x, %w bias(%b)
      : tensor<?x2xf32>, tensor<2x3xf32>, tensor<3xf32> -> tensor<?x3xf32>
  %loss = cma.cross_entropy %logits, %label {ignore_index = -1 : i64}
      : tensor<?x3xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %logits : tensor<f32>, tensor<?x3xf32>
}
