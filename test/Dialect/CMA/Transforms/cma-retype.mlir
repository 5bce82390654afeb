// RUN: cma-opt %s --cma-retype | FileCheck %s
// RUN: cma-opt %s --cma-retype="from=f64 to=f32" | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>) -> tensor<4xf64>
// CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<4xf64>
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[C]] : tensor<4xf64>
// CHECK: return %[[Y]] : tensor<4xf64>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.5> : tensor<4xf32>
  %y = arith.mulf %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}

// Integers and attributes stay, block arguments follow; a conversion between
// equal types goes.

// CHECK-LABEL: func.func @g(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf64> {cma.init = #cma.init<zeros>, cma.name = "x", cma.role = "parameter"}, %[[T:.*]]: tensor<2xi64>) -> (tensor<f64> {cma.role = "loss"}, f64)
// CHECK: arith.constant dense<{{\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf64>
// CHECK: arith.constant 2.500000e-01 : f64
// CHECK: arith.constant dense<7> : tensor<2xi64>
// CHECK: cma.layer_norm %[[X]] {epsilon = 1.000000e-03 : f64} : tensor<2x3xf64>
// CHECK: scf.for {{.*}} -> (tensor<2x3xf64>)
// CHECK-NOT: arith.extf
// CHECK: math.exp %{{.*}} : tensor<2x3xf64>
// CHECK: cma.cross_entropy %{{.*}}, %[[T]] : tensor<2x3xf64>, tensor<2xi64> -> tensor<f64>

// The f64 in between becomes f32, the attribute does not.
// NARROW-LABEL: func.func @g(
// NARROW: cma.layer_norm %{{.*}} {epsilon = 1.000000e-03 : f64} : tensor<2x3xf32>
// NARROW-NOT: arith.extf
// NARROW: math.exp %{{.*}} : tensor<2x3xf32>
// NARROW-NOT: arith.truncf
func.func @g(%x: tensor<2x3xf32> {cma.role = "parameter", cma.name = "x", cma.init = #cma.init<zeros>}, %t: tensor<2xi64>)
    -> (tensor<f32> {cma.role = "loss"}, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %s = arith.constant 0.25 : f32
  %i = arith.constant dense<7> : tensor<2xi64>
  %n = cma.layer_norm %x {epsilon = 1.0e-3 : f64} : tensor<2x3xf32>
  %l = scf.for %k = %c0 to %c1 step %c1 iter_args(%a = %n) -> (tensor<2x3xf32>) {
    %b = arith.addf %a, %d : tensor<2x3xf32>
    scf.yield %b : tensor<2x3xf32>
  }
  %w = arith.extf %l : tensor<2x3xf32> to tensor<2x3xf64>
  %e = math.exp %w : tensor<2x3xf64>
  %y = arith.truncf %e : tensor<2x3xf64> to tensor<2x3xf32>
  %loss = cma.cross_entropy %y, %t : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %loss, %s : tensor<f32>, f32
}

// Values are rounded to nearest: 2^24 + 1 to 2^24.
// NARROW-LABEL: func.func @rounding
// NARROW: arith.constant dense<0x4B800000> : tensor<f32>
func.func @rounding() -> tensor<f64> {
  %c = arith.constant dense<16777217.0> : tensor<f64>
  return %c : tensor<f64>
}
