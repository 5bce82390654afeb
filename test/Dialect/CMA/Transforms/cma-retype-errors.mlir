// RUN: cma-opt %s --cma-retype --split-input-file --verify-diagnostics
// RUN: not cma-opt %s --cma-retype=to=f16 2>&1 | FileCheck %s --check-prefix=TO
// RUN: not cma-opt %s --cma-retype=from=i32 2>&1 | FileCheck %s --check-prefix=FROM

// TO: expected 'to' to be f32 or f64, got 'f16'
// FROM: expected 'from' to be f32 or f64, got 'i32'

// expected-error @+1 {{expected numbers, tensors, vectors, memrefs or functions of 'f32' to retype, got '(complex<f32>) -> ()'}}
func.func @complex(%c: complex<f32>) {
  return
}

// -----

func.func @resource() -> tensor<2xf32> {
  // expected-error @+1 {{expected a number or dense elements to retype}}
  %c = arith.constant dense_resource<blob> : tensor<2xf32>
  return %c : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}
