// Constraints that hold for every op, and of attributes.
// RUN: cma-opt %s --split-input-file --verify-diagnostics

func.func @operand_cma_c1(%x: tensor<4294967296x4294967296xf32>) {
  // expected-error @below {{'cma.relu' op expected operand #0 to have at most 2^63 - 1 elements, got 'tensor<4294967296x4294967296xf32>'}}
  %0 = cma.relu %x : tensor<4294967296x4294967296xf32>
  return
}

// -----

func.func @result_cma_c1(%x: tensor<4294967296xf32>) {
  // expected-error @below {{'cma.contract' op expected result #0 to have at most 2^63 - 1 elements, got 'tensor<4294967296x4294967296xf32>'}}
  %0 = cma.contract "i,j->ij" (%x, %x)
      : (tensor<4294967296xf32>, tensor<4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return
}

// -----

// expected-error @below {{expected 'cma.role' of argument #0 to be "parameter", "state", "data", "lr", "step", "cotangent" or "view", got "weight"}}
func.func @argument_role_cma_c2(%w: tensor<4xf32> {cma.role = "weight"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.role' of argument #0 to be "parameter", "state", "data", "lr", "step", "cotangent" or "view", got 1 : i64}}
func.func @role_kind_cma_c2(%w: tensor<4xf32> {cma.role = 1}) {
  return
}

// -----

// expected-error @below {{expected 'cma.role' of result #0 to be "loss", "logits", "metric", "gradient" or "found_inf", got "data"}}
func.func @result_role_cma_c2(%w: tensor<f32>)
    -> (tensor<f32> {cma.role = "data"}) {
  return %w : tensor<f32>
}

// -----

// expected-error @below {{expected argument #0 of role "parameter" to have a 'cma.name'}}
func.func @no_name_cma_c3(%w: tensor<4xf32> {cma.role = "parameter"}) {
  return
}

// -----

// expected-error @below {{expected argument #0 of role "state" to have a 'cma.name'}}
func.func @no_state_name_cma_c3(%w: tensor<4xf32> {cma.role = "state"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.name' of argument #0 to be a non-empty string without NUL, got ""}}
func.func @empty_name_cma_c3(%w: tensor<4xf32> {cma.name = ""}) {
  return
}

// -----

// expected-error @below {{expected 'cma.name' of argument #1 to be a non-empty string without NUL, got "w\00b"}}
func.func @nul_name_cma_c3(%a: tensor<4xf32> {cma.name = "w"}, %b: tensor<4xf32> {cma.name = "w\00b"}) {
  return
}

// -----

// expected-error @below {{expected distinct argument names, got "w" for arguments #0 and #1}}
func.func @same_name_cma_c3(%a: tensor<4xf32> {cma.name = "w"}, %b: tensor<4xf32> {cma.name = "w"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.init' of argument #0 to be a #cma.init on a floating-point tensor, or zeros or a whole constant on a tensor of integers, got "zeros" on 'tensor<4xf32>'}}
func.func @init_attribute_cma_c4(%w: tensor<4xf32> {cma.init = "zeros"}) {
  return
}

// -----

// expected-error @below {{to be a #cma.init on a floating-point tensor, or zeros or a whole constant on a tensor of integers, got #cma.init<normal, std = 1.000000e+00> on 'tensor<4xi32>'}}
func.func @init_type_cma_c4(%w: tensor<4xi32> {cma.init = #cma.init<normal, std = 1.0>}) {
  return
}

// -----

// expected-error @below {{or zeros or a whole constant on a tensor of integers, got #cma.init<constant, value = 5.000000e-01> on 'tensor<i32>'}}
func.func @init_half_cma_c4(%w: tensor<i32> {cma.init = #cma.init<constant, value = 0.5>}) {
  return
}

// -----

// expected-error @below {{expected 'cma.updates' of result #0 to name an argument, got "w"}}
func.func @unknown_argument_cma_c5(%w: tensor<4xf32> {cma.name = "v"})
    -> (tensor<4xf32> {cma.updates = "w"}) {
  return %w : tensor<4xf32>
}

// -----

// expected-error @below {{expected result #0 to have the type of argument "w", which it updates: 'tensor<4xf32>', got 'tensor<2xf32>'}}
func.func @other_type_cma_c5(%w: tensor<4xf32> {cma.name = "w"}, %v: tensor<2xf32>)
    -> (tensor<2xf32> {cma.updates = "w"}) {
  return %v : tensor<2xf32>
}

// -----

// expected-error @below {{expected one result that updates argument "w", got #0 and #1}}
func.func @updated_twice_cma_c5(%w: tensor<4xf32> {cma.name = "w"})
    -> (tensor<4xf32> {cma.updates = "w"}, tensor<4xf32> {cma.updates = "w"}) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{expected result #0 of role "loss" to be a scalar floating-point tensor, got 'tensor<1xf32>'}}
func.func @loss_type_cma_c6(%w: tensor<1xf32>)
    -> (tensor<1xf32> {cma.role = "loss"}) {
  return %w : tensor<1xf32>
}

// -----

// expected-error @below {{expected one result of role "loss", got #0 and #1}}
func.func @two_losses_cma_c6(%w: tensor<f32>)
    -> (tensor<f32> {cma.role = "loss"}, tensor<f32> {cma.role = "loss"}) {
  return %w, %w : tensor<f32>, tensor<f32>
}

// -----

// expected-error @below {{expected 'cma.name' of result #0 to be a non-empty string without NUL, got unit}}
func.func @result_name_cma_c7(%w: tensor<f32>)
    -> (tensor<f32> {cma.name}) {
  return %w : tensor<f32>
}

// -----

// expected-error @below {{expected 'cma.gradient' of result #0 to be a non-empty string without NUL, got 1 : i64}}
func.func @gradient_name_cma_c7(%w: tensor<f32>)
    -> (tensor<f32> {cma.gradient = 1}) {
  return %w : tensor<f32>
}

// -----

func.func @op_name_cma_c7(%x: tensor<2xf32>) {
  // expected-error @below {{'cma.contract' op expected 'cma.name' to be a non-empty string without NUL, got 3 : i64}}
  %0 = cma.contract "i->" (%x) {cma.name = 3} : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

// expected-error @below {{unknown argument attribute 'cma.rule'}}
func.func @unknown_argument_attribute(%w: tensor<f32> {cma.rule = "data"}) {
  return
}

// -----

// expected-error @below {{unknown result attribute 'cma.rule'}}
func.func @unknown_result_attribute(%w: tensor<f32>)
    -> (tensor<f32> {cma.rule = "data"}) {
  return %w : tensor<f32>
}

// -----

// expected-error @below {{expected 'std' to be finite and not negative, got -1.000000e+00}}
func.func @normal_init_c1() attributes {a = #cma.init<normal, std = -1.0>} { return }

// -----

// expected-error @below {{expected 'std' to be finite and not negative, got -1.000000e+00}}
func.func @tt_core_init_c1() attributes {a = #cma.init<tt_core, std = -1.0, cores = 2>} { return }

// -----

// expected-error @below {{expected finite 'low' <= 'high', got 1.000000e+00 and -1.000000e+00}}
func.func @order_init_c2() attributes {a = #cma.init<uniform, low = 1.0, high = -1.0>} { return }

// -----

// expected-error @below {{expected finite 'low' <= 'high', got 0.000000e+00 and INF}}
func.func @infinite_init_c2() attributes {a = #cma.init<uniform, low = 0.0, high = 1.0e999>} { return }

// -----

// expected-error @below {{expected 'value' to be finite, got INF}}
func.func @constant_init_c3() attributes {a = #cma.init<constant, value = 1.0e999>} { return }

// -----

// expected-error @below {{expected 'cores' to be at least 1, got 0}}
func.func @cores_init_c4() attributes {a = #cma.init<tt_core, std = 1.0, cores = 0>} { return }

// -----

// expected-error @below {{expected 'zeros', 'constant', 'normal', 'uniform' or 'tt_core', got 'xavier'}}
func.func @unknown_init() attributes {a = #cma.init<xavier>} { return }

// -----

// expected-error @below {{expected ','}}
func.func @missing_field() attributes {a = #cma.init<normal>} { return }

// -----

// expected-error @below {{expected 'cma.scaled_by' of argument #0 to name another argument, a scalar floating-point tensor, got "s"}}
func.func @scaled_by_nothing_cma_c9(%g: tensor<4xf32> {cma.scaled_by = "s"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.scaled_by' of argument #0 to name another argument, a scalar floating-point tensor, got "g"}}
func.func @scaled_by_itself_cma_c9(%g: tensor<f32> {cma.name = "g", cma.scaled_by = "g"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.scaled_by' of argument #0 to name another argument, a scalar floating-point tensor, got "s"}}
func.func @scaled_by_vector_cma_c9(%g: tensor<4xf32> {cma.scaled_by = "s"}, %s: tensor<4xf32> {cma.name = "s"}) {
  return
}

// -----

func.func @misspelt_cma_c13(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{unknown attribute 'cma.precison'; those of ops are 'cma.name', 'cma.precision', 'cma.result_types', 'cma.result_range' and 'cma.entry'}}
  %0 = arith.addf %x, %x {cma.precison = #cma.precision<f16>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @misplaced_cma_c13(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{unknown attribute 'cma.role'}}
  %0 = cma.relu %x {cma.role = "state"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
