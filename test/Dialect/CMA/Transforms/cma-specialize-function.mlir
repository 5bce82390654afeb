// RUN: cma-opt %s --cma-specialize="batch=5 function=first" | FileCheck %s
// RUN: cma-opt %s --cma-specialize | FileCheck %s --check-prefix=DEFAULT

// One function alone is specialised where it is named; the batch is 1 by default.

// CHECK: func.func @first(%{{.*}}: tensor<5xf32>) -> tensor<5xf32>
// CHECK: func.func @second(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
// DEFAULT: func.func @first(%{{.*}}: tensor<1xf32>) -> tensor<1xf32>
// DEFAULT: func.func @second(%{{.*}}: tensor<1xf32>) -> tensor<1xf32>
func.func @first(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @second(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
