// Allocations become offsets into one workspace.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-plan-memory))' | FileCheck %s

// 4 f32 need 64 bytes, 17 i1 (one byte each) too, 3 x 5 f64 need 128.
// CHECK-LABEL: func.func @f(
// CHECK-SAME:      %{{.*}}: memref<6xi64>, %[[W:.*]]: memref<256xi8>)
// CHECK-SAME:      workspace = 256 : i64
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[W]][%[[C0]]][] : memref<256xi8> to memref<4xf32>
// CHECK:         %[[C64:.*]] = arith.constant 64 : index
// CHECK:         memref.view %[[W]][%[[C64]]][] : memref<256xi8> to memref<17xi1>
// CHECK:         %[[C128:.*]] = arith.constant 128 : index
// CHECK:         memref.view %[[W]][%[[C128]]][] : memref<256xi8> to memref<3x5xf64>
// CHECK:         memref.view %[[W]][%{{.*}}][] : memref<256xi8> to memref<0x9xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
func.func @f(%status: memref<6xi64>) attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %b = memref.alloc() : memref<17xi1>
  %c = memref.alloc() : memref<3x5xf64>
  %d = memref.alloc() : memref<0x9xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// Each iteration of a parallel loop has a place of its own.
// CHECK-LABEL: func.func @parallel(
// CHECK-SAME:      %[[W:[a-z0-9]+]]: memref<896xi8>)
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:           %[[FIRST:.*]] = arith.constant 128 : index
// CHECK:           %[[STRIDE:.*]] = arith.constant 128 : index
// CHECK:           %[[N:.*]] = arith.addi
// CHECK:           %[[OWN:.*]] = arith.muli %{{.*}}, %[[STRIDE]]
// CHECK:           %[[AT:.*]] = arith.addi %[[FIRST]], %[[OWN]]
// CHECK:           memref.view %[[W]][%[[AT]]][] : memref<896xi8> to memref<32xf32>
func.func @parallel(%status: memref<6xi64>) attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<32xf32>
  scf.parallel (%i, %j) = (%c1, %c0) to (%c5, %c2) step (%c2, %c1) {
    %b = memref.alloc() : memref<32xf32>
    scf.reduce
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %c = memref.alloc() : memref<64xf32>
  }
  return
}

// Not an entry.
// CHECK-LABEL: func.func @other(
// CHECK:         memref.alloc() : memref<4xf32>
func.func @other() {
  %a = memref.alloc() : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @empty_argument(%{{.*}}: memref<0xi8>, %{{.*}}: memref<6xi64>, %{{.*}}: memref<0xi8>)
func.func @empty_argument(%x: memref<3x0xf32>, %status: memref<6xi64>) attributes {cma.entry = {buffers = [{kind = "argument", name = "0", role = "", type = tensor<3x0xf32>}], name = "f", results = array<i32>, workspace = 0 : i64}} {
  return
}
