// Steps that users write: what undoes the scale, depends on no scale, or is only
// reported, is no error.
// RUN: cma-opt %s --cma-verify-scales | FileCheck %s

// Checked and clipped by hand, with a root of squares, and a count of overflows.

// CHECK: func.func @by_hand
func.func @by_hand(%w: tensor<4xf32> {cma.name = "w", cma.role = "parameter"},
                   %n: tensor<i32> {cma.name = "n", cma.role = "state"},
                   %s: tensor<f32> {cma.name = "loss_scale", cma.role = "state"},
                   %x: tensor<4xf32> {cma.name = "x", cma.role = "data"}, %lr: tensor<f32>)
    -> (tensor<4xf32> {cma.updates = "w"}, tensor<i32> {cma.updates = "n"}, tensor<f32> {cma.role = "metric"}, tensor<4xf32>) {
  %infinity = arith.constant dense<0x7F800000> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %two = arith.constant dense<2> : tensor<i32>
  %scales = cma.broadcast "->i" (%s) : (tensor<f32>) -> tensor<4xf32>
  %g = arith.mulf %x, %scales : tensor<4xf32>
  %squares = cma.contract "i,i->" (%g, %g) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %norm = math.sqrt %squares : tensor<f32>
  %finite = arith.cmpf olt, %norm, %infinity : tensor<f32>
  %nan = math.isnan %norm : tensor<f32>
  %flag = arith.extui %nan : tensor<i1> to tensor<i32>
  %count = arith.addi %n, %flag : tensor<i32>
  %both = arith.muli %count, %two : tensor<i32>
  %inverse = math.rsqrt %squares : tensor<f32>
  %size = arith.mulf %norm, %inverse : tensor<f32>
  %kept = arith.addf %size, %one : tensor<f32>
  %logged = math.log %norm : tensor<f32>
  %unscaled = arith.divf %g, %scales : tensor<4xf32>
  %factors = cma.broadcast "->i" (%kept) : (tensor<f32>) -> tensor<4xf32>
  %clipped = arith.divf %unscaled, %factors : tensor<4xf32>
  %moved = cma.sgd %w, %clipped, %lr : tensor<4xf32>, tensor<f32>
  %ok = tensor.extract %finite[] : tensor<i1>
  %new = scf.if %ok -> tensor<4xf32> {
    scf.yield %moved : tensor<4xf32>
  } else {
    scf.yield %w : tensor<4xf32>
  }
  %flags:2 = cma.unscale %s (%g) : tensor<f32>, tensor<4xf32>
  return %new, %both, %logged, %flags#0 : tensor<4xf32>, tensor<i32>, tensor<f32>, tensor<4xf32>
}

// Fused, built by elements, in layers, with sizes that are not static.

// CHECK: func.func @forms
func.func @forms(%s: tensor<f32> {cma.name = "loss_scale"}, %g: tensor<?x4xf32> {cma.name = "g", cma.scaled_by = "loss_scale"},
                 %x: tensor<?x4xf32>, %w: tensor<4x4xf32>, %st: tensor<4x4xf32> {cma.name = "st", cma.role = "state"},
                 %rows: tensor<index> {cma.name = "rows", cma.role = "state"})
    -> (tensor<4x4xf32> {cma.updates = "st"}, tensor<index> {cma.updates = "rows"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g, %c0 : tensor<?x4xf32>
  %size = tensor.from_elements %n : tensor<index>
  %dx = cma.linear %g, %w : tensor<?x4xf32>, tensor<4x4xf32> -> tensor<?x4xf32>
  %fused = math.fma %g, %x, %dx : tensor<?x4xf32>
  %signed = math.copysign %fused, %x : tensor<?x4xf32>
  %dw = cma.contract "bi,bj->ij" (%signed, %x) {planned} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
  %turned = tensor.generate {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %dw[%j, %i] : tensor<4x4xf32>
    tensor.yield %e : f32
  } : tensor<4x4xf32>
  %u:2 = cma.unscale %s (%turned) : tensor<f32>, tensor<4x4xf32>
  %r = scf.execute_region -> tensor<4x4xf32> {
    %e = math.exp %u#0 : tensor<4x4xf32>
    scf.yield %e : tensor<4x4xf32>
  }
  %sum = arith.addf %r, %st : tensor<4x4xf32>
  return %sum, %size : tensor<4x4xf32>, tensor<index>
}
