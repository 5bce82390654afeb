// Handwritten digits: 64 -> 512 -> 512 -> 10, the dense twin of tt.mlir.
func.func @model(
    %image: tensor<?x64xf32> {cma.role = "data", cma.name = "image"},
    %label: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    %u: tensor<64x512xf32> {cma.role = "parameter", cma.name = "layer1.weight", cma.init = #cma.init<normal, std = 0.17678>},
    %a: tensor<512xf32> {cma.role = "parameter", cma.name = "layer1.bias", cma.init = #cma.init<zeros>},
    %v: tensor<512x512xf32> {cma.role = "parameter", cma.name = "layer2.weight", cma.init = #cma.init<normal, std = 0.0625>},
    %b: tensor<512xf32> {cma.role = "parameter", cma.name = "layer2.bias", cma.init = #cma.init<zeros>},
    %w: tensor<512x10xf32> {cma.role = "parameter", cma.name = "layer3.weight", cma.init = #cma.init<normal, std = 0.04419>},
    %c: tensor<10xf32> {cma.role = "parameter", cma.name = "layer3.bias", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x10xf32> {cma.role = "logits"}) {
  %0 = cma.linear %image, %u bias(%a)
      : tensor<?x64xf32>, tensor<64x512xf32>, tensor<512xf32> -> tensor<?x512xf32>
  %1 = cma.relu %0 : tensor<?x512xf32>
  %2 = cma.linear %1, %v bias(%b)
      : tensor<?x512xf32>, tensor<512x512xf32>, tensor<512xf32> -> tensor<?x512xf32>
  %3 = cma.relu %2 : tensor<?x512xf32>
  %logits = cma.linear %3, %w bias(%c)
      : tensor<?x512xf32>, tensor<512x10xf32>, tensor<10xf32> -> tensor<?x10xf32>
  %loss = cma.cross_entropy %logits, %label
      : tensor<?x10xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %logits : tensor<f32>, tensor<?x10xf32>
}
