// Attributes, and what functions say about their arguments and results.
// RUN: cma-opt %s | cma-opt | FileCheck %s

// CHECK-LABEL: func @inits
func.func @inits() attributes {
    // CHECK-SAME: a = #cma.init<zeros>
    a = #cma.init<zeros>,
    // CHECK-SAME: b = #cma.init<constant, value = -1.000000e+00>
    b = #cma.init<constant, value = -1>,
    // CHECK-SAME: c = #cma.init<normal, std = 2.000000e-02>
    c = #cma.init<normal, std = 0.02>,
    // CHECK-SAME: d = #cma.init<uniform, low = -1.000000e-01, high = 1.000000e-01>
    d = #cma.init<uniform, low = -0.1, high = 0.1>,
    // CHECK-SAME: e = #cma.init<tt_core, std = 5.000000e-02, cores = 4>
    e = #cma.init<tt_core, std = 0.05, cores = 4>,
    // Hexadecimal digits are the bits of a double, as everywhere in MLIR.
    // CHECK-SAME: f = #cma.init<constant, value = 1.500000e+00>
    f = #cma.init<constant, value = 0x3FF8000000000000>} {
  return
}

// CHECK-LABEL: func @equations
func.func @equations() attributes {
    // CHECK-SAME: a = #cma.einsum<"bi,ij->bj">
    a = #cma.einsum<" bi , ij -> bj ">,
    // CHECK-SAME: b = #cma.einsum<"{row}{1},{1}->{row}">
    b = #cma.einsum<"{row}{1},{1}->{row}">,
    // CHECK-SAME: c = #cma.einsum<"->">
    c = #cma.einsum<"->">} {
  return
}

// CHECK-LABEL: func @step
// CHECK-SAME: %{{.+}}: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "w", cma.role = "parameter"}
// CHECK-SAME: %{{.+}}: tensor<4xf32> {cma.name = "w.momentum", cma.role = "state"}
// CHECK-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<f32> {cma.role = "loss"},
// CHECK-SAME: tensor<4xf32> {cma.gradient = "w"}, tensor<4xf32> {cma.name = "out", cma.role = "metric"})
func.func @step(%w: tensor<4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>},
                %m: tensor<4xf32> {cma.role = "state", cma.name = "w.momentum"},
                %x: tensor<?x4xf32> {cma.role = "data"}, %c: tensor<f32> {cma.role = "cotangent"},
                %lr: tensor<f32> {cma.role = "lr"}, %step: tensor<i64> {cma.role = "step"})
    -> (tensor<4xf32> {cma.updates = "w"}, tensor<f32> {cma.role = "loss"},
        tensor<4xf32> {cma.gradient = "w"}, tensor<4xf32> {cma.role = "metric", cma.name = "out"}) {
  return %w, %c, %w, %m : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
}
