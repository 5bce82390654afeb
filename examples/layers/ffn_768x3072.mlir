// The first layer of a CoMERA feed-forward block: 768 = 12 x 8 x 8 ->
// 3072 = 12 x 16 x 16, ranks 12, 30, 30, 30, 16. 28,960 weights in the cores
// stand for 2,359,296. A diagonal gate stands between every two cores; its
// entries shrink where the rank can be lowered.
func.func @ffn(
    %x: tensor<?x768xf32> {cma.role = "data", cma.name = "x"},
    %g1: tensor<1x12x12xf32> {cma.role = "parameter", cma.name = "core1", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %g2: tensor<12x8x30xf32> {cma.role = "parameter", cma.name = "core2", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %g3: tensor<30x8x30xf32> {cma.role = "parameter", cma.name = "core3", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %g4: tensor<30x12x30xf32> {cma.role = "parameter", cma.name = "core4", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %g5: tensor<30x16x16xf32> {cma.role = "parameter", cma.name = "core5", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %g6: tensor<16x16x1xf32> {cma.role = "parameter", cma.name = "core6", cma.init = #cma.init<tt_core, std = 0.016137, cores = 6>},
    %d1: tensor<12xf32> {cma.role = "parameter", cma.name = "gate1", cma.init = #cma.init<constant, value = 1.0>},
    %d2: tensor<30xf32> {cma.role = "parameter", cma.name = "gate2", cma.init = #cma.init<constant, value = 1.0>},
    %d3: tensor<30xf32> {cma.role = "parameter", cma.name = "gate3", cma.init = #cma.init<constant, value = 1.0>},
    %d4: tensor<30xf32> {cma.role = "parameter", cma.name = "gate4", cma.init = #cma.init<constant, value = 1.0>},
    %d5: tensor<16xf32> {cma.role = "parameter", cma.name = "gate5", cma.init = #cma.init<constant, value = 1.0>},
    %b: tensor<3072xf32> {cma.role = "parameter", cma.name = "bias", cma.init = #cma.init<uniform, low = -0.018042, high = 0.018042>})
    -> tensor<?x3072xf32> {
  %y = cma.tt_linear %x, (%g1, %g2, %g3), (%g4, %g5, %g6) gates(%d1, %d2, %d3, %d4, %d5) bias(%b)
      : tensor<?x768xf32>, (tensor<1x12x12xf32>, tensor<12x8x30xf32>, tensor<30x8x30xf32>), (tensor<30x12x30xf32>, tensor<30x16x16xf32>, tensor<16x16x1xf32>), gates(tensor<12xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<16xf32>), tensor<3072xf32> -> tensor<?x3072xf32>
  return %y : tensor<?x3072xf32>
}
