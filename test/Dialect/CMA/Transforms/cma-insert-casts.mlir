// RUN: cma-opt %s --cma-insert-casts | FileCheck %s
// RUN: cma-opt %s --cma-insert-casts --cma-verify-precision -o /dev/null

// One cast for each value and type; those of arguments stand at the entry.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK-NEXT: %[[X16:.*]] = cma.cast %[[X]] : tensor<8x4xf32> to tensor<8x4xf16>
// CHECK-NEXT: %[[W16:.*]] = cma.cast %[[W]] : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: %[[Y:.*]] = cma.contract "bi,ij->bj" (%[[X16]], %[[W16]]) {accumulate = f64, planned}
// CHECK-SAME:   -> tensor<8x4xf16>
// CHECK-NEXT: %[[Y32:.*]] = cma.cast %[[Y]] : tensor<8x4xf16> to tensor<8x4xf32>
// CHECK-NEXT: %[[Z:.*]] = cma.contract "bi,ij->bj" (%[[Y]], %[[W16]]) {planned}
// CHECK-SAME:   -> tensor<8x4xf32>
// CHECK-NEXT: return %[[Z]], %[[Y32]]
func.func @shared(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %y = cma.contract "bi,ij->bj" (%x, %w)
      {cma.precision = #cma.precision<f16, accumulate = f64>, planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %z = cma.contract "bi,ij->bj" (%y, %w)
      {cma.precision = #cma.precision<f16, result = f32>, planned}
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %z, %y : tensor<8x4xf32>, tensor<8x4xf32>
}

// Constants are written in the type of each use, rounded to nearest; what no
// use asks for goes.
// CHECK-LABEL: func.func @constants
// CHECK-NOT: cma.cast
// CHECK-DAG: arith.constant dense<9.99{{[0-9]*}}e-02> : tensor<4xf16>
// CHECK-DAG: arith.constant dense<1.000000e-01> : tensor<4xf32>
// CHECK-NOT: arith.constant
func.func @constants(%x: tensor<4xf16>, %u: tensor<4xf32>)
    -> (tensor<4xf16>, tensor<4xf32>) {
  %c = arith.constant dense<0.1> : tensor<4xf32>
  %0 = arith.negf %c {cma.precision = #cma.precision<f16>} : tensor<4xf32>
  %1 = cma.cast %0 : tensor<4xf32> to tensor<4xf16>
  %2 = arith.addf %x, %1 {cma.precision = #cma.precision<f16>} : tensor<4xf16>
  %3 = arith.addf %u, %c {cma.precision = #cma.precision<f32>} : tensor<4xf32>
  return %2, %3 : tensor<4xf16>, tensor<4xf32>
}

// A parameter below f32 is an f32 master and its view.
// CHECK-LABEL: func.func @master
// CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<4x4xf32> {cma.name = "w", cma.role = "parameter"}
// CHECK-NEXT: %[[V:.*]] = cma.cast %[[W]] : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: cma.contract "bi,ij->bj" (%{{.*}}, %[[V]]) {planned}
func.func @master(%x: tensor<8x4xf16>,
    %w: tensor<4x4xf16> {cma.name = "w", cma.role = "parameter"})
    -> tensor<8x4xf16> {
  %y = cma.contract "bi,ij->bj" (%x, %w)
      {cma.precision = #cma.precision<f16>, planned}
      : (tensor<8x4xf16>, tensor<4x4xf16>) -> tensor<8x4xf16>
  return %y : tensor<8x4xf16>
}

// tf32 is a cast within f32; what f16 holds, tf32 holds as well.
// CHECK-LABEL: func.func @tf32
// CHECK: cma.cast %{{.*}} tf32 : tensor<4x4xf32> to tensor<4x4xf32>
// CHECK: cma.cast %{{.*}} : tensor<4x4xf16> to tensor<4x4xf32>
func.func @tf32(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = cma.gelu %w {cma.precision = #cma.precision<f16>} : tensor<4x4xf32>
  %1 = cma.contract "ij,jk->ik" (%x, %0)
      {cma.precision = #cma.precision<tf32>, planned}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// The cast stands behind the slice, where the annotations put it; padding
// follows its source.
// CHECK-LABEL: func.func @moved
// CHECK: tensor.extract_slice %{{.*}} : tensor<8x4xf32> to tensor<2x4xf32>
// CHECK: cma.cast %{{.*}} : tensor<2x4xf32> to tensor<2x4xf16>
// CHECK: tensor.yield %{{.*}} : f16
// CHECK: tensor<2x4xf16> to tensor<4x4xf16>
func.func @moved(%x: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %x[0, 0] [2, 4] [1, 1]
      {cma.precision = #cma.precision<f32>} : tensor<8x4xf32> to tensor<2x4xf32>
  %1 = tensor.pad %0 low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } {cma.precision = #cma.precision<f16>} : tensor<2x4xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// What was computed in f64 is f32 first, and then tf32.
// CHECK-LABEL: func.func @from_f64
// CHECK: %[[S:.*]] = arith.addf {{.*}} : tensor<4xf64>
// CHECK: %[[F:.*]] = cma.cast %[[S]] : tensor<4xf64> to tensor<4xf32>
// CHECK: %[[T:.*]] = cma.cast %[[F]] tf32 : tensor<4xf32> to tensor<4xf32>
// CHECK: cma.contract "i,i->" (%[[T]], %[[T]])
func.func @from_f64(%x: tensor<4xf32>) -> tensor<f32> {
  %s = arith.addf %x, %x {cma.precision = #cma.precision<f64>} : tensor<4xf32>
  %t = cma.contract "i,i->" (%s, %s) {cma.precision = #cma.precision<tf32>, planned}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %t : tensor<f32>
}
