// A pass that fails leaves no output, and a file that cannot be read or written
// is named.
// RUN: rm -rf %t && mkdir %t
// RUN: not cma-opt %s --cma-differentiate -o %t/out 2>&1 | FileCheck %s
// RUN: not cma-opt %s --cma-to-cpu -o %t/out
// RUN: not cma-opt %s -o %t/no/out 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not cma-opt %s -o %t 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// RUN: not cma-opt %t/none 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not cma-opt %t 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: ls %t | count 0

// OUTPUT: cannot open output file '{{.*}}no/out': No such file or directory
// DIRECTORY: cannot open output file '{{.*}}': Is a directory
// INPUT: cannot open input file '{{.*}}': {{No such file or directory|Is a directory}}

// CHECK: output.mlir:[[#@LINE+1]]:1: error: {{.*}}expected argument #0 to have a static shape
func.func @f(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = cma.relu %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
