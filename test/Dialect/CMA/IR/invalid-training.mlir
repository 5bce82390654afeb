// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @first_beta_adamw_c1(%p: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.adamw' op expected 'beta1' to be at least 0 and below 1, got 1.0}}
  %0, %1, %2 = cma.adamw %p, %p, %lr, %t moments(%p, %p) {beta1 = 1.0 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @second_beta_adamw_c1(%p: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.adamw' op expected 'beta2' to be at least 0 and below 1, got -1.0}}
  %0, %1, %2 = cma.adamw %p, %p, %lr, %t moments(%p, %p) {beta2 = -1.0 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @epsilon_adamw_c2(%p: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.adamw' op expected 'epsilon' to be finite and not negative, got -1.0}}
  %0, %1, %2 = cma.adamw %p, %p, %lr, %t moments(%p, %p) {epsilon = -1.0 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @decay_adamw_c2(%p: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{'cma.adamw' op expected 'weight_decay' to be finite and not negative, got nan}}
  %0, %1, %2 = cma.adamw %p, %p, %lr, %t moments(%p, %p) {weight_decay = 0x7FF8000000000000 : f64} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @types_clip_by_global_norm_c1(%g: tensor<4xf32>) {
  // expected-error @below {{op inferred type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = "cma.clip_by_global_norm"(%g) {max_norm = 1.0 : f64} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f64>)
  return
}

// -----

func.func @zero_clip_by_global_norm_c2(%g: tensor<4xf32>) {
  // expected-error @below {{'cma.clip_by_global_norm' op expected 'max_norm' to be finite and above 0, got 0.0}}
  %0:2 = cma.clip_by_global_norm (%g) {max_norm = 0.0 : f64} : tensor<4xf32>
  return
}

// -----

func.func @negative_clip_by_global_norm_c2(%g: tensor<4xf32>) {
  // expected-error @below {{'cma.clip_by_global_norm' op expected 'max_norm' to be finite and above 0, got -1.0}}
  %0:2 = cma.clip_by_global_norm (%g) {max_norm = -1.0 : f64} : tensor<4xf32>
  return
}

// -----

func.func @infinite_clip_by_global_norm_c2(%g: tensor<4xf32>) {
  // expected-error @below {{'cma.clip_by_global_norm' op expected 'max_norm' to be finite and above 0, got INF}}
  %0:2 = cma.clip_by_global_norm (%g) {max_norm = 0x7FF0000000000000 : f64} : tensor<4xf32>
  return
}

// -----

func.func @types_unscale_c1(%s: tensor<f32>, %g: tensor<4xf16>) {
  // expected-error @below {{op inferred type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = "cma.unscale"(%s, %g) : (tensor<f32>, tensor<4xf16>) -> (tensor<4xf64>, tensor<i1>)
  return
}

// -----

func.func @one_update_loss_scale_c1(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'growth' to be finite and above 1, got 1.0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {growth = 1.0 : f64} : tensor<f32>
  return
}

// -----

func.func @infinite_update_loss_scale_c1(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'growth' to be finite and above 1, got INF}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {growth = 0x7FF0000000000000 : f64} : tensor<f32>
  return
}

// -----

func.func @nan_update_loss_scale_c1(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'growth' to be finite and above 1, got nan}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {growth = 0x7FF8000000000000 : f64} : tensor<f32>
  return
}

// -----

func.func @one_backoff_update_loss_scale_c2(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'backoff' to be above 0 and below 1, got 1.0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {backoff = 1.0 : f64} : tensor<f32>
  return
}

// -----

func.func @zero_backoff_update_loss_scale_c2(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'backoff' to be above 0 and below 1, got 0.0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {backoff = 0.0 : f64} : tensor<f32>
  return
}

// -----

func.func @interval_zero_update_loss_scale_c3(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'interval' to be from 1 to 2^31 - 1, got 0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {interval = 0 : i64} : tensor<f32>
  return
}

// -----

func.func @interval_large_update_loss_scale_c3(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'interval' to be from 1 to 2^31 - 1, got 2147483648}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {interval = 2147483648 : i64} : tensor<f32>
  return
}

// -----

func.func @hysteresis_zero_update_loss_scale_c3(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'hysteresis' to be from 1 to 2^31 - 1, got 0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {hysteresis = 0 : i64} : tensor<f32>
  return
}

// -----

func.func @delay_negative_update_loss_scale_c3(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 'delay' to be from 0 to 2^31 - 1, got -1}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {delay = -1 : i64} : tensor<f32>
  return
}

// -----

func.func @zero_minimum_update_loss_scale_c4(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 2^-126 <= 'minimum' <= 'maximum' <= 2^127, got 0.0}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {minimum = 0.0 : f64} : tensor<f32>
  return
}

