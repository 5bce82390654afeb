// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/i x:F32:4x2=1 1:F32:3x2=1
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=WHICH
// WHICH: call-errors.mlir': name one of the public functions with --function: @axis, @pair, @label
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function hidden --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: call-errors.mlir': no public function @hidden; public functions: @axis, @pair, @label
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function pair --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=DISAGREE
// DISAGREE: i': tensors 'x' and '1': expected one extent for the '?' of @pair, got 4 and 3
// RUN: %python %S/Inputs/tensors.py write %t/i x:F32:4x2=1
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function pair --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=MISSING
// MISSING: i': no tensor '1' for argument 1 of @pair
// RUN: %python %S/Inputs/tensors.py write %t/i x:F64:4x2=1 1:F32:4x2=1
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function pair --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=TYPE
// TYPE: i': tensor 'x': expected F32 tensor of shape ?x2, got F64 tensor of shape 4x2
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:2x3=1 1:I32:2=1,3
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function label --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=LABEL
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --function label --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=LABEL
// LABEL: i': tensor '1': row 1: expected a label from 0 to 2, got 3
// RUN: %python %S/Inputs/tensors.py write %t/i 0:F32:4x2=1
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function axis --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=AXIS
// RUN: %python %S/Inputs/expect.py 1 cma-run grad %s --function axis --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=AXIS
// AXIS: [[#@LINE+1]]:1: error: {{.*}}expected '?' on the first axis only, got one on axis 1 of argument '0', 'tensor<4x?xf32>'
func.func @axis(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %a : tensor<4x?xf32>
}
// RUN: %python %S/Inputs/tensors.py raw %t/i '{"x":{"dtype":"F99","shape":[],"data_offsets":[0,4]}}' 4
// RUN: %python %S/Inputs/expect.py 1 cma-run call %s --function pair --inputs %t/i --outputs %t/o | FileCheck %s --check-prefix=DTYPE
// DTYPE: i': tensor 'x': unknown dtype 'F99'
// RUN: ls %t | count 1

func.func @pair(%a: tensor<?x2xf32> {cma.name = "x"}, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = arith.addf %a, %b : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func private @hidden(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @label(%a: tensor<?x3xf32>, %b: tensor<?xi32>) -> tensor<f32> {
  %0 = cma.cross_entropy %a, %b : tensor<?x3xf32>, tensor<?xi32> -> tensor<f32>
  return %0 : tensor<f32>
}
