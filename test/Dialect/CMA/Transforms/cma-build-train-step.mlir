// RUN: cma-opt %s --cma-differentiate --cma-build-train-step | FileCheck %s
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step="momentum=0.9 weight-decay=0.01" | FileCheck %s --check-prefix=MOMENTUM

// Parameters, state, data, learning rate and step; updated parameters, updated
// state, loss, logits, metric, the rest.

// CHECK-NOT: func.func @model(
// CHECK-NOT: @model_backward
// CHECK: func.func @model_step(
// CHECK-SAME: %[[W:.*]]: tensor<4xf32> {cma.init = #cma.init<normal, std = 2.000000e-02>, cma.name = "w", cma.role = "parameter"},
// CHECK-SAME: %[[B:.*]]: tensor<4xf32> {cma.name = "b", cma.role = "parameter"},
// CHECK-SAME: %[[S:.*]]: tensor<i64> {cma.name = "s", cma.role = "state"},
// CHECK-SAME: %[[R:.*]]: tensor<2xf32> {cma.name = "read_only", cma.role = "state"},
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {cma.name = "x", cma.role = "data"},
// CHECK-SAME: %[[LR:.*]]: tensor<f32> {cma.name = "lr", cma.role = "lr"},
// CHECK-SAME: %{{.*}}: tensor<i64> {cma.name = "step", cma.role = "step"})
// CHECK-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<4xf32> {cma.updates = "b"}, tensor<i64> {cma.updates = "s"}, tensor<f32> {cma.role = "loss"}, tensor<4xf32> {cma.role = "logits"}, tensor<f32> {cma.name = "m", cma.role = "metric"}, tensor<4xf32>)
// CHECK-SAME: attributes {some.attribute}
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[Y:.*]] = arith.addf
// CHECK: %[[L:.*]] = cma.mse %[[Y]], %[[X]]
// CHECK: arith.mulf %[[ONE]], %{{.*}} : tensor<f32>
// CHECK: %[[W1:.*]] = cma.sgd %[[W]], %{{.*}}, %[[LR]] : tensor<4xf32>, tensor<f32>
// CHECK: %[[B1:.*]] = cma.sgd %[[B]], %{{.*}}, %[[LR]] : tensor<4xf32>, tensor<f32>
// CHECK: return %[[W1]], %[[B1]], %[[S]], %[[L]], %[[Y]], %[[L]], %[[X]]
// CHECK: func.func @other

// A buffer for each parameter behind the model's own state.

// MOMENTUM: func.func @model_step(
// MOMENTUM-SAME: cma.name = "read_only", cma.role = "state"},
// MOMENTUM-SAME: %[[MW:.*]]: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "w.momentum", cma.role = "state"},
// MOMENTUM-SAME: %[[MB:.*]]: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "b.momentum", cma.role = "state"},
// MOMENTUM-SAME: cma.name = "x", cma.role = "data"
// MOMENTUM-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<4xf32> {cma.updates = "b"}, tensor<i64> {cma.updates = "s"}, tensor<4xf32> {cma.updates = "w.momentum"}, tensor<4xf32> {cma.updates = "b.momentum"}, tensor<f32> {cma.role = "loss"}
// MOMENTUM: %[[W1:.*]], %[[MW1:.*]] = cma.sgd %{{.*}}, %{{.*}}, %{{.*}} momentum(%[[MW]]) {momentum = {{0.9.*|9.0+e-01}} : f64, weight_decay = {{.*}} : f64}
// MOMENTUM: %[[B1:.*]], %[[MB1:.*]] = cma.sgd %{{.*}}, %{{.*}}, %{{.*}} momentum(%[[MB]])
// MOMENTUM: return %[[W1]], %[[B1]], %{{.*}}, %[[MW1]], %[[MB1]]
func.func @model(
    %x: tensor<4xf32> {cma.role = "data", cma.name = "x"},
    %s: tensor<i64> {cma.role = "state", cma.name = "s"},
    %w: tensor<4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<normal, std = 0.02>},
    %r: tensor<2xf32> {cma.role = "state", cma.name = "read_only"},
    %b: tensor<4xf32> {cma.role = "parameter", cma.name = "b"})
    -> (tensor<4xf32>, tensor<f32> {cma.role = "metric", cma.name = "m"},
        tensor<4xf32> {cma.role = "logits"}, tensor<i64> {cma.updates = "s"},
        tensor<f32> {cma.role = "loss"}) attributes {some.attribute} {
  %m = arith.mulf %w, %x : tensor<4xf32>
  %y = arith.addf %m, %b : tensor<4xf32>
  %loss = cma.mse %y, %x : tensor<4xf32> -> tensor<f32>
  return %x, %loss, %y, %s, %loss : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<i64>, tensor<f32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
