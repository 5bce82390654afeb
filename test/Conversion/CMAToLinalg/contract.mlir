// Contractions become linalg.generic with maps that name each loop once.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-DAG: #[[$LEFT:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$RIGHT:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$DIAGONAL:.+]] = affine_map<(d0) -> (d0, d0)>
// CHECK-DAG: #[[$BATCH_LEFT:.+]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[$BATCH_RIGHT:.+]] = affine_map<(d0, d1, d2, d3) -> (d3, d2, d0)>
// CHECK-DAG: #[[$BATCH_RESULT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// Labels side by side in every tensor are one loop.
// CHECK-LABEL: func @joined
// CHECK-SAME:    (%[[X:.+]]: tensor<8x2x3x4xf32>, %[[W:.+]]: tensor<2x3x4x5xf32>)
func.func @joined(%x: tensor<8x2x3x4xf32>, %w: tensor<2x3x4x5xf32>) -> tensor<8x5xf32> {
  // CHECK: %[[A:.+]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2, 3]]
  // CHECK: %[[B:.+]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1, 2], [3]]
  // CHECK: %[[ZERO:.+]] = linalg.fill ins(%{{.+}} : f32)
  // CHECK: linalg.generic
  // CHECK-SAME: indexing_maps = [#[[$LEFT]], #[[$RIGHT]], #[[$RESULT]]]
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK-SAME: ins(%[[A]], %[[B]] : tensor<8x24xf32>, tensor<24x5xf32>) outs(%[[ZERO]]
  // CHECK: ^bb0(%[[L:.+]]: f32, %[[R:.+]]: f32, %[[ACC:.+]]: f32):
  // CHECK: %[[P:.+]] = arith.mulf %[[L]], %[[R]]
  // CHECK: %[[S:.+]] = arith.addf %[[ACC]], %[[P]]
  // CHECK: linalg.yield %[[S]]
  %y = cma.contract "bijk,ijkr->br" (%x, %w)
      : (tensor<8x2x3x4xf32>, tensor<2x3x4x5xf32>) -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// The operand that holds the result's last axis stands right.
// CHECK-LABEL: func @batched
// CHECK-SAME:    (%[[X:.+]]: tensor<7x4x5xf32>, %[[W:.+]]: tensor<6x4x7xf32>)
func.func @batched(%x: tensor<7x4x5xf32>, %w: tensor<6x4x7xf32>) -> tensor<4x6x5xf32> {
  // CHECK: linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  // CHECK-SAME: ins(%[[W]], %[[X]]
  %y = cma.contract "kbn,mbk->bmn" (%x, %w)
      : (tensor<7x4x5xf32>, tensor<6x4x7xf32>) -> tensor<4x6x5xf32>
  return %y : tensor<4x6x5xf32>
}

// CHECK-LABEL: func @last_is_batch
func.func @last_is_batch(%x: tensor<4x6x7xf32>, %w: tensor<7x5x6xf32>) -> tensor<6x4x5xf32> {
  // CHECK: linalg.generic
  // CHECK-SAME: indexing_maps = [#[[$BATCH_LEFT]], #[[$BATCH_RIGHT]], #[[$BATCH_RESULT]]]
  %y = cma.contract "mbk,knb->bmn" (%x, %w)
      : (tensor<4x6x7xf32>, tensor<7x5x6xf32>) -> tensor<6x4x5xf32>
  return %y : tensor<6x4x5xf32>
}

// A diagonal and a label of one operand only are dealt with before.
// CHECK-LABEL: func @once_only
func.func @once_only(%x: tensor<3x3xf64>, %w: tensor<3x5x2xf64>) -> tensor<3x5xf64> {
  // CHECK: %[[D:.+]] = linalg.generic {{.*}}#[[$DIAGONAL]]{{.*}}["parallel"]
  // CHECK: %[[S:.+]] = linalg.generic {{.*}}["parallel", "parallel", "reduction"]
  // CHECK: linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[D]], %[[S]]
  // CHECK: arith.mulf
  // CHECK-NOT: arith.addf
  %y = cma.contract "aa,acd->ac" (%x, %w)
      : (tensor<3x3xf64>, tensor<3x5x2xf64>) -> tensor<3x5xf64>
  return %y : tensor<3x5xf64>
}
