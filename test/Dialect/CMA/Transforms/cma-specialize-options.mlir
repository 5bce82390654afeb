// RUN: not cma-opt %s --cma-specialize=batch=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not cma-opt %s --cma-specialize=batch=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cma-opt %s --cma-specialize=batch=many 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not cma-opt %s --cma-specialize=function=other 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not cma-opt %s --cma-specialize=batch=9223372036854775807 2>&1 | FileCheck %s --check-prefix=HUGE

// ZERO: error: expected 'batch' to be at least 1, got 0
// NEGATIVE: error: expected 'batch' to be at least 1, got -3
// WORD: 'many' value invalid for long argument
// FUNCTION: error: expected a function '@other'; the module has @model
// HUGE: expected argument 'x' to have at most 2^63 - 1 elements, got 'tensor<?x2xf32>' with batch 9223372036854775807
func.func @model(%x: tensor<?x2xf32> {cma.name = "x"}) -> tensor<?x2xf32> {
  return %x : tensor<?x2xf32>
}
