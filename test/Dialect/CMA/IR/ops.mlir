// Every op of the dialect but the layers, printed and read back.
// RUN: cma-opt %s | cma-opt | FileCheck %s
// RUN: cma-opt %s --mlir-print-op-generic | cma-opt | FileCheck %s
// RUN: cma-opt %s --emit-bytecode | cma-opt | FileCheck %s

// CHECK-LABEL: func @contract
func.func @contract(%x: tensor<8x4xf32>, %w: tensor<4x5xf32>, %v: tensor<5x6xf32>, %i: tensor<3x3xi1>) {
  // CHECK: cma.contract "bi,ij,jk->bk" (%{{.+}}, %{{.+}}, %{{.+}}) {path = {{\[}}[1, 2], [0, 1]]} : (tensor<8x4xf32>, tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  %0 = cma.contract "bi,ij,jk->bk" (%x, %w, %v) {path = [[1, 2], [0, 1]]}
      : (tensor<8x4xf32>, tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  // Blanks go, braces stay where a label has several characters.
  // CHECK: cma.contract "b{in_0},{in_0}J->bJ" (%{{.+}}, %{{.+}}) {planned}
  %1 = cma.contract " b {in_0} , {in_0}{J} -> bJ " (%x, %w) {planned}
      : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  // CHECK: cma.contract "aa->a" (%{{.+}}) : (tensor<3x3xi1>) -> tensor<3xi1>
  %2 = cma.contract "aa->a" (%i) : (tensor<3x3xi1>) -> tensor<3xi1>
  return
}

// Extents may be zero or unknown.
// CHECK-LABEL: func @extents
func.func @extents(%x: tensor<?x0xf64>, %w: tensor<0x5xf64>, %s: tensor<f64>) {
  // CHECK: cma.contract "bi,ij->bj"
  %0 = cma.contract "bi,ij->bj" (%x, %w) : (tensor<?x0xf64>, tensor<0x5xf64>) -> tensor<?x5xf64>
  // CHECK: cma.contract ",,->" (%{{.+}}, %{{.+}}, %{{.+}})
  %1 = cma.contract ",,->" (%s, %s, %s) : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
  return
}

// CHECK-LABEL: func @broadcast
func.func @broadcast(%x: tensor<4xf32>, %i: tensor<i64>) {
  // CHECK: cma.broadcast "n->bnn" (%{{.+}}) : (tensor<4xf32>) -> tensor<2x4x4xf32>
  %0 = cma.broadcast "n->bnn" (%x) : (tensor<4xf32>) -> tensor<2x4x4xf32>
  // CHECK: cma.broadcast "->b" (%{{.+}}) : (tensor<i64>) -> tensor<?xi64>
  %1 = cma.broadcast "->b" (%i) : (tensor<i64>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<8x4xf32>, %g: tensor<4xf32>) {
  // CHECK: cma.relu %{{.+}} : tensor<8x4xf32>
  %0 = cma.relu %x : tensor<8x4xf32>
  // CHECK: cma.gelu %{{[a-z0-9]+}} : tensor<8x4xf32>
  %1 = cma.gelu %x : tensor<8x4xf32>
  // CHECK: cma.gelu %{{.+}} approximate(tanh) : tensor<8x4xf32>
  %2 = cma.gelu %x approximate(tanh) : tensor<8x4xf32>
  // CHECK: cma.gelu_grad %{{.+}}, %{{.+}} approximate(tanh) : tensor<8x4xf32>
  %3 = cma.gelu_grad %x, %0 approximate(tanh) : tensor<8x4xf32>
  // CHECK: cma.softmax %{{.+}} : tensor<8x4xf32>
  %4 = cma.softmax %x : tensor<8x4xf32>
  // CHECK: cma.layer_norm %{{[a-z0-9]+}} : tensor<8x4xf32>
  %5 = cma.layer_norm %x : tensor<8x4xf32>
  // CHECK: cma.layer_norm %{{.+}} scale(%{{.+}}) {epsilon = 1.000000e-03 : f64} : tensor<8x4xf32> scale(tensor<4xf32>)
  %6 = cma.layer_norm %x scale(%g) {epsilon = 1.0e-3 : f64} : tensor<8x4xf32> scale(tensor<4xf32>)
  // CHECK: cma.layer_norm %{{.+}} shift(%{{.+}}) : tensor<8x4xf32> shift(tensor<4xf32>)
  %7 = cma.layer_norm %x shift(%g) : tensor<8x4xf32> shift(tensor<4xf32>)
  // CHECK: cma.layer_norm_grad %{{.+}}, %{{.+}} {epsilon = 1.000000e-03 : f64} : tensor<8x4xf32>
  %8 = cma.layer_norm_grad %x, %x {epsilon = 1.0e-3 : f64} : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func @losses
func.func @losses(%x: tensor<8x10xf32>, %t: tensor<8xi32>, %c: tensor<f32>) {
  // CHECK: cma.mse %{{.+}}, %{{.+}} : tensor<8x10xf32> -> tensor<f32>
  %0 = cma.mse %x, %x : tensor<8x10xf32> -> tensor<f32>
  // CHECK: cma.cross_entropy %{{.+}}, %{{.+}} {ignore_index = -1 : i64} : tensor<8x10xf32>, tensor<8xi32> -> tensor<f32>
  %1 = cma.cross_entropy %x, %t {ignore_index = -1 : i64} : tensor<8x10xf32>, tensor<8xi32> -> tensor<f32>
  // CHECK: cma.cross_entropy_grad %{{.+}}, %{{.+}}, %{{.+}} : tensor<8x10xf32>, tensor<8xi32>, tensor<f32>
  %2 = cma.cross_entropy_grad %x, %t, %c : tensor<8x10xf32>, tensor<8xi32>, tensor<f32>
  // CHECK: cma.check_labels %{{.+}} {argument = "t", ignore_index = -1 : i64, num_classes = 10 : i64} : tensor<8xi32>
  cma.check_labels %t {num_classes = 10 : i64, ignore_index = -1 : i64, argument = "t"} : tensor<8xi32>
  return
}

// CHECK-LABEL: func @sgd
func.func @sgd(%p: tensor<4xf64>, %g: tensor<4xf64>, %m: tensor<4xf64>, %lr: tensor<f32>) {
  // CHECK: cma.sgd %{{.+}}, %{{.+}}, %{{.+}} : tensor<4xf64>, tensor<f32>
  %0 = cma.sgd %p, %g, %lr : tensor<4xf64>, tensor<f32>
  // CHECK: cma.sgd %{{.+}}, %{{.+}}, %{{.+}} momentum(%{{.+}}) {momentum = 9.000000e-01 : f64, weight_decay = 1.000000e-02 : f64} : tensor<4xf64>, tensor<f32>
  %1, %2 = cma.sgd %p, %g, %lr momentum(%m) {momentum = 0.9 : f64, weight_decay = 0.01 : f64}
      : tensor<4xf64>, tensor<f32>
  return
}
