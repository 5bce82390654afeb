// Handwritten digits: 64 -> 512 -> 512 -> 10. The two big layers are tensor
// trains: 11,712 weights stand for 294,912, 25 times fewer. The last layer is
// dense.
func.func @model(
    %image: tensor<?x64xf32> {cma.role = "data", cma.name = "image"},
    %label: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    // 64 = 8 x 8 -> 512 = 32 x 16, ranks 8, 16, 8; each element of the matrix has
    // deviation sqrt(2 / 64).
    %a0: tensor<1x8x8xf32> {cma.role = "parameter", cma.name = "layer1.core0", cma.init = #cma.init<tt_core, std = 0.17678, cores = 4>},
    %a1: tensor<8x8x16xf32> {cma.role = "parameter", cma.name = "layer1.core1", cma.init = #cma.init<tt_core, std = 0.17678, cores = 4>},
    %a2: tensor<16x32x8xf32> {cma.role = "parameter", cma.name = "layer1.core2", cma.init = #cma.init<tt_core, std = 0.17678, cores = 4>},
    %a3: tensor<8x16x1xf32> {cma.role = "parameter", cma.name = "layer1.core3", cma.init = #cma.init<tt_core, std = 0.17678, cores = 4>},
    %a: tensor<512xf32> {cma.role = "parameter", cma.name = "layer1.bias", cma.init = #cma.init<zeros>},
    // 512 = 16 x 32 -> 512 = 32 x 16, ranks 8, 12, 8; deviation sqrt(2 / 512).
    %b0: tensor<1x16x8xf32> {cma.role = "parameter", cma.name = "layer2.core0", cma.init = #cma.init<tt_core, std = 0.0625, cores = 4>},
    %b1: tensor<8x32x12xf32> {cma.role = "parameter", cma.name = "layer2.core1", cma.init = #cma.init<tt_core, std = 0.0625, cores = 4>},
    %b2: tensor<12x32x8xf32> {cma.role = "parameter", cma.name = "layer2.core2", cma.init = #cma.init<tt_core, std = 0.0625, cores = 4>},
    %b3: tensor<8x16x1xf32> {cma.role = "parameter", cma.name = "layer2.core3", cma.init = #cma.init<tt_core, std = 0.0625, cores = 4>},
    %b: tensor<512xf32> {cma.role = "parameter", cma.name = "layer2.bias", cma.init = #cma.init<zeros>},
    %w: tensor<512x10xf32> {cma.role = "parameter", cma.name = "layer3.weight", cma.init = #cma.init<normal, std = 0.04419>},
    %c: tensor<10xf32> {cma.role = "parameter", cma.name = "layer3.bias", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x10xf32> {cma.role = "logits"}) {
  %0 = cma.tt_linear %image, (%a0, %a1), (%a2, %a3) bias(%a)
      : tensor<?x64xf32>, (tensor<1x8x8xf32>, tensor<8x8x16xf32>), (tensor<16x32x8xf32>, tensor<8x16x1xf32>), tensor<512xf32> -> tensor<?x512xf32>
  %1 = cma.relu %0 : tensor<?x512xf32>
  %2 = cma.tt_linear %1, (%b0, %b1), (%b2, %b3) bias(%b)
      : tensor<?x512xf32>, (tensor<1x16x8xf32>, tensor<8x32x12xf32>), (tensor<12x32x8xf32>, tensor<8x16x1xf32>), tensor<512xf32> -> tensor<?x512xf32>
  %3 = cma.relu %2 : tensor<?x512xf32>
  %logits = cma.linear %3, %w bias(%c)
      : tensor<?x512xf32>, tensor<512x10xf32>, tensor<10xf32> -> tensor<?x10xf32>
  %loss = cma.cross_entropy %logits, %label
      : tensor<?x10xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %logits : tensor<f32>, tensor<?x10xf32>
}
