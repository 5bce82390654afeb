// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:4=1.0234375,1.0009765625,65519,65520
// RUN: cma-run call %s --function cube --precision bf16 --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=BF16
// RUN: cma-run call %s --function scaled --precision f16 --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=F16
// RUN: cma-run call %s --function scaled --precision tf32 --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=TF32
// RUN: cma-run call %s --function scaled --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=WIDE
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:1x2=300,-300
// RUN: cma-run call %s --function norm --precision f16 --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=NORM
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:1x2=12,0
// RUN: cma-run call %s --function masked --precision f16 --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=MASKED

// x x + x in bf16 rounds the product, too: 2.0625, not 2.078125.
// BF16: 0:F32:4=2.0625,
func.func @cube(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %b = cma.contract "i,i->i" (%x, %one) {cma.precision = #cma.precision<bf16>, planned}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = arith.mulf %b, %b {cma.precision = #cma.precision<bf16>} : tensor<4xf32>
  %1 = arith.addf %0, %b {cma.precision = #cma.precision<bf16>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The operand is rounded, the result of the last contraction is f32.
// F16: 0:F32:4=1.02344,1.00098,65504,inf
// TF32: 0:F32:4=1.02344,1.00098,65504,65536
// WIDE: 0:F32:4=1.02344,1.00098,65519,65520
func.func @scaled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = cma.contract "i,i->i" (%x, %one) {planned}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// 300^2 is beyond f16; a norm computes in f32 inside.
// NORM: 0:F32:1x2=1,-1
func.func @norm(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %0 = cma.layer_norm %x {cma.precision = #cma.precision<f16>} : tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// A row that is wholly masked is uniform and no NaN.
// MASKED: 0:F32:1x2=0.5,0.5
func.func @masked(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %mask = arith.constant dense<-65504.0> : tensor<1x2xf32>
  %all = arith.constant dense<true> : tensor<1x2xi1>
  %0 = arith.select %all, %mask, %x {cma.precision = #cma.precision<f16>}
      : tensor<1x2xi1>, tensor<1x2xf32>
  %1 = cma.softmax %0 {cma.precision = #cma.precision<f16>} : tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}
