// RUN: cma-opt %s | cma-opt | FileCheck %s
// RUN: cma-opt %s --mlir-print-op-generic | cma-opt | FileCheck %s

// CHECK-LABEL: func @unscale
func.func @unscale(%s: tensor<f32>, %a: tensor<4xf16>, %b: tensor<2x3xf32>, %c: tensor<f64>) {
  // CHECK: %{{.+}}:3, %{{.+}} = cma.unscale %{{.+}}(%{{.+}}, %{{.+}}, %{{.+}}) : tensor<f32>, tensor<4xf16>, tensor<2x3xf32>, tensor<f64>
  %0:4 = cma.unscale %s (%a, %b, %c) : tensor<f32>, tensor<4xf16>, tensor<2x3xf32>, tensor<f64>
  // CHECK: %{{.+}} = cma.unscale %{{.+}}() : tensor<f32>
  %1 = cma.unscale %s () : tensor<f32>
  // CHECK: arith.andi %{{.+}}, %{{.+}} : tensor<i1>
  %2 = arith.andi %0#3, %1 : tensor<i1>
  %3 = arith.negf %0#0 : tensor<4xf32>
  return
}

// CHECK-LABEL: func @update
func.func @update(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // CHECK: %{{.+}}, %{{.+}} = cma.update_loss_scale %{{.+}}, %{{.+}}, %{{.+}} : tensor<f32>
  %0, %1 = cma.update_loss_scale %s, %n, %f : tensor<f32>
  // CHECK: %{{.+}}, %{{.+}}, %{{.+}} = cma.update_loss_scale %{{.+}}, %{{.+}}, %{{.+}} hysteresis(%{{.+}})
  // CHECK-SAME: {backoff = 2.500000e-01 : f64, delay = 1 : i64, growth = 4.000000e+00 : f64, hysteresis = 2 : i64, interval = 3 : i64, maximum = 8.000000e+00 : f64, minimum = 1.000000e+00 : f64, refill = #cma<hysteresis_refill good>} : tensor<f32>
  %2, %3, %4 = cma.update_loss_scale %s, %n, %f hysteresis(%h)
      {growth = 4.0 : f64, backoff = 0.25 : f64, interval = 3 : i64, minimum = 1.0 : f64, maximum = 8.0 : f64,
       hysteresis = 2 : i64, refill = #cma<hysteresis_refill good>, delay = 1 : i64} : tensor<f32>
  return
}

// CHECK-LABEL: func @guard
func.func @guard(%f: tensor<i1>, %p: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) -> tensor<4xf32> {
  // CHECK: %{{.+}}:2 = cma.guard %{{.+}}(%{{.+}}, %{{.+}}) : tensor<4xf32>, tensor<4xf32> {
  // CHECK: cma.yield %{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xf32>
  %0, %1 = cma.guard %f (%p, %m) : tensor<4xf32>, tensor<4xf32> {
    %2, %3 = cma.sgd %p, %m, %lr momentum(%m) : tensor<4xf32>, tensor<f32>
    cma.yield %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: cma.guard %{{.+}}() {
  cma.guard %f () {
    cma.yield
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @adamw
func.func @adamw(%p: tensor<4xf64>, %m: tensor<4xf64>, %lr: tensor<f32>, %t: tensor<i64>) {
  // CHECK: cma.adamw %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} moments(%{{.+}}, %{{.+}}) {beta1 = 5.000000e-01 : f64, epsilon = 1.000000e-03 : f64, weight_decay = 1.000000e-02 : f64} : tensor<4xf64>, tensor<f32>
  %0, %1, %2 = cma.adamw %p, %m, %lr, %t moments(%m, %m)
      {beta1 = 0.5 : f64, epsilon = 1.0e-3 : f64, weight_decay = 0.01 : f64} : tensor<4xf64>, tensor<f32>
  return
}

// CHECK-LABEL: func @clip
func.func @clip(%a: tensor<4xf32>, %b: tensor<f64>) {
  // CHECK: %{{.+}}:2, %{{.+}} = cma.clip_by_global_norm(%{{.+}}, %{{.+}}) {max_norm = 1.000000e+00 : f64} : tensor<4xf32>, tensor<f64>
  %0:3 = cma.clip_by_global_norm (%a, %b) {max_norm = 1.0 : f64} : tensor<4xf32>, tensor<f64>
  %1 = arith.negf %0#2 : tensor<f64>
  %2 = cma.clip_by_global_norm () {max_norm = 1.0 : f64}
  %3 = arith.negf %2 : tensor<f32>
  return
}