// -----

func.func @crossed_update_loss_scale_c4(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 2^-126 <= 'minimum' <= 'maximum' <= 2^127, got 4.000000e+00 and 2.000000e+00}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {minimum = 4.0 : f64, maximum = 2.0 : f64} : tensor<f32>
  return
}

// -----

func.func @large_maximum_update_loss_scale_c4(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 2^-126 <= 'minimum' <= 'maximum' <= 2^127, got }}
  %0, %1 = cma.update_loss_scale %s, %n, %f {maximum = 3.0e38 : f64} : tensor<f32>
  return
}

// -----

func.func @nan_maximum_update_loss_scale_c4(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected 2^-126 <= 'minimum' <= 'maximum' <= 2^127, got }}
  %0, %1 = cma.update_loss_scale %s, %n, %f {maximum = 0x7FF8000000000000 : f64} : tensor<f32>
  return
}

// -----

func.func @missing_update_loss_scale_c5(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{expected a tracker and a new one exactly where 'hysteresis' is above 1, got no tracker and no new one for hysteresis 2}}
  %0, %1 = cma.update_loss_scale %s, %n, %f {hysteresis = 2 : i64} : tensor<f32>
  return
}

// -----

func.func @unused_update_loss_scale_c5(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) {
  // expected-error @below {{got a tracker and a new one for hysteresis 1}}
  %0, %1, %2 = cma.update_loss_scale %s, %n, %f hysteresis(%h) : tensor<f32>
  return
}

// -----

func.func @types_guard_c1(%f: tensor<i1>, %p: tensor<4xf32>, %q: tensor<5xf32>) {
  // expected-error @below {{op inferred type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "cma.guard"(%f, %p) ({
    cma.yield %p : tensor<4xf32>
  }) : (tensor<i1>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @count_guard_c2(%f: tensor<i1>, %p: tensor<4xf32>, %q: tensor<5xf32>) {
  // expected-error @below {{'cma.guard' op expected the region to yield 1 values, got 2}}
  %0 = cma.guard %f (%p) : tensor<4xf32> {
    cma.yield %p, %q : tensor<4xf32>, tensor<5xf32>
  }
  return
}

// -----

func.func @type_guard_c2(%f: tensor<i1>, %p: tensor<4xf32>, %q: tensor<5xf32>) {
  // expected-error @below {{'cma.guard' op expected yielded value #0 to have the old value's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = cma.guard %f (%p) : tensor<4xf32> {
    cma.yield %q : tensor<5xf32>
  }
  return
}

// -----

func.func @terminator_guard_c2(%f: tensor<i1>, %p: tensor<4xf32>, %q: tensor<5xf32>) {
  // expected-error @below {{'cma.guard' op expected the region to end with a cma.yield}}
  "cma.guard"(%f) ({
    ub.unreachable
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @effects_guard_c3(%f: tensor<i1>, %l: tensor<4xi64>) {
  // expected-error @below {{'cma.guard' op expected ops without side effects}}
  cma.guard %f () {
    // expected-note @below {{'cma.check_labels' has some}}
    cma.check_labels %l {num_classes = 3 : i64} : tensor<4xi64>
    cma.yield
  }
  return
}
