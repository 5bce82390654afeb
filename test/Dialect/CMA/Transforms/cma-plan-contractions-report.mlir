// RUN: cma-opt %s --cma-plan-contractions="objective=flops report=%t.json" -o /dev/null
// RUN: FileCheck %s --input-file=%t.json
// RUN: cma-opt %s --cma-plan-contractions="objective=flops report=%t.again.json" -o /dev/null
// RUN: grep -v search_ms %t.json > %t.1
// RUN: grep -v search_ms %t.again.json > %t.2
// RUN: diff %t.1 %t.2
// RUN: cma-opt %s --cma-plan-contractions --remarks-filter=cma-plan-contractions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK:      {
// CHECK-NEXT:  "networks": [
// CHECK-NEXT:   {
// CHECK-NEXT:    "function": "chain",
// CHECK-NEXT:    "name": "chain/0",
// CHECK-NEXT:    "equation": "ij,jk,kl->il",
// CHECK-NEXT:    "sizes": {"i": 2, "j": 30, "k": 3, "l": 40},
// CHECK-NEXT:    "objective": "flops",
// CHECK-NEXT:    "wanted": ["result"],
// CHECK-NEXT:    "path": {{\[\[0, 1\], \[0, 1\]\]}},
// CHECK-NEXT:    "mults": 420,
// CHECK-NEXT:    "flops": 840,
// CHECK-NEXT:    "step_mults": 420,
// CHECK-NEXT:    "largest_intermediate": 80,
// CHECK-NEXT:    "peak": 86,
// CHECK-NEXT:    "naive_mults": 7200,
// CHECK-NEXT:    "left_to_right_mults": 420,
// CHECK-NEXT:    "lower_bound": 840,
// CHECK-NEXT:    "proved_optimal": true,
// CHECK-NEXT:    "saved_bytes": 0,
// CHECK-NEXT:    "saturated": false,
// CHECK-NEXT:    "search_ms": {{[0-9.]+}}
// CHECK-NEXT:   },
// REMARK: remark: [Passed] Contraction | Category:cma-plan-contractions | Function=chain | left_to_right=420, mults=420, network=chain/0, optimal=yes, step_mults=420, steps=2
func.func @chain(%a: tensor<2x30xf32>, %b: tensor<30x3xf32>, %c: tensor<3x40xf32>) -> tensor<2x40xf32> {
  %0 = cma.contract "ij,jk,kl->il" (%a, %b, %c) : (tensor<2x30xf32>, tensor<30x3xf32>, tensor<3x40xf32>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// A path is reported as it stands, with the cost of the best one as the bound.
// One operand has no step, or one. Both are networks, named in order.
// CHECK:      "name": "given",
// CHECK:      "path": {{\[\[2, 1\], \[1, 0\]\]}},
// CHECK-NEXT: "mults": 6000,
// CHECK:      "left_to_right_mults": 420,
// CHECK-NEXT: "lower_bound": 840,
// CHECK-NEXT: "proved_optimal": false,
// CHECK:      "name": "others/1",
// CHECK:      "path": [],
// CHECK-NEXT: "mults": 0,
// CHECK:      "name": "others/2",
// CHECK:      "path": {{\[\[0\]\]}},
// CHECK-NEXT: "mults": 6,
// CHECK-NEXT: "flops": 12,
func.func @others(%a: tensor<2x30xf32>, %b: tensor<30x3xf32>, %c: tensor<3x40xf32>, %d: tensor<2x3x3xf32>) -> (tensor<2x40xf32>, tensor<3x2x3xf32>, tensor<2xf32>) {
  %0 = cma.contract "ij,jk,kl->il" (%a, %b, %c) {path = [[2, 1], [1, 0]], cma.name = "given"} : (tensor<2x30xf32>, tensor<30x3xf32>, tensor<3x40xf32>) -> tensor<2x40xf32>
  %1 = cma.contract "abc->bac" (%d) : (tensor<2x3x3xf32>) -> tensor<3x2x3xf32>
  %2 = cma.contract "abb->a" (%d) : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2x40xf32>, tensor<3x2x3xf32>, tensor<2xf32>
}

// Integers in full, beyond 64 and 128 bits.
// CHECK:      "name": "wide/0",
// CHECK:      "naive_mults": 1267650600228229401496703205376,
// CHECK:      "saturated": false,
// CHECK:      "name": "wide/1",
// CHECK:      "naive_mults": 340282366920938463463374607431768211455,
// CHECK:      "saturated": true,
func.func @wide(%a: tensor<1048576x1048576xf32>) -> (tensor<1048576x1048576xf32>, tensor<f32>) {
  %0 = cma.contract "ab,bc,cd,de->ae" (%a, %a, %a, %a) : (tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32>
  %1 = cma.contract "ab,bc,cd,de,ef,fg,gh->" (%a, %a, %a, %a, %a, %a, %a) : (tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>) -> tensor<f32>
  return %0, %1 : tensor<1048576x1048576xf32>, tensor<f32>
}
