// From tensors to the C entry.
// RUN: cma-opt %s --cma-to-cpu | FileCheck %s
// RUN: cma-opt %s --cma-to-cpu | mlir-translate --mlir-to-llvmir -o /dev/null
// RUN: cma-opt %s --cma-to-cpu=threads=false | FileCheck %s --check-prefix=SEQUENTIAL

// CHECK-NOT:   func.func
// CHECK:       llvm.func internal @cma_call_low_rank(
// CHECK:       llvm.mlir.global external constant @cma_entry_low_rank()
// CHECK:       llvm.func internal @cma_body_low_rank(
// CHECK:         omp.parallel
// SEQUENTIAL:  @cma_entry_low_rank()
// SEQUENTIAL-NOT: omp.parallel
func.func @low_rank(%x: tensor<4096x64xf32>, %a: tensor<64x8xf32>, %b: tensor<8x64xf32>) -> tensor<4096x64xf32> {
  %y = cma.contract "bi,ij,jk->bk" (%x, %a, %b) : (tensor<4096x64xf32>, tensor<64x8xf32>, tensor<8x64xf32>) -> tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}
