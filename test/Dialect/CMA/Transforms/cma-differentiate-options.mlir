// RUN: not cma-opt %s --cma-differentiate=wanted=w 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not cma-opt %s --cma-differentiate=wanted=x,3 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not cma-opt %s --cma-differentiate=wanted=x,0 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not cma-opt %s --cma-differentiate=wanted=1 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not cma-opt %s --cma-differentiate=wanted=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cma-opt %s --cma-differentiate=function=g 2>&1 | FileCheck %s --check-prefix=FUNCTION

// UNKNOWN: expected 'wanted' to hold argument names or positions below 2, got 'w'
// RANGE: expected 'wanted' to hold argument names or positions below 2, got '3'
// TWICE: expected 'wanted' to name argument #0 once, got '0' for it again
// INTEGER: expected wanted argument '1' to be floating-point, got 'tensor<4xi32>'
// NEGATIVE: expected 'wanted' to hold argument names or positions below 2, got '-1'
// FUNCTION: expected a function '@g'; the module has @f
func.func @f(%x: tensor<4xf32> {cma.name = "x"}, %i: tensor<4xi32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
