// RUN: cma-opt %s --cma-assign-precision="policy=f16 report=%t.json" --remarks-filter="cma.*" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: cma-opt %s --cma-assign-precision | FileCheck %s --check-prefix=F32

// What the user wrote stays, also with the policy f32; the rest goes with it.
// CHECK: cma.contract {{.*}}#cma.precision<bf16, result = f32>, planned
// CHECK: cma.gelu {{.*}}#cma.precision<f32>
// CHECK: cma.contract {{.*}}#cma.precision<f16, result = f32>, planned
// F32: cma.contract {{.*}}#cma.precision<bf16, result = f32>, planned
// F32: cma.gelu {{.*}}#cma.precision<f32>
// F32: cma.contract {{.*}}#cma.precision<f32>, planned

// REMARK: [[@LINE+21]]:8: remark: [Passed] Precision | Category:cma-assign-precision | Function=f | Operands=bf16, Remark=cma.contract, Result=f32, Why=user
// REMARK: [Passed] Precision {{.*}} Remark=cma.gelu, Result=f32, Why=user

// JSON:      "function": "f",
// JSON:      "value": "%0",
// JSON-NEXT: "op": "cma.contract",
// JSON-NEXT: "operand_type": "bf16",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "reason": "user"
// JSON:      "value": "%1",
// JSON-NEXT: "op": "cma.gelu",
// JSON-NEXT: "operand_type": "f32",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "reason": "user"
// JSON:      "value": "%2",
// JSON-NEXT: "op": "cma.contract",
// JSON-NEXT: "operand_type": "f16",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "reason": "cost"

func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %h = cma.contract "bi,ij->bj" (%x, %w)
      {cma.precision = #cma.precision<bf16, result = f32>, planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %y = cma.gelu %h {cma.precision = #cma.precision<f32>} : tensor<8x4xf32>
  %z = cma.contract "bi,ij->bj" (%y, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %z : tensor<8x4xf32>
}

// A list of carried types is the user's, too, and what the report names.
// JSON:      "function": "listed",
// JSON:      "op": "scf.if",
// JSON-NEXT: "operand_type": "f16",
// JSON-NEXT: "type": "f16",
// JSON-NEXT: "reason": "user"
// CHECK-LABEL: func.func @listed
// CHECK: cma.precision = #cma.precision<f32>, cma.result_types = [f16]
func.func @listed(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  } {cma.result_types = [f16]}
  return %0 : tensor<4xf32>
}
