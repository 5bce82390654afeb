// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/i x:F32:2=1,2 w:F32:2=3,5 1:F32:2=3,5 cotangent:F32:2=1,10

// By default with respect to the parameters, else to every floating argument.
// RUN: cma-run grad %s --function loss --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=LOSS
// LOSS: 0:F32:-=13
// LOSS-NEXT: 1:F32:2=3,10
// LOSS-NEXT: grad.w:F32:2=1,2
// LOSS-NOT: {{.}}
func.func @loss(%x: tensor<2xf32> {cma.role = "data", cma.name = "x"}, %w: tensor<2xf32> {cma.role = "parameter", cma.name = "w"})
    -> (tensor<f32> {cma.role = "loss"}, tensor<2xf32>) {
  %0 = arith.mulf %x, %w : tensor<2xf32>
  %1 = cma.contract "i->" (%0) : (tensor<2xf32>) -> tensor<f32>
  return %1, %0 : tensor<f32>, tensor<2xf32>
}
// RUN: cma-run grad %s --function loss --inputs %t/i --outputs %t/o --wanted x,w
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=WANTED
// WANTED: grad.w:F32:2=1,2
// WANTED-NEXT: grad.x:F32:2=3,5

// The result is no scalar: the input `cotangent`. Unnamed arguments count.
// RUN: cma-run grad %s --function product --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: 0:F32:2=3,10
// PRODUCT-NEXT: 1:I64:1=4
// PRODUCT-NEXT: grad.1:F32:2=1,20
// PRODUCT-NEXT: grad.x:F32:2=3,50
func.func @product(%x: tensor<2xf32> {cma.name = "x"}, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xi64>) {
  %0 = arith.mulf %x, %w : tensor<2xf32>
  %1 = arith.constant dense<4> : tensor<1xi64>
  return %0, %1 : tensor<2xf32>, tensor<1xi64>
}

// Errors: which result, which arguments, no cotangent.
// RUN: rm %t/o
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --inputs %t/i --outputs %t/o --function two | FileCheck %s --check-prefix=TWO
// TWO: error:
// TWO: cma-run: error: cannot compile @two of
func.func @two(%x: tensor<2xf32> {cma.name = "x"}) -> (tensor<2xf32>, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --inputs %t/i --outputs %t/o --function loss --wanted v | FileCheck %s --check-prefix=NAME
// NAME: cma-run: error: --wanted: @loss has no argument 'v'; it has: x, w
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --inputs %t/i --outputs %t/o --function loss --wanted w,1 | FileCheck %s --check-prefix=TWICE
// TWICE: cma-run: error: --wanted: '1' is there twice
// RUN: %python %S/Inputs/tensors.py write %t/i x:F32:2=1,2 1:F32:2=3,5
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --inputs %t/i --outputs %t/o --function product | FileCheck %s --check-prefix=COTANGENT
// COTANGENT: i': expected a tensor 'cotangent', since the differentiated result is no scalar: F32 tensor of shape 2
// RUN: ls %t | count 1
