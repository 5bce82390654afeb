// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-batch-loops{tile=-1}))' --verify-diagnostics

// expected-error@+1 {{expected option 'tile' to be 0 or more, got -1}}
func.func @f(%a: memref<4xf32>) {
  return
}
