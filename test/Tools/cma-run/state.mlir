// A state is updated by every training step and by no evaluation; a result of role
// "metric" is the metric.

// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make_points.py %t/d 41
// RUN: cma-run train %s --data %t/d --eval-data %t/d --epochs 3 --batch 8 --momentum 0.5 --save %t/p | FileCheck %s
// RUN: %python %S/Inputs/tensors.py print %t/p | FileCheck %s --check-prefix=SAVED
// RUN: cma-run eval %s --data %t/d --load %t/p --batch 7 | FileCheck %s --check-prefix=EVAL

// CHECK: epoch 3/3 loss {{[0-9.]+}} eval loss {{[0-9.]+}} eval metric 0.75 {{.*}} samples/s
// CHECK: w linear 4 4 1.0x
// SAVED: steps:F32:-=15
// SAVED-NEXT: w:F32:2x2=
// SAVED-NOT: momentum
// EVAL: samples 41 loss {{[0-9.]+}} metric 0.75
func.func @model(
    %x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"},
    %w: tensor<2x2xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<normal, std = 0.5>},
    %n: tensor<f32> {cma.role = "state", cma.name = "steps", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.role = "metric"}, tensor<f32> {cma.updates = "steps"}) {
  %0 = cma.linear %x, %w : tensor<?x2xf32>, tensor<2x2xf32> -> tensor<?x2xf32>
  %loss = cma.mse %0, %x : tensor<?x2xf32> -> tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %more = arith.addf %n, %one : tensor<f32>
  %metric = arith.constant dense<0.75> : tensor<f32>
  return %loss, %metric, %more : tensor<f32>, tensor<f32>, tensor<f32>
}
