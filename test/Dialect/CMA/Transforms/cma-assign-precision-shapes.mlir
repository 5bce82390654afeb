// RUN: cma-opt %s --cma-assign-precision="policy=custom type=f8E4M3FN allow=cma.contract target=sm_90 report=%t.json" --remarks-filter-missed="cma.*" -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: cma-opt %s --cma-assign-precision="policy=custom type=f8E4M3FN allow=cma.contract" | FileCheck %s --check-prefix=CPU
// RUN: cma-opt %s --cma-assign-precision="policy=f16 target=sm_90" | FileCheck %s --check-prefix=F16

// Cores of a tensor train with ranks of 8: a target with instructions for f8
// sums 32 products at a time. Grouped with a mode of 4, they are as many. The
// CPU computes everything in f32, and f16 is not that far ahead.
// REMARK: [[@LINE+23]]:8: remark: [Missed] Precision | Category:cma-assign-precision | Function=cores | Operands=bf16, Remark="cma.contract reads bf16 where its sums do not fill what the target sums at a time in the low type", Result=f32, Summed=8
// REMARK: [[@LINE+27]]:8: {{.*}} Function=cores {{.*}} Summed=?
// REMARK-NOT: Missed
// CHECK-LABEL: func.func @cores
// CHECK: cma.contract "arb,bsc->arsc" {{.*}}#cma.precision<bf16, result = f32>, planned
// CHECK: cma.contract "tba,arb->tr" {{.*}}#cma.precision<f8E4M3FN, result = f32>, planned
// CHECK: cma.contract "tk,kn->tn" {{.*}}#cma.precision<bf16, result = f32>, planned
// CHECK: cma.contract "tk,kn->nt" {{.*}}#cma.precision<bf16>, planned
// CPU-LABEL: func.func @cores
// CPU-COUNT-3: cma.contract {{.*}}#cma.precision<f8E4M3FN, result = f32>, planned
// F16-LABEL: func.func @cores
// F16: cma.contract {{.*}}#cma.precision<f16{{.*}}>, planned
// F16: cma.contract {{.*}}#cma.precision<f16{{.*}}>, planned
// JSON: "op": "cma.contract",
// JSON-NEXT: "operand_type": "bf16",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "reason": "shape"
// JSON: "operand_type": "f8E4M3FN",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "reason": "list"
func.func @cores(%a: tensor<4x4x8xf32>, %b: tensor<8x4x8xf32>, %t: tensor<5x8x4xf32>,
                 %x: tensor<5x?xf32>, %y: tensor<?x3xf32>)
    -> (tensor<4x4x4x8xf32>, tensor<5x4xf32>, tensor<5x3xf32>, tensor<3x5xf32>) {
  %0 = cma.contract "arb,bsc->arsc" (%a, %b) {planned}
      : (tensor<4x4x8xf32>, tensor<8x4x8xf32>) -> tensor<4x4x4x8xf32>
  %1 = cma.contract "tba,arb->tr" (%t, %a) {planned}
      : (tensor<5x8x4xf32>, tensor<4x4x8xf32>) -> tensor<5x4xf32>
  // No extent is known; the user's word is the last one.
  %2 = cma.contract "tk,kn->tn" (%x, %y) {planned}
      : (tensor<5x?xf32>, tensor<?x3xf32>) -> tensor<5x3xf32>
  %3 = cma.contract "tk,kn->nt" (%x, %y) {cma.precision = #cma.precision<bf16>, planned}
      : (tensor<5x?xf32>, tensor<?x3xf32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3 : tensor<4x4x4x8xf32>, tensor<5x4xf32>, tensor<5x3xf32>, tensor<3x5xf32>
}
