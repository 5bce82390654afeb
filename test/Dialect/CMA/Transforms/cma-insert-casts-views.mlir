// Weights are cast once a step: the function that runs for every batch reads views,
// and the one that updates the masters updates them.
// RUN: cma-opt %s --cma-train="batch=8 accumulate=2 precision=f16 cast-report=%t" | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t

// CHECK-LABEL: func.func @model_accumulate(
// CHECK-SAME: %[[V:arg[0-9]+]]: tensor<6x4xf16> {cma.name = "w.f16", cma.role = "view", cma.view_of = "w"})
// CHECK-NOT: cma.cast %{{.*}} : tensor<6x4xf32>
// CHECK: cma.contract {{.*}}, %[[V]]) {planned}
// CHECK-LABEL: func.func @model_apply(
// CHECK-SAME: tensor<6x4xf16> {cma.name = "w.f16", cma.role = "view", cma.view_of = "w"})
// CHECK-SAME: tensor<6x4xf16> {cma.updates = "w.f16"})
// CHECK: %[[W:.*]] = cma.sgd
// CHECK: %[[NEW:.*]] = cma.cast %[[W]] : tensor<6x4xf32> to tensor<6x4xf16>
// CHECK: return {{.*}}%[[NEW]] :

// JSON: "function": "model_accumulate",
// JSON: "master_bytes": 0,
// JSON-NEXT: "view_bytes": 48,
// JSON-NEXT: "view_f32_bytes": 96,
// JSON: "function": "model_apply",
// JSON: "master_bytes": 96,
// JSON-NEXT: "view_bytes": 0,
func.func @model(%x: tensor<?x6xf32> {cma.role = "data", cma.name = "x"}, %t: tensor<?x4xf32> {cma.role = "data", cma.name = "t"},
                 %w: tensor<6x4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %y = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %loss = cma.mse %y, %t : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
