// The products of unscale are elementwise, overflow is a reduction that only
// reads; the scale's state machine is one op on scalars.
// RUN: cma-opt %s --convert-cma-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @unscale
// CHECK-SAME:    (%[[S:.+]]: tensor<f32>, %[[G:.+]]: tensor<4xf16>)
func.func @unscale(%s: tensor<f32>, %g: tensor<4xf16>) -> (tensor<4xf32>, tensor<i1>) {
  // CHECK:      linalg.generic {{.*}} ins(%[[S]] : tensor<f32>)
  // CHECK:        arith.divf %{{.+}}, %{{.+}} : f32
  // CHECK:      %[[U:.+]] = linalg.generic {{.*}}["parallel"]} ins(%[[G]], %{{.+}} : tensor<4xf16>, tensor<f32>)
  // CHECK:        %[[WIDE:.+]] = arith.extf %{{.+}} : f16 to f32
  // CHECK:        arith.mulf %[[WIDE]], %{{.+}} : f32
  // CHECK:      linalg.generic {{.*}}["reduction"]} ins(%[[G]], %{{.+}} : tensor<4xf16>, tensor<f32>) outs(%{{.+}} : tensor<i32>)
  // CHECK:        %[[SIZE:.+]] = math.absf
  // CHECK:        arith.cmpf uge, %[[SIZE]], %{{.+}} : f32
  // CHECK:        arith.ori
  // CHECK:      %[[ANY:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<i1>)
  // CHECK:        arith.cmpi ne
  // CHECK:      return %[[U]], %[[ANY]]
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<4xf16>
  return %u, %f : tensor<4xf32>, tensor<i1>
}

// -----

// Large tensors are reduced in rows, which threads share.

// CHECK-LABEL: func @rows
func.func @rows(%s: tensor<f32>, %g: tensor<16x8x16x32xf32>) -> tensor<i1> {
  // CHECK: %[[ROWS:.+]] = tensor.collapse_shape %{{.+}} {{\[\[0\], \[1, 2, 3\]\]}} : tensor<16x8x16x32xf32> into tensor<16x4096xf32>
  // CHECK: %[[PART:.+]] = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[ROWS]], %{{.+}}) outs(%{{.+}} : tensor<16xi32>)
  // CHECK: linalg.generic {{.*}}["reduction"]} ins(%[[PART]] : tensor<16xi32>) outs(%{{.+}} : tensor<i32>)
  %u, %f = cma.unscale %s (%g) : tensor<f32>, tensor<16x8x16x32xf32>
  return %f : tensor<i1>
}

// -----

// Nothing to look at: nothing found.

// CHECK-LABEL: func @empty
func.func @empty(%s: tensor<f32>, %g: tensor<0x4xf32>) -> (tensor<i1>, tensor<0x4xf32>, tensor<i1>) {
  // CHECK: arith.constant dense<false> : tensor<i1>
  // CHECK-NOT: "reduction"
  // CHECK: return
  %f = cma.unscale %s () : tensor<f32>
  %u, %h = cma.unscale %s (%g) : tensor<f32>, tensor<0x4xf32>
  return %f, %u, %h : tensor<i1>, tensor<0x4xf32>, tensor<i1>
}

// -----

// CHECK-LABEL: func @update
// CHECK-SAME:    (%[[S:.+]]: tensor<f32>, %[[N:.+]]: tensor<i32>, %[[F:.+]]: tensor<i1>, %[[H:.+]]: tensor<i32>)
func.func @update(%s: tensor<f32>, %n: tensor<i32>, %f: tensor<i1>, %h: tensor<i32>) -> (tensor<f32>, tensor<i32>, tensor<i32>) {
  // CHECK: linalg.generic {{.*}}ins(%[[F]] : tensor<i1>) outs(%[[S]], %[[N]], %[[H]] : tensor<f32>, tensor<i32>, tensor<i32>)
  // CHECK: arith.cmpi sge
  // CHECK: arith.maximumf
  // CHECK: arith.cmpf ole
  // CHECK: linalg.yield %{{.+}}, %{{.+}}, %{{.+}} : f32, i32, i32
  %0, %1, %2 = cma.update_loss_scale %s, %n, %f hysteresis(%h) {hysteresis = 2 : i64} : tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<i32>, tensor<i32>
}

// -----

// CHECK-LABEL: func @clip
// CHECK-SAME:    (%[[A:.+]]: tensor<4xf32>, %[[B:.+]]: tensor<f64>)
func.func @clip(%a: tensor<4xf32>, %b: tensor<f64>) -> (tensor<4xf32>, tensor<f64>, tensor<f64>) {
  // CHECK: linalg.generic {{.*}}["reduction"]} ins(%[[A]] : tensor<4xf32>) outs(%{{.+}} : tensor<f64>)
  // CHECK:   arith.extf %{{.+}} : f32 to f64
  // CHECK: math.sqrt %{{.+}} : f64
  // CHECK: arith.minimumf %{{.+}}, %{{.+}} : f64
  // CHECK: arith.truncf %{{.+}} : f64 to f32
  %0:3 = cma.clip_by_global_norm (%a, %b) {max_norm = 1.0 : f64} : tensor<4xf32>, tensor<f64>
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<f64>, tensor<f64>
}
