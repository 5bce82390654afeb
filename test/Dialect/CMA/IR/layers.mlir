// The layers, printed and read back.
// RUN: cma-opt %s | cma-opt | FileCheck %s
// RUN: cma-opt %s --mlir-print-op-generic | cma-opt | FileCheck %s

// CHECK-LABEL: func @linear
func.func @linear(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>, %b: tensor<4xf32>) {
  // CHECK: cma.linear %{{.+}}, %{{.+}} bias(%{{.+}}) : tensor<?x6xf32>, tensor<6x4xf32>, tensor<4xf32> -> tensor<?x4xf32>
  %0 = cma.linear %x, %w bias(%b) : tensor<?x6xf32>, tensor<6x4xf32>, tensor<4xf32> -> tensor<?x4xf32>
  // CHECK: cma.linear %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %1 = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @tt_linear
func.func @tt_linear(%x: tensor<32x6xf32>, %g0: tensor<1x6x3xf32>, %g1: tensor<3x4x1xf32>,
                     %d0: tensor<3xf32>, %b: tensor<4xf32>, %h: tensor<1x6x1xf32>) {
  // CHECK: cma.tt_linear %{{.+}}, (%{{.+}}), (%{{.+}}) gates(%{{.+}}) bias(%{{.+}}) : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), gates(tensor<3xf32>), tensor<4xf32> -> tensor<32x4xf32>
  %0 = cma.tt_linear %x, (%g0), (%g1) gates(%d0) bias(%b)
      : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), gates(tensor<3xf32>), tensor<4xf32> -> tensor<32x4xf32>
  // CHECK: cma.tt_linear %{{.+}}, (%{{.+}}), (%{{.+}}) gates(%{{[a-z0-9]+}}) : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), gates(tensor<3xf32>) -> tensor<32x4xf32>
  %1 = cma.tt_linear %x, (%g0), (%g1) gates(%d0)
      : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), gates(tensor<3xf32>) -> tensor<32x4xf32>
  // CHECK: cma.tt_linear %{{.+}}, (%{{.+}}), (%{{.+}}) bias(%{{[a-z0-9]+}}) : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), tensor<4xf32> -> tensor<32x4xf32>
  %2 = cma.tt_linear %x, (%g0), (%g1) bias(%b)
      : tensor<32x6xf32>, (tensor<1x6x3xf32>), (tensor<3x4x1xf32>), tensor<4xf32> -> tensor<32x4xf32>
  // CHECK: cma.tt_linear %{{.+}}, (%{{.+}}), (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : tensor<32x6xf32>, (tensor<1x6x1xf32>), (tensor<1x6x3xf32>, tensor<3x4x1xf32>) -> tensor<32x24xf32>
  %3 = cma.tt_linear %x, (%h), (%g0, %g1)
      : tensor<32x6xf32>, (tensor<1x6x1xf32>), (tensor<1x6x3xf32>, tensor<3x4x1xf32>) -> tensor<32x24xf32>
  return
}

// CHECK-LABEL: func @ttm_linear
func.func @ttm_linear(%x: tensor<2x32x6xf64>, %g0: tensor<1x2x2x3xf64>, %g1: tensor<3x3x2x1xf64>,
                      %d0: tensor<3xf64>, %b: tensor<4xf64>, %c: tensor<1x6x5x1xf64>) {
  // CHECK: cma.ttm_linear %{{.+}}, (%{{.+}}, %{{.+}}) gates(%{{.+}}) bias(%{{.+}}) : tensor<2x32x6xf64>, (tensor<1x2x2x3xf64>, tensor<3x3x2x1xf64>), gates(tensor<3xf64>), tensor<4xf64> -> tensor<2x32x4xf64>
  %0 = cma.ttm_linear %x, (%g0, %g1) gates(%d0) bias(%b)
      : tensor<2x32x6xf64>, (tensor<1x2x2x3xf64>, tensor<3x3x2x1xf64>), gates(tensor<3xf64>), tensor<4xf64> -> tensor<2x32x4xf64>
  // CHECK: cma.ttm_linear %{{.+}}, (%{{[a-z0-9]+}}) : tensor<2x32x6xf64>, (tensor<1x6x5x1xf64>) -> tensor<2x32x5xf64>
  %1 = cma.ttm_linear %x, (%c) : tensor<2x32x6xf64>, (tensor<1x6x5x1xf64>) -> tensor<2x32x5xf64>
  return
}

// CHECK-LABEL: func @low_rank_linear
func.func @low_rank_linear(%x: tensor<6xf32>, %u: tensor<6x0xf32>, %v: tensor<0x4xf32>, %b: tensor<4xf32>) {
  // CHECK: cma.low_rank_linear %{{.+}}, %{{.+}}, %{{.+}} bias(%{{.+}}) : tensor<6xf32>, tensor<6x0xf32>, tensor<0x4xf32>, tensor<4xf32> -> tensor<4xf32>
  %0 = cma.low_rank_linear %x, %u, %v bias(%b)
      : tensor<6xf32>, tensor<6x0xf32>, tensor<0x4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}
