// Sums of gradients grow where they are, and become zero there again.
// RUN: cma-opt %s --cma-train="batch=8 optimizer=adamw loss-scale=dynamic accumulate=2" --cma-to-cpu --mlir-disable-threading --mlir-print-ir-after=cma-lower-copies -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @cma_body_model_accumulate(
// CHECK-SAME:      %{{[a-z0-9]+}}: memref<6x4xf32>, %[[SUM:[a-z0-9]+]]: memref<6x4xf32>
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %{{.+}} : memref<6x4xf32>, memref<6x4xf32>) outs(%[[SUM]] : memref<6x4xf32>)
// CHECK:           arith.addf
// CHECK-NOT:     memref.copy
// CHECK-NOT:     outs(%[[SUM]]
// CHECK:         return

// CHECK-LABEL: func.func @cma_body_model_apply(
// CHECK-SAME:      %[[P:[a-z0-9]+]]: memref<6x4xf32>, %[[M:[a-z0-9]+]]: memref<6x4xf32>, %[[V:[a-z0-9]+]]: memref<6x4xf32>, %[[SUM:[a-z0-9]+]]: memref<6x4xf32>
// CHECK-NOT:     memref.alloc() {{.*}} : memref<6x4xf32>
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} outs(%[[P]], %[[M]], %[[V]] : memref<6x4xf32>, memref<6x4xf32>, memref<6x4xf32>)
// CHECK:           arith.select
// CHECK-NOT:     memref.alloc() {{.*}} : memref<6x4xf32>
// CHECK:         linalg.fill ins(%{{.+}} : f32) outs(%[[SUM]] : memref<6x4xf32>)
// CHECK-NOT:     linalg.generic {{.*}} : memref<6x4xf32>)
// CHECK:         return
func.func @model(%x: tensor<?x6xf32> {cma.role = "data", cma.name = "x"}, %t: tensor<?x4xf32> {cma.role = "data", cma.name = "t"},
                 %w: tensor<6x4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %y = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %loss = cma.mse %y, %t : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
