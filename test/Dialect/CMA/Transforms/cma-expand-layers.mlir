// Each layer becomes one contraction of the input and all weights.
// RUN: cma-opt %s --cma-expand-layers | FileCheck %s

// Leading axes are kept; the network keeps the layer's name.
// CHECK-LABEL: func @linear
// CHECK-SAME:    (%[[X:.+]]: tensor<2x8x6xf32>, %[[W:.+]]: tensor<6x4xf32>, %[[B:.+]]: tensor<4xf32>)
// CHECK-NEXT:  %[[Y:.+]] = cma.contract "abc,cd->abd" (%[[X]], %[[W]]) {cma.name = "head"}
// CHECK-NEXT:  %[[R:.+]] = cma.broadcast "a->bca" (%[[B]]) : (tensor<4xf32>) -> tensor<2x8x4xf32>
// CHECK-NEXT:  %[[Z:.+]] = arith.addf %[[Y]], %[[R]]
// CHECK-NEXT:  return %[[Z]]
func.func @linear(%x: tensor<2x8x6xf32>, %w: tensor<6x4xf32>, %b: tensor<4xf32>) -> tensor<2x8x4xf32> {
  %0 = cma.linear %x, %w bias(%b) {cma.name = "head"} : tensor<2x8x6xf32>, tensor<6x4xf32>, tensor<4xf32> -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// CHECK-LABEL: func @vector
// CHECK-SAME:    (%[[X:.+]]: tensor<6xf32>, %[[U:.+]]: tensor<6x2xf32>, %[[V:.+]]: tensor<2x4xf32>)
// CHECK-NEXT:  %[[Y:.+]] = cma.contract "a,ab,bc->c" (%[[X]], %[[U]], %[[V]])
// CHECK-NEXT:  return %[[Y]]
func.func @vector(%x: tensor<6xf32>, %u: tensor<6x2xf32>, %v: tensor<2x4xf32>) -> tensor<4xf32> {
  %0 = cma.low_rank_linear %x, %u, %v : tensor<6xf32>, tensor<6x2xf32>, tensor<2x4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The features are the digits of the modes, the first most significant; a gate is
// an operand on its bond.
// CHECK-LABEL: func @tt
// CHECK-SAME:    (%[[X:.+]]: tensor<8x6xf32>, %[[G0:.+]]: tensor<1x2x2xf32>, %[[G1:.+]]: tensor<2x3x2xf32>,
// CHECK-SAME:     %[[G2:.+]]: tensor<2x4x1xf32>, %[[D0:.+]]: tensor<2xf32>, %[[D1:.+]]: tensor<2xf32>)
// CHECK:       %[[XE:.+]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [8, 2, 3]
// CHECK:       %[[FIRST:.+]] = tensor.collapse_shape %[[G0]] {{\[}}[0, 1], [2]]
// CHECK:       %[[LAST:.+]] = tensor.collapse_shape %[[G2]] {{\[}}[0], [1, 2]]
// CHECK:       %[[Y:.+]] = cma.contract "abc,be,e,ecf,f,fd->ad" (%[[XE]], %[[FIRST]], %[[D0]], %[[G1]], %[[D1]], %[[LAST]])
// CHECK:       return %[[Y]]
func.func @tt(%x: tensor<8x6xf32>, %g0: tensor<1x2x2xf32>, %g1: tensor<2x3x2xf32>, %g2: tensor<2x4x1xf32>,
              %d0: tensor<2xf32>, %d1: tensor<2xf32>) -> tensor<8x4xf32> {
  %0 = cma.tt_linear %x, (%g0, %g1), (%g2) gates(%d0, %d1)
      : tensor<8x6xf32>, (tensor<1x2x2xf32>, tensor<2x3x2xf32>), (tensor<2x4x1xf32>), gates(tensor<2xf32>, tensor<2xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func @ttm
// CHECK:       %[[Y:.+]] = cma.contract "abc,bdf,fce->ade" {{.*}} -> tensor<8x2x2xf32>
// CHECK:       %[[Z:.+]] = tensor.collapse_shape %[[Y]] {{\[}}[0], [1, 2]]
// CHECK:       return %[[Z]]
func.func @ttm(%x: tensor<8x6xf32>, %g0: tensor<1x2x2x3xf32>, %g1: tensor<3x3x2x1xf32>) -> tensor<8x4xf32> {
  %0 = cma.ttm_linear %x, (%g0, %g1) : tensor<8x6xf32>, (tensor<1x2x2x3xf32>, tensor<3x3x2x1xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// One core: both its boundary axes go.
// CHECK-LABEL: func @one_core
// CHECK:       %[[C:.+]] = tensor.collapse_shape %{{.+}} {{\[}}[0, 1], [2, 3]] : tensor<1x6x5x1xf32> into tensor<6x5xf32>
// CHECK:       cma.contract "ab,bc->ac" (%{{.+}}, %[[C]])
func.func @one_core(%x: tensor<8x6xf32>, %g: tensor<1x6x5x1xf32>) -> tensor<8x5xf32> {
  %0 = cma.ttm_linear %x, (%g) : tensor<8x6xf32>, (tensor<1x6x5x1xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
