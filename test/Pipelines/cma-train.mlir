// From a model to its training step, and on to the entry.
// RUN: cma-opt %s --cma-train="batch=8 momentum=0.9" | FileCheck %s
// RUN: cma-opt %s --cma-train="batch=8 momentum=0.9" --cma-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: cma-opt %s --cma-train="batch=8 report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: cma-opt %s --cma-train="batch=8 precision=bf16 precision-report=%t.p.json cast-report=%t.c.json" | FileCheck %s --check-prefix=BF16
// RUN: FileCheck %s --check-prefix=PRECISION < %t.p.json
// RUN: FileCheck %s --check-prefix=CASTS < %t.c.json

// CHECK-LABEL: func.func @model_step(
// CHECK-SAME:      cma.name = "w"
// CHECK-SAME:      cma.name = "w.momentum", cma.role = "state"
// CHECK-SAME:      tensor<8x6xf32> {cma.name = "x", cma.role = "data"}
// CHECK-SAME:      cma.role = "lr"
// CHECK-SAME:      cma.role = "step"
// CHECK-SAME:      cma.updates = "w"
// CHECK-SAME:      cma.updates = "w.momentum"
// CHECK:         cma.contract {{.*}}planned
// CHECK:         cma.sgd

// CPU: @cma_entry_model_step()

// REPORT: "networks"

// The optimizer reads the f32 master, contractions its view.
// BF16: cma.cast %[[W:arg0]] : tensor<6x4xf32> to tensor<6x4xbf16>
// BF16: cma.contract {{.*}} : (tensor<8x6xbf16>, tensor<6x4xbf16>) -> tensor<8x4xf32>
// BF16: cma.sgd %[[W]], %{{.*}}, %{{.*}} : tensor<6x4xf32>, tensor<f32>
// PRECISION: "function": "model_step"
// CASTS: "view_bytes": 48,
// CASTS-NEXT: "view_f32_bytes": 96,
func.func @model(%x: tensor<?x6xf32> {cma.role = "data", cma.name = "x"}, %t: tensor<?x4xf32> {cma.role = "data", cma.name = "t"},
                 %w: tensor<6x4xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %y = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  %loss = cma.mse %y, %t : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
