// Counts in a state how often each of 24 samples was trained on: "id" is the
// sample's row of the unit matrix.
func.func @model(
    %x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"},
    %id: tensor<?x24xf32> {cma.role = "data", cma.name = "id"},
    %w: tensor<2x2xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<normal, std = 0.5>},
    %seen: tensor<24xf32> {cma.role = "state", cma.name = "seen", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<24xf32> {cma.updates = "seen"}) {
  %0 = cma.linear %x, %w : tensor<?x2xf32>, tensor<2x2xf32> -> tensor<?x2xf32>
  %loss = cma.mse %0, %x : tensor<?x2xf32> -> tensor<f32>
  %now = cma.contract "bi->i" (%id) : (tensor<?x24xf32>) -> tensor<24xf32>
  %more = arith.addf %seen, %now : tensor<24xf32>
  return %loss, %more : tensor<f32>, tensor<24xf32>
}
