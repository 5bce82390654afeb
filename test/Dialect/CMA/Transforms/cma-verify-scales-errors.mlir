// RUN: cma-opt %s --cma-verify-scales --split-input-file --verify-diagnostics

func.func @add(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>) {
  // expected-note @below {{has the scale 'loss_scale'}}
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{has no scale}}
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'arith.addf' op expected values of one loss scale, got '%unscaled' with no scale and '%0' with the scale 'loss_scale'}}
  %sum = arith.addf %u, %g : tensor<f32>
  return
}

// -----

func.func @twice(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%unscaled' is unscaled here already}}
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'cma.unscale' op expected '%unscaled' to have the scale 'loss_scale', which is taken away, got no scale}}
  %v, %h = cma.unscale %s (%u) : tensor<f32>, tensor<f32>
  return
}

// -----

// expected-note @below {{'x' has no scale}}
func.func @never(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32> {cma.name = "x"}) {
  // expected-error @below {{expected 'x' to have the scale 'loss_scale', which is taken away, got no scale}}
  %u, %f = cma.unscale %s (%x) : tensor<f32>, tensor<f32>
  return
}

// -----

func.func @square(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has the scale 'loss_scale'^2}}
  %h = arith.mulf %g, %g : tensor<f32>
  // expected-error @below {{expected '%1' to have the scale 'loss_scale', which is taken away, got the scale 'loss_scale'^2}}
  %u, %f = cma.unscale %s (%h) : tensor<f32>, tensor<f32>
  return
}

// -----

func.func @unknown(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has an unknown scale}}
  %h = math.exp %g : tensor<f32>
  // expected-error @below {{expected '%1' to have the scale 'loss_scale', which is taken away, got an unknown scale}}
  %u, %f = cma.unscale %s (%h) : tensor<f32>, tensor<f32>
  return
}

// -----

func.func @optimizer(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{'%0' has the scale 'loss_scale'}}
  %g = arith.mulf %x, %s : tensor<f32>
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'cma.sgd' op expected gradient '%0' to have no loss scale, got the scale 'loss_scale'; cma.unscale takes it away}}
  %p = cma.sgd %x, %g, %lr : tensor<f32>, tensor<f32>
  return %p : tensor<f32>
}

// -----

// expected-note @below {{'w.gradient' has the scale 'loss_scale'}}
func.func @accumulate(%s: tensor<f32> {cma.name = "loss_scale"}, %sum: tensor<f32> {cma.name = "w.gradient", cma.scaled_by = "loss_scale"}, %x: tensor<f32> {cma.name = "x"})
    -> (tensor<f32> {cma.updates = "w.gradient"}) {
  // expected-note @below {{'%0' has no scale}}
  %g = arith.mulf %x, %x : tensor<f32>
  // expected-error @below {{'func.return' op expected values of one loss scale, got 'w.gradient' with the scale 'loss_scale' and '%0' with no scale}}
  return %g : tensor<f32>
}

// -----

func.func @loop(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-note @below {{'%arg3' has no scale}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    // expected-note @below {{has the scale 'loss_scale'}}
    %b = arith.mulf %a, %s : tensor<f32>
    // expected-error @below {{'scf.yield' op expected values of one loss scale}}
    scf.yield %b : tensor<f32>
  }
  %f = cma.unscale %s () : tensor<f32>
  return
}

// -----

// What stands in other regions is checked, too.

func.func @branch(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %c: i1) {
  %r = scf.if %c -> tensor<f32> {
    %g = arith.mulf %x, %s : tensor<f32>
    // expected-note @below {{is unscaled here already}}
    %v, %h = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
    // expected-error @below {{which is taken away, got no scale}}
    %w, %i = cma.unscale %s (%v) : tensor<f32>, tensor<f32>
    scf.yield %w : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return
}
