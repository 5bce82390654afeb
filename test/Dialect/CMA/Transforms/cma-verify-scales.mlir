// What cma-build-train-step makes has the scales that it should have, through
// loops, sums of gradients and activations.
// RUN: cma-opt %s --cma-expand-layers --cma-plan-contractions --cma-differentiate --cma-build-train-step="optimizer=adamw loss-scale=dynamic clip=1" --cma-verify-scales -o /dev/null
// RUN: cma-opt %s --cma-expand-layers --cma-plan-contractions --cma-differentiate --cma-build-train-step="loss-scale=static:8 accumulate=3" --cma-verify-scales --canonicalize --cse --cma-verify-scales -o /dev/null
// RUN: cma-opt %s --cma-expand-layers --cma-plan-contractions --cma-differentiate --cma-build-train-step="loss-scale=dynamic" --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-scales -o /dev/null
// RUN: cma-opt %s --cma-verify-scales | FileCheck %s

// CHECK: func.func @model
func.func @model(%x: tensor<8x4xf32> {cma.role = "data", cma.name = "x"},
                 %l: tensor<8xi64> {cma.role = "data", cma.name = "l"},
                 %w: tensor<4x4xf32> {cma.role = "parameter", cma.name = "w"},
                 %g: tensor<4xf32> {cma.role = "parameter", cma.name = "g"})
    -> (tensor<f32> {cma.role = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<8x4xf32>) {
    %0 = cma.linear %a, %w : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
    %1 = cma.layer_norm %0 scale(%g) shift(%g) : tensor<8x4xf32> scale(tensor<4xf32>) shift(tensor<4xf32>)
    %2 = cma.gelu %1 : tensor<8x4xf32>
    %3 = math.tanh %2 : tensor<8x4xf32>
    %4 = cma.relu %3 : tensor<8x4xf32>
    %5 = cma.softmax %4 : tensor<8x4xf32>
    %6 = arith.addf %5, %a : tensor<8x4xf32>
    scf.yield %6 : tensor<8x4xf32>
  }
  %loss = cma.cross_entropy %h, %l : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %loss : tensor<f32>
}

// Zeros have any scale; two scales multiply.

func.func @algebra(%s: tensor<f32>, %t: tensor<f32>, %x: tensor<f32>) -> tensor<i1> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %a = arith.mulf %x, %s : tensor<f32>
  %b = arith.addf %a, %zero : tensor<f32>
  %c = arith.mulf %b, %t : tensor<f32>
  %d = arith.divf %c, %s : tensor<f32>
  %e, %f = cma.unscale %t (%d) : tensor<f32>, tensor<f32>
  %g:3 = cma.unscale %s (%a, %zero) : tensor<f32>, tensor<f32>, tensor<f32>
  return %f : tensor<i1>
}
