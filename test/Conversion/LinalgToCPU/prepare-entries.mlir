// Public functions take buffers, and the entry's table moves to cma.entry.
// RUN: cma-opt %s --cma-prepare-entries | FileCheck %s

// CHECK-LABEL: func.func @cma_body_f(
// CHECK-SAME:      %[[P:[a-z0-9]+]]: memref<4xf32>, %[[X:[a-z0-9]+]]: memref<4xf32>,
// CHECK-SAME:      %[[LOSS:[a-z0-9]+]]: memref<f32>, %[[DX:[a-z0-9]+]]: memref<4xf32>,
// CHECK-SAME:      %[[STATUS:[a-z0-9]+]]: memref<6xi64>)
// CHECK-SAME:      cma.entry = {buffers = [
// CHECK-SAME:        {kind = "donated", name = "p", role = "parameter", type = tensor<4xf32>},
// CHECK-SAME:        {kind = "argument", name = "1", role = "", type = tensor<4xf32>},
// CHECK-SAME:        {kind = "result", name = "1", role = "loss", type = tensor<f32>},
// CHECK-SAME:        {kind = "result", name = "x", role = "gradient", type = tensor<4xf32>}],
// CHECK-SAME:      name = "f", results = array<i32: 0, 2, 3>, workspace = 0 : i64}
// CHECK-DAG:     %[[PT:.*]] = bufferization.to_tensor %[[P]] restrict writable
// CHECK-DAG:     %[[XT:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK:         %[[NEW:.*]] = arith.subf %[[PT]], %[[XT]]
// The donated argument is written last.
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[LOSS]]
// CHECK-NEXT:    bufferization.materialize_in_destination %[[XT]] in restrict writable %[[DX]]
// CHECK-NEXT:    bufferization.materialize_in_destination %[[NEW]] in restrict writable %[[P]]
// CHECK-NEXT:    return
func.func @f(%p: tensor<4xf32> {cma.name = "p", cma.role = "parameter"}, %x: tensor<4xf32>)
    -> (tensor<4xf32> {cma.updates = "p"}, tensor<f32> {cma.role = "loss"}, tensor<4xf32> {cma.gradient = "x"}) {
  %new = arith.subf %p, %x : tensor<4xf32>
  %loss = arith.constant dense<0.0> : tensor<f32>
  return %new, %loss, %x : tensor<4xf32>, tensor<f32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @cma_body_nothing(
// CHECK-SAME:      %{{.*}}: memref<6xi64>)
func.func @nothing() {
  return
}

// A name that is taken gets a longer one.
// CHECK-LABEL: func.func @cma_body_g_(
func.func @g(%x: tensor<1xi1>) {
  return
}

// Functions that are not public are left alone.
// CHECK-LABEL: func.func private @cma_body_g(
// CHECK-SAME:      tensor<1xi1>
func.func private @cma_body_g(%x: tensor<1xi1>) {
  return
}
