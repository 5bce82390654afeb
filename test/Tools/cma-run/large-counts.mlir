// Counts of multiplications stay exact beyond 2^53 and 2^63: the naive nest of
// loops has 3 * 199^9.

// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/d x:F32:3x199=0.5
// RUN: %python %S/Inputs/tensors.py write %t/p w:F32:199x199=0.01
// RUN: cma-run eval %s --data %t/d --load %t/p --batch 3 --report %t/r | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t/r

// CHECK: planned multiplications of a batch 950,424{{$}}
// CHECK: naive multiplications of its forward pass 1,468,246,392,357,211,685,397{{$}}
// JSON: "planned_mults": 950424,
// JSON-NEXT: "naive_mults": 1468246392357211685397,
func.func @model(
    %x: tensor<?x199xf32> {cma.role = "data", cma.name = "x"},
    %w: tensor<199x199xf32> {cma.role = "parameter", cma.name = "w"})
    -> (tensor<f32> {cma.role = "loss"}) {
  %0 = cma.contract "za,ab,bc,cd,de,ef,fg,gh,hi->zi" (%x, %w, %w, %w, %w, %w, %w, %w, %w)
      : (tensor<?x199xf32>, tensor<199x199xf32>, tensor<199x199xf32>, tensor<199x199xf32>, tensor<199x199xf32>,
         tensor<199x199xf32>, tensor<199x199xf32>, tensor<199x199xf32>, tensor<199x199xf32>) -> tensor<?x199xf32>
  %loss = cma.mse %0, %x : tensor<?x199xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
