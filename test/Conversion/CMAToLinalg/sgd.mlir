// One generic updates the parameter and its momentum in their own storage.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-LABEL: func @plain
// CHECK-SAME:    (%[[P:.+]]: tensor<4x2xf64>, %[[G:.+]]: tensor<4x2xf64>, %[[LR:.+]]: tensor<f32>)
func.func @plain(%p: tensor<4x2xf64>, %g: tensor<4x2xf64>, %lr: tensor<f32>) -> tensor<4x2xf64> {
  // CHECK: linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[G]], %[[LR]] : tensor<4x2xf64>, tensor<f32>) outs(%[[P]] : tensor<4x2xf64>)
  // CHECK: ^bb0(%[[G0:.+]]: f64, %[[LR0:.+]]: f32, %[[P0:.+]]: f64):
  // CHECK: %[[RATE:.+]] = arith.extf %[[LR0]]
  // CHECK: %[[STEP:.+]] = arith.mulf %[[RATE]], %[[G0]]
  // CHECK: %[[NEW:.+]] = arith.subf %[[P0]], %[[STEP]]
  // CHECK: linalg.yield %[[NEW]] : f64
  %q = cma.sgd %p, %g, %lr : tensor<4x2xf64>, tensor<f32>
  return %q : tensor<4x2xf64>
}

// CHECK-LABEL: func @momentum
// CHECK-SAME:    (%[[P:.+]]: tensor<4xf32>, %[[M:.+]]: tensor<4xf32>, %[[G:.+]]: tensor<4xf32>, %[[LR:.+]]: tensor<f32>)
func.func @momentum(%p: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: linalg.generic {{.*}} ins(%[[G]], %[[LR]] : {{.*}}) outs(%[[P]], %[[M]] :
  // CHECK: ^bb0(%[[G0:.+]]: f32, %[[LR0:.+]]: f32, %[[P0:.+]]: f32, %[[M0:.+]]: f32):
  // CHECK: %[[KEPT:.+]] = arith.mulf %{{.+}}, %[[M0]]
  // CHECK: %[[M1:.+]] = arith.addf %[[KEPT]], %[[G0]]
  // CHECK: %[[DECAY:.+]] = arith.mulf %{{.+}}, %[[P0]]
  // CHECK: %[[STEP:.+]] = arith.addf %[[M1]], %[[DECAY]]
  // CHECK: %[[MOVE:.+]] = arith.mulf %[[LR0]], %[[STEP]]
  // CHECK: %[[P1:.+]] = arith.subf %[[P0]], %[[MOVE]]
  // CHECK: linalg.yield %[[P1]], %[[M1]]
  %q, %n = cma.sgd %p, %g, %lr momentum(%m)
      {momentum = 0.9 : f64, weight_decay = 0.01 : f64} : tensor<4xf32>, tensor<f32>
  return %q, %n : tensor<4xf32>, tensor<4xf32>
}
