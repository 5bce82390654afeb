// Label checks become a scan; what follows runs only if all is well.
// RUN: cma-opt %s --cma-lower-checks | FileCheck %s

// CHECK-DAG: llvm.mlir.global private constant @[[$LABEL:.*]]("label\00")
// CHECK-DAG: llvm.mlir.global private constant @[[$WHERE:.*]]("{{.*}}lower-checks.mlir:36:3\00")

// CHECK-LABEL: func.func @f(
// CHECK-SAME:      %[[L:[a-z0-9]+]]: memref<2x4xi32>, %[[OUT:[a-z0-9]+]]: memref<f32>, %[[STATUS:[a-z0-9]+]]: memref<6xi64>)
// CHECK-DAG:     %[[NONE:.*]] = arith.constant -1 : i64
// CHECK:         %[[FOUND:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[NONE]], %{{.*}} = %[[NONE]]) -> (i64, i64)
// CHECK:           scf.for
// CHECK:             memref.load %[[L]][%{{.*}}, %{{.*}}] : memref<2x4xi32>
// CHECK:             arith.extsi
// CHECK:             arith.cmpi uge
// CHECK:             arith.cmpi ne
// CHECK:         %[[FINE:.*]] = arith.cmpi slt, %[[FOUND]]#0
// CHECK:         %[[BAD:.*]] = arith.xori %[[FINE]]
// CHECK:         scf.if %[[BAD]] {
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[STATUS]]
// CHECK:           llvm.mlir.addressof @[[$LABEL]]
// CHECK:           memref.store %{{.*}}, %[[STATUS]]
// CHECK:           llvm.mlir.addressof @[[$WHERE]]
// CHECK:           memref.store %{{.*}}, %[[STATUS]]
// CHECK:         scf.if %[[FINE]] {
// CHECK:           memref.store %{{.*}}, %[[OUT]][] : memref<f32>
// CHECK:         }
// CHECK-NEXT:    return
func.func @f(%labels: memref<2x4xi32>, %out: memref<f32>, %status: memref<6xi64>)
    attributes {cma.entry = {
      buffers = [{kind = "argument", name = "label", role = "data", type = tensor<2x4xi32>},
                 {kind = "result", name = "0", role = "", type = tensor<f32>}],
      name = "f", results = array<i32: 1>, workspace = 0 : i64}} {
  %v = arith.constant 1.0 : f32
  // The location of this op is what the status names, so its line stands in the
  // test above.
  cma.check_labels %labels {num_classes = 10 : i64, ignore_index = -1 : i64, argument = "label"} : memref<2x4xi32>
  memref.store %v, %out[] : memref<f32>
  return
}
