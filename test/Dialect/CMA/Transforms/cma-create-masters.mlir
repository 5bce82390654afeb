// RUN: cma-opt %s --cma-create-masters | FileCheck %s
// RUN: cma-opt %s --cma-train="batch=8 function=trained momentum=0.9" | FileCheck %s --check-prefix=TRAIN

// CHECK-LABEL: func.func @forward(%arg0: tensor<8x4xf16>, %arg1: tensor<4x4xf32> {cma.name = "w", cma.role = "parameter"})
// CHECK-NEXT: %[[W:.*]] = cma.cast %arg1 : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: cma.linear %arg0, %[[W]]
func.func @forward(%x: tensor<8x4xf16>,
    %w: tensor<4x4xf16> {cma.name = "w", cma.role = "parameter"}) -> tensor<8x4xf16> {
  %y = cma.linear %x, %w : tensor<8x4xf16>, tensor<4x4xf16> -> tensor<8x4xf16>
  return %y : tensor<8x4xf16>
}

// State, data and wide parameters stay.
// CHECK-LABEL: func.func @others(%arg0: tensor<4xf16> {{.*}}, %arg1: tensor<4xf32> {{.*}}, %arg2: tensor<4xf64>
// CHECK-NEXT: return
func.func @others(%s: tensor<4xf16> {cma.name = "s", cma.role = "state"},
    %w: tensor<4xf32> {cma.name = "w", cma.role = "parameter"},
    %v: tensor<4xf64> {cma.name = "v", cma.role = "parameter"}) {
  return
}

// Who calls a function gives it what it declares.
// CHECK-LABEL: func.func @called(%arg0: tensor<4xbf16>
func.func @called(%w: tensor<4xbf16> {cma.name = "w", cma.role = "parameter"}) {
  return
}
func.func @caller(%w: tensor<4xbf16>) {
  call @called(%w) : (tensor<4xbf16>) -> ()
  return
}

// The optimizer steps in f32; the gradient is cast to it.
// TRAIN-LABEL: func.func @trained_step(
// TRAIN-SAME: %arg0: tensor<4x4xf32> {cma.init = #cma.init<zeros>, cma.name = "w", cma.role = "parameter"}, %arg1: tensor<4x4xf32> {{.*}}"w.momentum"
// TRAIN: cma.cast %arg0 : tensor<4x4xf32> to tensor<4x4xf16>
// TRAIN: cma.sgd %arg0, %{{.*}} momentum(%arg1) {{.*}} : tensor<4x4xf32>
func.func @trained(%x: tensor<?x4xf16> {cma.name = "x", cma.role = "data"},
    %t: tensor<?x4xf32> {cma.name = "t", cma.role = "data"},
    %w: tensor<4x4xf16> {cma.name = "w", cma.role = "parameter", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %y = cma.linear %x, %w : tensor<?x4xf16>, tensor<4x4xf16> -> tensor<?x4xf16>
  %z = cma.cast %y : tensor<?x4xf16> to tensor<?x4xf32>
  %loss = cma.mse %z, %t : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
