// The cotangent of a loss below f32 is the scale, divided in f32 and then
// rounded; it must not round, whatever scale may come.
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=static:1024 --cma-verify-scales | FileCheck %s --check-prefix=F16
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step="loss-scale=dynamic:init=1024,min=0.0078125,max=65000 accumulate=4" --cma-verify-scales | FileCheck %s --check-prefix=PARTS
// RUN: cma-opt %s --cma-differentiate --cma-build-train-step=accumulate=4 | FileCheck %s --check-prefix=NONE
// RUN: sed s/f16/bf16/g %s | cma-opt --cma-differentiate --cma-build-train-step=loss-scale=dynamic --cma-verify-scales | FileCheck %s --check-prefix=BF16
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=static:65536 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=static:4097 2>&1 | FileCheck %s --check-prefix=INEXACT
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=dynamic:init=1024 2>&1 | FileCheck %s --check-prefix=MIN
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=megatron:init=1024 2>&1 | FileCheck %s --check-prefix=MAX
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=megatron:init=1024,max=4096,growth=3 2>&1 | FileCheck %s --check-prefix=GROWTH
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step="loss-scale=static:1024 accumulate=3" 2>&1 | FileCheck %s --check-prefix=THIRDS
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=accumulate=3 2>&1 | FileCheck %s --check-prefix=UNSCALED
// RUN: not cma-opt %s --cma-differentiate --cma-build-train-step=loss-scale=dynamic:init=2047,min=0.0078125,max=32768 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: sed s/f16/bf16/g %s | not cma-opt --cma-differentiate --cma-build-train-step=loss-scale=static:257 2>&1 | FileCheck %s --check-prefix=BF16INEXACT

// F16: func.func @model_step(
// F16-SAME: %[[S:[a-z0-9]*]]: tensor<f32> {{{[^}]*}}cma.name = "loss_scale"
// F16: %[[D:.*]] = arith.truncf %[[S]] : tensor<f32> to tensor<f16>
// F16: arith.extf %[[D]] : tensor<f16> to tensor<f32>

// PARTS: func.func @model_accumulate(
// PARTS-SAME: %[[S:[a-z0-9]*]]: tensor<f32> {{{[^}]*}}cma.name = "loss_scale"
// PARTS: %[[FOUR:.*]] = arith.constant dense<4.000000e+00> : tensor<f32>
// PARTS: %[[Q:.*]] = arith.divf %[[S]], %[[FOUR]] : tensor<f32>
// PARTS: arith.truncf %[[Q]] : tensor<f32> to tensor<f16>

// NONE: arith.constant dense<2.500000e-01> : tensor<f16>

// BF16: %[[S:[a-z0-9]*]]: tensor<f32> {{{[^}]*}}cma.name = "loss_scale"
// BF16: arith.truncf %[[S]] : tensor<f32> to tensor<bf16>

// LARGE: error: {{.*}}expected each loss scale to be a number of 'f16', the type of the loss, got 65536 for 'static'; a loss of f32 takes any scale
// INEXACT: got 4097 for 'static'
// MIN: got 1.17549e-38 for 'min'
// MAX: got 1.70141e+38 for 'max'
// GROWTH: got 3 for 'growth'
// THIRDS: expected each loss scale, divided by the 3 parts of 'accumulate', to be a number of 'f16', the type of the loss, got 1024 for 'static'
// UNSCALED: divided by the 3 parts of 'accumulate', to be a number of 'f16', the type of the loss, got 1 for 'none'
// ODD: got 2047 for 'init'
// BF16INEXACT: to be a number of 'bf16', the type of the loss, got 257 for 'static'
func.func @model(
    %w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"},
    %x: tensor<4xf32> {cma.role = "data", cma.name = "x"})
    -> (tensor<f16> {cma.role = "loss"}) {
  %sum = cma.contract "i,i->" (%w, %x) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %loss = arith.truncf %sum : tensor<f32> to tensor<f16>
  return %loss : tensor<f16>
}
