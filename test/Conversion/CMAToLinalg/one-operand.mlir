// Contractions of one operand, broadcasts, and axes of extent 1.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID3:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$SWAP:.+]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: #[[$TRACE:.+]] = affine_map<(d0, d1) -> (d1, d1, d0)>
// CHECK-DAG: #[[$LAST:.+]] = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @transpose
func.func @transpose(%x: tensor<8x2x3x4xi64>) -> tensor<8x4x2x3xi64> {
  // CHECK: %[[A:.+]] = tensor.collapse_shape %{{.+}} {{\[}}[0], [1, 2], [3]]
  // CHECK: %[[B:.+]] = linalg.generic {indexing_maps = [#[[$SWAP]], #[[$ID3]]]{{.*}} ins(%[[A]]
  // CHECK: ^bb0(%[[IN:.+]]: i64, %{{.+}}: i64):
  // CHECK-NEXT: linalg.yield %[[IN]]
  // CHECK: tensor.expand_shape %[[B]] {{\[}}[0], [1], [2, 3]] output_shape [8, 4, 2, 3]
  %y = cma.contract "bijk->bkij" (%x) : (tensor<8x2x3x4xi64>) -> tensor<8x4x2x3xi64>
  return %y : tensor<8x4x2x3xi64>
}

// CHECK-LABEL: func @trace_and_sum
func.func @trace_and_sum(%x: tensor<3x3x5xf32>) -> tensor<5xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$TRACE]],
  // CHECK-SAME: ["parallel", "reduction"]
  %y = cma.contract "aab->b" (%x) : (tensor<3x3x5xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// Sums and permutations of axes of extent 1 are reshapes.
// CHECK-LABEL: func @extent_one
// CHECK-NOT: linalg
// CHECK: return
func.func @extent_one(%x: tensor<1x8x1xf32>) -> (tensor<8x1xf32>, tensor<1x1x8x1xf32>) {
  %y = cma.contract "abc->bc" (%x) : (tensor<1x8x1xf32>) -> tensor<8x1xf32>
  %z = cma.broadcast "abc->adbc" (%x) : (tensor<1x8x1xf32>) -> tensor<1x1x8x1xf32>
  return %y, %z : tensor<8x1xf32>, tensor<1x1x8x1xf32>
}

// CHECK-LABEL: func @repeat
func.func @repeat(%x: tensor<4xf32>) -> tensor<8x4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$LAST]],
  // CHECK-SAME: ["parallel", "parallel"]
  %y = cma.broadcast "n->bn" (%x) : (tensor<4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// CHECK-LABEL: func @embed
func.func @embed(%x: tensor<4xi1>) -> tensor<3x3x4xi1> {
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[IN:.+]]: i1, %{{.+}}: i1):
  // CHECK-DAG: %[[I:.+]] = linalg.index 0
  // CHECK-DAG: %[[J:.+]] = linalg.index 1
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[I]], %[[J]]
  // CHECK: %[[ZERO:.+]] = arith.constant false
  // CHECK: arith.select %[[EQ]], %[[IN]], %[[ZERO]]
  %y = cma.broadcast "b->aab" (%x) : (tensor<4xi1>) -> tensor<3x3x4xi1>
  return %y : tensor<3x3x4xi1>
}

// A sum over nothing is zero; an empty result needs no loop.
// CHECK-LABEL: func @empty
func.func @empty(%x: tensor<2x0xf32>, %w: tensor<0x3xf32>) -> (tensor<2x3xf32>, tensor<0x2xf32>) {
  // CHECK-NOT: linalg.generic
  // CHECK: %[[ZERO:.+]] = linalg.fill ins(%{{.+}} : f32) outs(%{{.+}} : tensor<2x3xf32>)
  // CHECK-NOT: linalg.generic
  // CHECK: return %[[ZERO]]
  %y = cma.contract "ij,jk->ik" (%x, %w) : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  %z = cma.contract "ij->ji" (%x) : (tensor<2x0xf32>) -> tensor<0x2xf32>
  return %y, %z : tensor<2x3xf32>, tensor<0x2xf32>
}
