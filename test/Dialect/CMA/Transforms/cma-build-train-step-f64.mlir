// RUN: cma-opt %s --cma-differentiate --cma-build-train-step | FileCheck %s

// The learning rate is f32; it is extended for wider parameters, once. The names
// "lr" and "step" are left to the model where it has them.

// CHECK-LABEL: func.func @model_step(
// CHECK-SAME: %[[W:.*]]: tensor<4xf64> {cma.name = "lr", cma.role = "parameter"},
// CHECK-SAME: %[[B:.*]]: tensor<4xf64> {cma.name = "step", cma.role = "parameter"},
// CHECK-SAME: %[[LR:.*]]: tensor<f32> {cma.role = "lr"}, %{{.*}}: tensor<i64> {cma.role = "step"})
// CHECK: arith.constant dense<1.000000e+00> : tensor<f64>
// CHECK: %[[WIDE:.*]] = arith.extf %[[LR]] : tensor<f32> to tensor<f64>
// CHECK: cma.sgd %[[W]], %{{.*}}, %[[WIDE]] : tensor<4xf64>, tensor<f64>
// CHECK-NOT: arith.extf
// CHECK: cma.sgd %[[B]], %{{.*}}, %[[WIDE]] : tensor<4xf64>, tensor<f64>
func.func @model(
    %w: tensor<4xf64> {cma.role = "parameter", cma.name = "lr"},
    %b: tensor<4xf64> {cma.role = "parameter", cma.name = "step"})
    -> (tensor<f64> {cma.role = "loss"}) {
  %loss = cma.mse %w, %b : tensor<4xf64> -> tensor<f64>
  return %loss : tensor<f64>
}
