// RUN: cma-opt %s --cma-differentiate --cma-build-train-step="optimizer=adamw weight-decay=0.01 loss-scale=megatron:init=1024,interval=3 clip=1.5" | FileCheck %s
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=static:8 | FileCheck %s --check-prefix=STATIC

// Unscale, clip, update unless there was overflow, and adapt the scale. The
// model's own state is skipped, too.

// CHECK: func.func @model_step(
// CHECK-SAME: %[[W:.*]]: tensor<4xf32> {cma.name = "w", cma.role = "parameter"},
// CHECK-SAME: %[[S:.*]]: tensor<i64> {cma.name = "s", cma.role = "state"},
// CHECK-SAME: %[[M:.*]]: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "w.first_moment", cma.role = "state"},
// CHECK-SAME: %[[V:.*]]: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "w.second_moment", cma.role = "state"},
// CHECK-SAME: %[[SCALE:.*]]: tensor<f32> {cma.init = #cma.init<constant, value = 1.024000e+03>, cma.name = "loss_scale", cma.role = "state"},
// CHECK-SAME: %[[GOOD:.*]]: tensor<i32> {cma.init = #cma.init<zeros>, cma.name = "loss_scale.good_steps", cma.role = "state"},
// CHECK-SAME: %[[H:.*]]: tensor<i32> {cma.init = #cma.init<constant, value = 2.000000e+00>, cma.name = "loss_scale.hysteresis", cma.role = "state"},
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {cma.name = "x", cma.role = "data"},
// CHECK-SAME: %[[LR:.*]]: tensor<f32> {cma.name = "lr", cma.role = "lr"}, %[[STEP:.*]]: tensor<i64> {cma.name = "step", cma.role = "step"})
// CHECK-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<i64> {cma.updates = "s"}, tensor<4xf32> {cma.updates = "w.first_moment"}, tensor<4xf32> {cma.updates = "w.second_moment"}, tensor<f32> {cma.updates = "loss_scale"}, tensor<i32> {cma.updates = "loss_scale.good_steps"}, tensor<i32> {cma.updates = "loss_scale.hysteresis"}, tensor<f32> {cma.role = "loss"}, tensor<i1> {cma.role = "found_inf"})
// CHECK: %[[LOSS:.*]] = cma.mse
// CHECK: arith.mulf %[[SCALE]],
// CHECK: %[[U:.*]], %[[FOUND:.*]] = cma.unscale %[[SCALE]](%{{.*}}) : tensor<f32>, tensor<4xf32>
// CHECK: %[[C:.*]], %{{.*}} = cma.clip_by_global_norm(%[[U]]) {max_norm = 1.500000e+00 : f64}
// CHECK: %[[NEW:.*]]:4 = cma.guard %[[FOUND]](%[[W]], %[[S]], %[[M]], %[[V]]) : tensor<4xf32>, tensor<i64>, tensor<4xf32>, tensor<4xf32> {
// CHECK:   %[[P1:.*]], %[[M1:.*]], %[[V1:.*]] = cma.adamw %[[W]], %[[C]], %[[LR]], %[[STEP]] moments(%[[M]], %[[V]]) {weight_decay = {{.*}}}
// CHECK:   cma.yield %[[P1]], %{{.*}}, %[[M1]], %[[V1]]
// CHECK: %[[A:.*]], %[[B:.*]], %[[D:.*]] = cma.update_loss_scale %[[SCALE]], %[[GOOD]], %[[FOUND]] hysteresis(%[[H]]) {hysteresis = 2 : i64, interval = 3 : i64, minimum = 1.000000e+00 : f64} : tensor<f32>
// CHECK: return %[[NEW]]#0, %[[NEW]]#1, %[[NEW]]#2, %[[NEW]]#3, %[[A]], %[[B]], %[[D]], %[[LOSS]], %[[FOUND]]

// A static scale is state that nothing updates.

// STATIC: func.func @model_step(
// STATIC-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<i64> {cma.updates = "s"}, tensor<f32> {cma.role = "loss"}, tensor<i1> {cma.role = "found_inf"})
// STATIC: cma.unscale
// STATIC: cma.guard
// STATIC: cma.sgd
// STATIC-NOT: update_loss_scale
func.func @model(
    %x: tensor<4xf32> {cma.role = "data", cma.name = "x"},
    %s: tensor<i64> {cma.role = "state", cma.name = "s"},
    %w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<i64> {cma.updates = "s"}) {
  %one = arith.constant dense<1> : tensor<i64>
  %next = arith.addi %s, %one : tensor<i64>
  %y = arith.mulf %w, %x : tensor<4xf32>
  %loss = cma.mse %y, %x : tensor<4xf32> -> tensor<f32>
  return %loss, %next : tensor<f32>, tensor<i64>
}
