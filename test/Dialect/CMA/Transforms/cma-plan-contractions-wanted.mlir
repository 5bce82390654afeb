// RUN: cma-opt %s --cma-plan-contractions="objective=mults report=%t.auto" -o /dev/null
// RUN: FileCheck %s --check-prefix=AUTO --input-file=%t.auto
// RUN: cma-opt %s --cma-plan-contractions="objective=mults wanted=all report=%t.all" -o /dev/null
// RUN: FileCheck %s --check-prefix=ALL --input-file=%t.all
// RUN: cma-opt %s --cma-plan-contractions="objective=mults wanted=2,result,0,2 report=%t.list" -o /dev/null
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t.list
// RUN: cma-opt %s --cma-plan-contractions="objective=mults wanted=1 compute-type=bf16 report=%t.grad" -o /dev/null
// RUN: FileCheck %s --check-prefix=GRAD --input-file=%t.grad

// Operand 1 is the parameter. Towards it and the result, the steps that hold
// it on one side and x on the other are paid for twice.
// AUTO:      "name": "model/0",
// AUTO:      "wanted": ["result", 1],
// AUTO-NEXT: "path": {{\[\[2, 3\], \[1, 2\], \[0, 1\]\]}},
// AUTO-NEXT: "mults": 528,
// AUTO:      "step_mults": 984,
// AUTO:      "saved_bytes": 72,
// ALL:       "name": "model/0",
// ALL:       "wanted": ["result", 0, 1, 2, 3],
// ALL:       "mults": 528,
// ALL:       "step_mults": 1584,
// LIST:      "wanted": ["result", 0, 2],
// GRAD:      "wanted": [1],
// GRAD:      "step_mults": 528,
// GRAD:      "saved_bytes": 0,
// AUTO:      "name": "model/1",
// AUTO:      "wanted": ["result", 0],
func.func @model(%x: tensor<16x4xf32> {cma.role = "data", cma.name = "x"},
                 %u: tensor<4x3xf32> {cma.role = "parameter", cma.name = "u"},
                 %v: tensor<3x4xf32> {cma.role = "state", cma.name = "v"},
                 %w: tensor<4x6xf32>) -> (tensor<16x6xf32>, tensor<16xf32>) {
  %0 = cma.contract "bi,ir,rj,jo->bo" (%x, %u, %v, %w) : (tensor<16x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<16x6xf32>
  // What is computed from a parameter depends on it, through any op and region.
  %lo = arith.constant 0 : index
  %hi = arith.constant 2 : index
  %step = arith.constant 1 : index
  %1 = scf.for %i = %lo to %hi step %step iter_args(%s = %0) -> (tensor<16x6xf32>) {
    %t = arith.addf %s, %s : tensor<16x6xf32>
    scf.yield %t : tensor<16x6xf32>
  }
  %2 = cma.contract "bo,bi,ij->b" (%1, %x, %w) : (tensor<16x6xf32>, tensor<16x4xf32>, tensor<4x6xf32>) -> tensor<16xf32>
  return %0, %2 : tensor<16x6xf32>, tensor<16xf32>
}

// Without a parameter, the result alone.
// AUTO:      "name": "plain/0",
// AUTO:      "wanted": ["result"],
func.func @plain(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>) -> tensor<2x5xf32> {
  %0 = cma.contract "ij,jk,kl->il" (%a, %b, %c) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
