// A step with loss scaling and AdamW passes over parameters and moments once,
// where they are: the gradient's product with the reciprocal scale, the update
// and the choice are one op. Nothing is copied.
// RUN: cma-opt %s --cma-train="batch=8 optimizer=adamw weight-decay=0.1 loss-scale=deepspeed" --cma-to-cpu --mlir-disable-threading --mlir-print-ir-after=cma-lower-copies -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @cma_body_model_step(
// CHECK-SAME:      %[[P:[a-z0-9]+]]: memref<6x4xf32>, %[[M:[a-z0-9]+]]: memref<6x4xf32>, %[[V:[a-z0-9]+]]: memref<6x4xf32>, %[[S:[a-z0-9]+]]: memref<f32>, %[[N:[a-z0-9]+]]: memref<i32>, %[[H:[a-z0-9]+]]: memref<i32>
// CHECK-NOT:     memref.copy
// CHECK:         %[[SKIP:.+]] = memref.load %{{.+}}[] : memref<i1>
// CHECK:         linalg.generic {{.*}} outs(%[[P]], %[[M]], %[[V]] : memref<6x4xf32>, memref<6x4xf32>, memref<6x4xf32>)
// CHECK:           arith.mulf
// CHECK:           math.sqrt
// CHECK:           arith.select %[[SKIP]]
// CHECK:           arith.select %[[SKIP]]
// CHECK:           arith.select %[[SKIP]]
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} outs(%[[S]], %[[N]], %[[H]] : memref<f32>, memref<i32>, memref<i32>)
// CHECK-NOT:     memref.copy
// CHECK-NOT:     outs(%[[P]]
// CHECK:         return
func.func @model(%x: tensor<?x6xf32> {cma.role = "data", cma.name = "x"}, %t: tensor<?x4xf32> {cma.role = "data", cma.name = "t"},
                 %w: tensor<6x4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %y = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %loss = cma.mse %y, %t : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
