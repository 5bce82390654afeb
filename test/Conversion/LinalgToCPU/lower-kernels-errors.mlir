// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels))' --verify-diagnostics

func.func @tensors(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{expected memref operands only; bufferise first}}
  %0 = linalg.fill ins(%zero : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
