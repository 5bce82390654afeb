// RUN: cma-opt %s --cma-differentiate --cma-build-train-step="momentum=0.5 loss-scale=dynamic accumulate=4" | FileCheck %s
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step="accumulate=4" | FileCheck %s --check-prefix=PLAIN

// CHECK: func.func @model_accumulate(
// CHECK-SAME: %[[W:.*]]: tensor<4xf32> {cma.name = "w", cma.role = "parameter"},
// CHECK-SAME: %[[S:.*]]: tensor<i64> {cma.name = "s", cma.role = "state"},
// CHECK-SAME: %[[SUM:.*]]: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "w.gradient", cma.role = "state", cma.scaled_by = "loss_scale"},
// CHECK-SAME: %[[SCALE:.*]]: tensor<f32> {cma.init = {{.*}}, cma.name = "loss_scale", cma.role = "state"},
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {cma.name = "x", cma.role = "data"})
// CHECK-SAME: -> (tensor<i64> {cma.updates = "s"}, tensor<4xf32> {cma.updates = "w.gradient"}, tensor<f32> {cma.role = "loss"})
// CHECK: %[[N:.*]] = arith.constant dense<4.000000e+00> : tensor<f32>
// CHECK: arith.divf %[[SCALE]], %[[N]]
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %{{.*}} : tensor<4xf32>
// CHECK-NOT: cma.sgd
// CHECK: return %{{.*}}, %[[NEW]], %{{.*}} :

// CHECK: func.func @model_apply(
// CHECK-SAME: %[[P:.*]]: tensor<4xf32> {cma.name = "w", cma.role = "parameter"},
// CHECK-SAME: %[[M:.*]]: tensor<4xf32> {{.*}}cma.name = "w.momentum"
// CHECK-SAME: %[[G:.*]]: tensor<4xf32> {{.*}}cma.name = "w.gradient"
// CHECK-SAME: %[[SCALE:.*]]: tensor<f32> {{.*}}cma.name = "loss_scale"
// CHECK-SAME: tensor<i32> {{.*}}cma.name = "loss_scale.good_steps"
// CHECK-SAME: cma.role = "lr"
// CHECK-SAME: cma.role = "step"
// CHECK-SAME: -> (tensor<4xf32> {cma.updates = "w"}, tensor<4xf32> {cma.updates = "w.momentum"}, tensor<4xf32> {cma.updates = "w.gradient"}, tensor<f32> {cma.updates = "loss_scale"}, tensor<i32> {cma.updates = "loss_scale.good_steps"}, tensor<i1> {cma.role = "found_inf"})
// CHECK: cma.unscale %[[SCALE]](%[[G]])
// CHECK: cma.guard
// CHECK: cma.sgd
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: return %{{.*}}, %{{.*}}, %[[ZERO]],

// PLAIN: func.func @model_accumulate(
// PLAIN: arith.constant dense<2.500000e-01> : tensor<f32>
// PLAIN: arith.addf
// PLAIN: func.func @model_apply(
// PLAIN-NOT: cma.guard
// PLAIN: cma.sgd
func.func @model(
    %x: tensor<4xf32> {cma.role = "data", cma.name = "x"},
    %s: tensor<i64> {cma.role = "state", cma.name = "s"},
    %w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<i64> {cma.updates = "s"}) {
  %y = arith.mulf %w, %x : tensor<4xf32>
  %loss = cma.mse %y, %x : tensor<4xf32> -> tensor<f32>
  return %loss, %s : tensor<f32>, tensor<i64>
}
