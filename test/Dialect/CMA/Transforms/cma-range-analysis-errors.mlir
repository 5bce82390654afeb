// RUN: not cma-opt %s --cma-range-analysis=low=f24 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not cma-opt %s --cma-range-analysis=ranges=x:nan:1 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not cma-opt %s --cma-range-analysis=ranges=x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not cma-opt %s --cma-range-analysis=ranges=x:0:1,x:0:2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not cma-opt %s --cma-range-analysis=ranges=i:0:1 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not cma-opt %s --cma-range-analysis=report=%t/none/r.json 2>&1 | FileCheck %s --check-prefix=FILE

// LOW: error: invalid option 'low': expected f32, f16, bf16, f8E4M3FN or f8E5M2, got 'f24'
// RANGE: error: invalid option 'ranges': expected <name>:<low>:<high> with finite low <= high, got 'x:nan:1'
// FORM: error: invalid option 'ranges': expected <name>:<low>:<high> with finite low <= high, got 'x'
// TWICE: error: invalid option 'ranges': expected one entry for each argument, got two for 'x'
// INTEGER: error: invalid option 'ranges': expected the name or position of a floating-point argument, got 'i'
// FILE: error: invalid option 'report': {{.*}}r.json
func.func @f(%x: tensor<4xf32> {cma.name = "x"}, %i: tensor<4xi32> {cma.name = "i"}) {
  return
}
