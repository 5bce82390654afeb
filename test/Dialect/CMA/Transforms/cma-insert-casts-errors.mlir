// RUN: cma-opt %s --split-input-file --verify-diagnostics --cma-insert-casts
// RUN: not cma-opt %s --split-input-file --cma-insert-casts=report=%t/none/r.json -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: {{.*}}'cma.precision'

func.func @incomplete(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<f16>} : tensor<4xf32>
  // expected-error @below {{'cma.gelu' op expected a 'cma.precision' on every op with tensors of floats; run cma-assign-precision first}}
  %1 = cma.gelu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @illegal(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @below {{expected 'cma.precision' to be a type that the op may have, got 'bf16'}}
  %0 = cma.mse %x, %x {cma.precision = #cma.precision<bf16>} : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a 'cma.precision' on every op}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> tensor<4xf32> {
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @carried_types(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected 'cma.result_types' to hold one element type for each of the 1 results, got [f16, f16]}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> tensor<4xf32> {
    scf.yield %s : tensor<4xf32>
  } {cma.precision = #cma.precision<f32>, cma.result_types = [f16, f16]}
  return %r : tensor<4xf32>
}
