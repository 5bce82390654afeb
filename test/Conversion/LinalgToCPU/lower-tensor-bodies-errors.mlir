// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-tensor-bodies))' --split-input-file --verify-diagnostics

func.func @dynamic(%v: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected static shapes where the padding is computed from tensors, got 'tensor<?xf32>' to 'tensor<?xf32>'}}
  %p = tensor.pad %v low[1] high[2] {
  ^bb0(%i: index):
    %s = arith.negf %v : tensor<?xf32>
    %e = tensor.extract %s[%c0] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

func.func @linalg(%v: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @below {{expected a body that computes scalars only, got one that computes a tensor}}
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    // expected-note @below {{the tensor is computed here}}
    %s = arith.mulf %v, %v : tensor<3xf32>
    %x = tensor.extract %s[%i] : tensor<3xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %g : tensor<3xf32>
}
