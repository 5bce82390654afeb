// RUN: cma-opt %s --split-input-file --verify-diagnostics --cma-verify-precision="target=sm_75 legalized"
// RUN: not cma-opt %s --split-input-file --cma-verify-precision=target=none 2>&1 | FileCheck %s

// CHECK: error: invalid option 'target': expected one of cpu, sm_75, sm_80, sm_89, sm_90, sm_100, got 'none'

func.func @linalg_sum_verify_precision_c1(%x: tensor<4x4xf16>, %y: tensor<4x4xf16>)
    -> tensor<4x4xf16> {
  // expected-error @below {{expected sums in f32 or wider, got an accumulator of 'f16'}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf16>, tensor<4x4xf16>)
      outs(%y : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

func.func @loss_verify_precision_c2(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @below {{expected 'cma.precision' to be a type that the op may have, got 'f16'}}
  %0 = cma.mse %x, %x {cma.precision = #cma.precision<f16>} : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @f64_verify_precision_c3(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{expected 'cma.precision' to leave f64 as it is, got 'f32'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<f32>} : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @twice_verify_precision_c4(%x: tensor<4xf32>)
    -> (tensor<4xf16>, tensor<4xf16>) {
  // expected-note @below {{the first is here}}
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf16>
  // expected-error @below {{expected one cast of a value to 'tensor<4xf16>' in a block, got another}}
  %1 = cma.cast %x : tensor<4xf32> to tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}

// -----

func.func @nothing_verify_precision_c4(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a cast to another type, got 'tensor<4xf32>' for both}}
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected argument 'w' of role "parameter" to be f32 or wider, got 'f16'}}
func.func @parameter_verify_precision_c5(
    %w: tensor<4xf16> {cma.name = "w", cma.role = "parameter"}) {
  return
}

// -----

func.func @type_verify_precision_c6(%x: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  // expected-error @below {{expected types that target sm_75 contracts, got 'bf16'}}
  %0 = cma.contract "ij,jk->ik" (%x, %x) {planned}
      : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// -----

func.func @f8_verify_precision_c6(%x: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  // expected-error @below {{expected no arithmetic on f8 or tf32 behind cma-legalize-floats}}
  %0 = arith.addf %x, %x : tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// -----

// The backward pass must read what the forward pass made.
func.func @twins_verify_precision_c7(%x: tensor<4xf32>)
    -> (tensor<4xf16>, tensor<4xf32>) {
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf16>
  // expected-note @below {{computed in 'f16' here}}
  %1 = cma.gelu %0 : tensor<4xf16>
  // expected-error @below {{expected a value to be computed in one type, got 'f32'}}
  %2 = cma.gelu %x : tensor<4xf32>
  return %1, %2 : tensor<4xf16>, tensor<4xf32>
}

// -----

func.func @sum_verify_precision_c8(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected carried value #0, which the body adds to, to be f32 or wider, got 'f16'}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> tensor<4xf16> {
    %0 = arith.addf %s, %x : tensor<4xf16>
    scf.yield %0 : tensor<4xf16>
  }
  return %r : tensor<4xf16>
}

// -----

func.func @incomplete_verify_precision_c9(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cma.gelu %x {cma.precision = #cma.precision<f16>} : tensor<4xf32>
  // expected-error @below {{expected a 'cma.precision', which other ops have}}
  %1 = cma.gelu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
