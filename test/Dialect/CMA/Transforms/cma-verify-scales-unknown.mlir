// What is not linear in a scaled value has an unknown scale: it may be reported,
// but not added, kept as state, or given to an optimizer.
// RUN: cma-opt %s --cma-verify-scales --split-input-file --verify-diagnostics -o /dev/null

func.func @state(%s: tensor<f32> {cma.name = "loss_scale", cma.role = "state"},
                 %g: tensor<4xf32> {cma.name = "g", cma.role = "state", cma.scaled_by = "loss_scale"},
                 // expected-note @below {{'st' has no scale}}
                 %st: tensor<4xf32> {cma.name = "st", cma.role = "state"})
    -> (tensor<4xf32> {cma.updates = "st"}) {
  // expected-note @below {{'%0' has an unknown scale}}
  %e = math.sqrt %g : tensor<4xf32>
  // expected-error @below {{'func.return' op expected values of one loss scale, got 'st' with no scale and '%0' with an unknown scale}}
  return %e : tensor<4xf32>
}

// -----

// expected-note @below {{'x' has no scale}}
func.func @sum(%s: tensor<f32>, %x: tensor<f32> {cma.name = "x"}) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has an unknown scale}}
  %e = math.exp %g : tensor<f32>
  // expected-error @below {{'arith.addf' op expected values of one loss scale, got '%1' with an unknown scale and 'x' with no scale}}
  %a = arith.addf %e, %x : tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return
}

// -----

func.func @two(%s: tensor<f32>, %x: tensor<f32>) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has an unknown scale}}
  %e = math.exp %g : tensor<f32>
  // expected-note @below {{'%2' has an unknown scale}}
  %t = math.tanh %g : tensor<f32>
  // expected-error @below {{got '%1' with an unknown scale and '%2' with an unknown scale}}
  %a = arith.maximumf %e, %t : tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return
}

// -----

// expected-note @below {{'w' has no scale}}
func.func @guard(%s: tensor<f32>, %w: tensor<f32> {cma.name = "w"}, %x: tensor<f32>) -> tensor<f32> {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has an unknown scale}}
  %e = math.tanh %g : tensor<f32>
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'cma.guard' op expected values of one loss scale, got 'w' with no scale and '%1' with an unknown scale}}
  %n = cma.guard %f(%w) : tensor<f32> {
    cma.yield %e : tensor<f32>
  }
  return %n : tensor<f32>
}

// -----

func.func @optimizer(%s: tensor<f32>, %w: tensor<f32>, %x: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{'%0' has the scale '%arg0'}}
  %r = arith.mulf %lr, %s : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'cma.sgd' op expected operand '%0' to have no loss scale, got the scale '%arg0'}}
  %p = cma.sgd %w, %u, %r : tensor<f32>, tensor<f32>
  return %p : tensor<f32>
}

// -----

func.func @adam(%s: tensor<f32>, %w: tensor<f32>, %x: tensor<f32>, %lr: tensor<f32>, %step: tensor<i64>) -> tensor<f32> {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%1' has an unknown scale}}
  %e = math.exp %g : tensor<f32>
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'cma.adamw' op expected gradient '%1' to have no loss scale, got an unknown scale}}
  %p, %m, %v = cma.adamw %w, %e, %lr, %step moments(%w, %w) : tensor<f32>, tensor<f32>
  return %p : tensor<f32>
}

// -----

func.func @branches(%s: tensor<f32>, %c: i1, %x: tensor<f32>) {
  // expected-note @below {{'%0' has the scale '%arg0'}}
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{'%unscaled' has no scale}}
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<f32>
  // expected-error @below {{'scf.if' op expected values of one loss scale, got '%0' with the scale '%arg0' and '%unscaled' with no scale}}
  %r = scf.if %c -> tensor<f32> {
    scf.yield %g : tensor<f32>
  } else {
    scf.yield %u : tensor<f32>
  }
  return
}

// -----

// A region that reads a scaled value may do anything with it.
// expected-note @below {{'st' has no scale}}
func.func @regions(%s: tensor<f32>, %x: tensor<f32>, %st: tensor<f32> {cma.name = "st", cma.role = "state"})
    -> (tensor<f32> {cma.updates = "st"}) {
  %g = arith.mulf %x, %s : tensor<f32>
  // expected-note @below {{has an unknown scale}}
  %r = scf.execute_region -> tensor<f32> {
    scf.yield %g : tensor<f32>
  }
  %f = cma.unscale %s () : tensor<f32>
  // expected-error @below {{got 'st' with no scale and '%1' with an unknown scale}}
  return %r : tensor<f32>
}

// -----

func.func @condition(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %v: tensor<8xf32>, %w: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %e = math.sin %g : tensor<f32>
  %c = arith.cmpf ogt, %e, %z : tensor<f32>
  // expected-note @below {{has an unknown scale}}
  %d = arith.select %c, %x, %z : tensor<i1>, tensor<f32>
  // expected-error-re @below {{'cma.sgd' op expected gradient {{.*}} to have no loss scale, got an unknown scale}}
  %n = cma.sgd %w, %d, %lr : tensor<f32>, tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return %n : tensor<f32>
}

// -----

func.func @sign(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %v: tensor<8xf32>, %w: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %e = math.sin %g : tensor<f32>
  // expected-note @below {{has an unknown scale}}
  %d = math.copysign %x, %e : tensor<f32>
  // expected-error-re @below {{'cma.sgd' op expected gradient {{.*}} to have no loss scale, got an unknown scale}}
  %n = cma.sgd %w, %d, %lr : tensor<f32>, tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return %n : tensor<f32>
}

// -----

func.func @index(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %v: tensor<8xf32>, %w: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %e = math.sin %g : tensor<f32>
  %a = tensor.extract %e[] : tensor<f32>
  %i = arith.fptosi %a : f32 to i32
  %j = arith.index_cast %i : i32 to index
  %b = tensor.extract %v[%j] : tensor<8xf32>
  // expected-note @below {{has an unknown scale}}
  %d = tensor.splat %b : tensor<f32>
  // expected-error-re @below {{'cma.sgd' op expected gradient {{.*}} to have no loss scale, got an unknown scale}}
  %n = cma.sgd %w, %d, %lr : tensor<f32>, tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return %n : tensor<f32>
}

// -----

func.func @infinity(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %v: tensor<8xf32>, %w: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %e = math.sin %g : tensor<f32>
  %inf = arith.constant dense<0x7F800000> : tensor<f32>
  // expected-note @below {{has an unknown scale}}
  %d = arith.mulf %e, %inf : tensor<f32>
  // expected-error-re @below {{'cma.sgd' op expected gradient {{.*}} to have no loss scale, got an unknown scale}}
  %n = cma.sgd %w, %d, %lr : tensor<f32>, tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return %n : tensor<f32>
}

// -----

func.func @finite(%s: tensor<f32> {cma.name = "loss_scale"}, %x: tensor<f32>, %v: tensor<8xf32>, %w: tensor<f32>, %lr: tensor<f32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %g = arith.mulf %x, %s : tensor<f32>
  %e = math.sin %g : tensor<f32>
  %h = math.exp %g : tensor<f32>
  %c = math.isfinite %h : tensor<f32>
  // expected-note @below {{has an unknown scale}}
  %d = arith.select %c, %x, %z : tensor<i1>, tensor<f32>
  // expected-error-re @below {{'cma.sgd' op expected gradient {{.*}} to have no loss scale, got an unknown scale}}
  %n = cma.sgd %w, %d, %lr : tensor<f32>, tensor<f32>
  %f = cma.unscale %s () : tensor<f32>
  return %n : tensor<f32>
}
