// One op updates the parameter and both moments in their own storage; what
// depends on the step alone is computed in f64 before.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-LABEL: func @adamw
// CHECK-SAME:    (%[[P:.+]]: tensor<4xf32>, %[[M:.+]]: tensor<4xf32>, %[[V:.+]]: tensor<4xf32>, %[[G:.+]]: tensor<4xf32>, %[[LR:.+]]: tensor<f32>, %[[T:.+]]: tensor<i64>)
func.func @adamw(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[RATE:.+]] = linalg.generic {{.*}} ins(%[[T]], %[[LR]] : tensor<i64>, tensor<f32>) outs(%{{.+}} : tensor<f32>)
  // CHECK:   arith.sitofp %{{.+}} : i64 to f64
  // CHECK:   math.powf %{{.+}}, %{{.+}} : f64
  // CHECK:   arith.truncf %{{.+}} : f64 to f32
  // CHECK: %[[ROOT:.+]] = linalg.generic {{.*}} ins(%[[T]], %[[LR]] :
  // CHECK: %[[DECAY:.+]] = linalg.generic {{.*}} ins(%[[T]], %[[LR]] :
  // CHECK: linalg.generic {{.*}}["parallel"]} ins(%[[G]], %[[RATE]], %[[ROOT]], %[[DECAY]] : {{.*}}) outs(%[[P]], %[[M]], %[[V]] :
  // CHECK:   math.sqrt
  // CHECK:   arith.divf
  // CHECK:   linalg.yield %{{.+}}, %{{.+}}, %{{.+}} : f32, f32, f32
  %0, %1, %2 = cma.adamw %p, %g, %lr, %t moments(%m, %v) {weight_decay = 0.01 : f64} : tensor<4xf32>, tensor<f32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
