// Only buffers of known size can move.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-hoist-allocas))' --verify-diagnostics

func.func @f(%n: index) {
  // expected-error @below {{'memref.alloca' op expected a static shape, got 'memref<?xf32>'}}
  %a = memref.alloca(%n) : memref<?xf32>
  return
}
