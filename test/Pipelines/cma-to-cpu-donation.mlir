// Momentum SGD updates its buffers where they are: no allocation, no copy.
// RUN: cma-opt %s --cma-to-cpu --mlir-disable-threading --mlir-print-ir-after=cma-lower-copies -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @cma_body_step(
// CHECK-SAME:      %[[P:[a-z0-9]+]]: memref<8x4xf32>, %[[M:[a-z0-9]+]]: memref<8x4xf32>, %[[G:[a-z0-9]+]]: memref<8x4xf32>, %[[LR:[a-z0-9]+]]: memref<f32>
// CHECK-SAME:      workspace = 0 : i64
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} ins(%[[G]], %[[LR]] : {{.*}}) outs(%[[P]], %[[M]] : memref<8x4xf32>, memref<8x4xf32>)
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @step(%p: tensor<8x4xf32> {cma.name = "w", cma.role = "parameter"},
                %m: tensor<8x4xf32> {cma.name = "w.momentum", cma.role = "state"},
                %g: tensor<8x4xf32>, %lr: tensor<f32> {cma.role = "lr"})
    -> (tensor<8x4xf32> {cma.updates = "w"}, tensor<8x4xf32> {cma.updates = "w.momentum"}) {
  %p1, %m1 = cma.sgd %p, %g, %lr momentum(%m) {momentum = 0.9 : f64} : tensor<8x4xf32>, tensor<f32>
  return %p1, %m1 : tensor<8x4xf32>, tensor<8x4xf32>
}
