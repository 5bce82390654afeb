// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/i x:F32:2x3=1,2,3,4,5,6 w:F64:-=0.5 2:I64:2=7,-8
// RUN: cma-run call %s --function named --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=NAMED
// RUN: cma-run call %s --function=same --inputs=%t/i --outputs=%t/o 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=SAME
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:0x3= 1:F32:3x2=1
// RUN: cma-run call %s --function batch --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=ZERO
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:5x3=1 1:F32:3x2=1
// RUN: cma-run call %s --function batch --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=FIVE
// RUN: %python %S/Inputs/tensors.py write %t/i 0:I32:4=1,2,3,4
// RUN: cma-run call %s --function linalg --inputs %t/i --outputs %t/o
// RUN: %python %S/Inputs/tensors.py print %t/o | FileCheck %s --check-prefix=LINALG

// Arguments go by name or position; a scalar, a wider type, integers.
// NAMED: 0:F32:3x2=1,4,2,5,3,6
// NAMED-NEXT: 1:F64:-=0.5
// NAMED-NEXT: 2:I64:0=
// NAMED-NEXT: 3:I64:2=7,-8
func.func @named(%a: tensor<2x3xf32> {cma.name = "x"}, %b: tensor<f64> {cma.name = "w"}, %c: tensor<2xi64>)
    -> (tensor<3x2xf32>, tensor<f64>, tensor<0xi64>, tensor<2xi64>) {
  %0 = cma.contract "ij->ji" (%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = tensor.empty() : tensor<0xi64>
  return %0, %b, %1, %c : tensor<3x2xf32>, tensor<f64>, tensor<0xi64>, tensor<2xi64>
}

// One value twice, an argument twice; what no argument takes is a warning.
// UNUSED: cma-run: warning: '{{.*}}i': no argument of @same takes tensor 'w'
// UNUSED: cma-run: warning: '{{.*}}i': no argument of @same takes tensor '2'
// SAME: 0:F32:2x3=2,4,6,8,10,12
// SAME-NEXT: 1:F32:2x3=2,4,6,8,10,12
// SAME-NEXT: 2:F32:2x3=1,2,3,4,5,6
// SAME-NEXT: 3:F32:2x3=1,2,3,4,5,6
func.func @same(%x: tensor<2x3xf32> {cma.name = "x"})
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = arith.addf %x, %x : tensor<2x3xf32>
  return %0, %0, %x, %x : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// ZERO: 0:F32:0x2=
// FIVE: 0:F32:5x2=3,3,3,3,3,3,3,3,3,3
func.func @batch(%x: tensor<?x3xf32>, %w: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %0 = cma.linear %x, %w : tensor<?x3xf32>, tensor<3x2xf32> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// LINALG: 0:I32:4=2,4,6,8
func.func @linalg(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
