// RUN: cma-opt %s --cma-range-analysis="annotate report=%t" | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t
// RUN: cma-opt %s --cma-range-analysis="annotate low=f32 ranges=x:-1:1" | FileCheck %s --check-prefix=GIVEN

// CHECK-LABEL: func.func @square
// CHECK: arith.mulf {{.*}}cma.result_range = #cma.range<-6.000000e+00, 9.000000e+00>
// CHECK: cma.relu {{.*}}cma.result_range = #cma.range<0.000000e+00, 9.000000e+00>
// GIVEN: arith.mulf {{.*}}cma.result_range = #cma.range<-1.000000e+00, 1.000000e+00>
func.func @square(%x: tensor<4xf32> {cma.name = "x", cma.range = #cma.range<-2.0, 3.0>})
    -> tensor<4xf32> {
  %y = arith.mulf %x, %x : tensor<4xf32>
  %z = cma.relu %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// JSON:      "function": "unknown",
// JSON:      "value": "%0",
// JSON-NEXT: "low": 0,
// JSON-NEXT: "high": {{1[.0-9]*}},
// JSON-NEXT: "may_be_nan": true,
// JSON-NEXT: "proved": false,
// JSON-NEXT: "reason": "may be NaN"
// JSON:      "value": "%1",
// JSON-NEXT: "low": 0,
// JSON-NEXT: "high": null,
// JSON-NEXT: "may_be_nan": true,
// JSON-NEXT: "proved": false,
// JSON-NEXT: "reason": "unbounded"
func.func @unknown(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = cma.softmax %x : tensor<4xf32>
  %z = math.exp %x : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// A loop that adds leaves every bound behind; one that shrinks keeps them.
// CHECK-LABEL: func.func @loops
// CHECK: arith.mulf {{.*}}cma.result_range = #cma.range<-5.000000e-01, 5.000000e-01>
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<4xf32>
func.func @loops(%x: tensor<4xf32> {cma.range = #cma.range<-1.0, 1.0>}, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = arith.mulf %a, %half : tensor<4xf32>
    %1 = arith.addf %b, %x : tensor<4xf32>
    scf.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// The gradient of sum(x w) in w is the cotangent times x: a scale of 2^15 fits
// f16, 2^16 does not.
// JSON:      "function": "scaled",
// JSON:      "loss_scale": 32768
func.func @scaled(%x: tensor<4xf32> {cma.range = #cma.range<-1.0, 1.0>},
    %d: tensor<f32> {cma.name = "cotangent", cma.role = "cotangent"})
    -> (tensor<4xf32> {cma.gradient = "w"}) {
  %0 = cma.broadcast "->a" (%d) : (tensor<f32>) -> tensor<4xf32>
  %1 = arith.mulf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// JSON:      "function": "unscaled",
// JSON:      "loss_scale": null
func.func @unscaled(%x: tensor<4xf32>,
    %d: tensor<f32> {cma.name = "cotangent", cma.role = "cotangent"})
    -> (tensor<4xf32> {cma.gradient = "w"}) {
  %0 = cma.broadcast "->a" (%d) : (tensor<f32>) -> tensor<4xf32>
  %1 = arith.mulf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
