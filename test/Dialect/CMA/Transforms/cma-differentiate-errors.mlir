// RUN: cma-opt %s --cma-differentiate --split-input-file --verify-diagnostics

func.func @unplanned(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // expected-error @+1 {{expected at most 2 operands to differentiate, got 3; run cma-plan-contractions first}}
  %y = cma.contract "ab,bc,cd->ad" (%a, %b, %c) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// -----

func.func @layer(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'cma.linear' op expected no layer to differentiate; run cma-expand-layers first}}
  %y = cma.linear %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{expected argument #0 to have a static shape to differentiate, got 'tensor<?xf32>'; run cma-specialize first}}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

func.func @no_derivative(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'math.clampf' op has no derivative}}
  %y = math.clampf %a to [%a, %a] : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// An op without a derivative that no gradient passes is no error.
func.func @not_on_the_way(%a: tensor<2xf32> {cma.role = "parameter", cma.name = "a"}, %b: tensor<2xf32>) -> tensor<2xf32> {
  %c = math.clampf %b to [%b, %b] : tensor<2xf32>
  %y = arith.mulf %a, %c : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @call(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'func.call' op has no derivative}}
  %y = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}

// -----

func.func @branch(%a: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  // expected-error @+1 {{'scf.if' op has no derivative}}
  %y = scf.if %c -> tensor<2xf32> {
    scf.yield %a : tensor<2xf32>
  } else {
    %z = arith.negf %a : tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

func.func @trip_count(%a: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op expected a constant trip count to differentiate}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<2xf32>) {
    %z = arith.negf %x : tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

// expected-error @+1 {{expected a result of role "loss" or exactly one floating-point result to differentiate, got 2 floating-point results}}
func.func @two_results(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %a, %a : tensor<2xf32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{expected a floating-point argument to differentiate by}}
func.func @no_argument(%a: tensor<2xi32>) -> tensor<2xf32> {
  %y = arith.sitofp %a : tensor<2xi32> to tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// expected-error @+1 {{expected the name '@taken_backward' to be free for the backward function}}
func.func @taken(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
// expected-note @+1 {{it is taken here}}
func.func private @taken_backward()

// -----

// expected-error @+1 {{expected one public function, or one with a result of role "loss", to choose by itself; the module has @first, @second}}
module {
  func.func @first(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @second(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
}
