// An optimizer in a guard chooses in its own body; what is made otherwise is
// chosen by an op of its own. The condition is a scalar outside of the loops.
// RUN: cma-opt %s --convert-cma-to-linalg | FileCheck %s

// CHECK-LABEL: func @optimizer
// CHECK-SAME:    (%[[F:.+]]: tensor<i1>, %[[P:.+]]: tensor<4xf32>, %[[M:.+]]: tensor<4xf32>, %[[G:.+]]: tensor<4xf32>
func.func @optimizer(%f: tensor<i1>, %p: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK:     %[[SKIP:.+]] = tensor.extract %[[F]][] : tensor<i1>
  // CHECK:     %[[R:.+]]:2 = linalg.generic {{.*}} outs(%[[P]], %[[M]] :
  // CHECK:     ^bb0(%{{.+}}: f32, %{{.+}}: f32, %[[OLDP:.+]]: f32, %[[OLDM:.+]]: f32):
  // CHECK:       %[[NEWP:.+]] = arith.subf
  // CHECK-DAG:   %[[CP:.+]] = arith.select %[[SKIP]], %[[OLDP]], %[[NEWP]] : f32
  // CHECK-DAG:   %[[CM:.+]] = arith.select %[[SKIP]], %[[OLDM]], %{{.+}} : f32
  // CHECK:       linalg.yield %[[CP]], %[[CM]]
  // CHECK-NOT: linalg.generic
  // CHECK:     return %[[R]]#0, %[[R]]#1
  %0, %1 = cma.guard %f (%p, %m) : tensor<4xf32>, tensor<4xf32> {
    %2, %3 = cma.sgd %p, %g, %lr momentum(%m) {momentum = 0.5 : f64} : tensor<4xf32>, tensor<f32>
    cma.yield %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @others
// CHECK-SAME:    (%[[F:.+]]: tensor<i1>, %[[S:.+]]: tensor<2xi64>, %[[NEW:.+]]: tensor<2xi64>, %[[T:.+]]: tensor<f32>)
func.func @others(%f: tensor<i1>, %s: tensor<2xi64>, %new: tensor<2xi64>, %t: tensor<f32>) -> (tensor<2xi64>, tensor<f32>) {
  // CHECK: %[[SKIP:.+]] = tensor.extract %[[F]][] : tensor<i1>
  // CHECK: linalg.generic {{.*}} ins(%[[NEW]] : tensor<2xi64>) outs(%[[S]] : tensor<2xi64>)
  // CHECK: ^bb0(%[[IN:.+]]: i64, %[[OLD:.+]]: i64):
  // CHECK:   arith.select %[[SKIP]], %[[OLD]], %[[IN]] : i64
  // CHECK-NOT: linalg.generic
  // CHECK: return %{{.+}}, %[[T]]
  %0, %1 = cma.guard %f (%s, %t) : tensor<2xi64>, tensor<f32> {
    cma.yield %new, %t : tensor<2xi64>, tensor<f32>
  }
  return %0, %1 : tensor<2xi64>, tensor<f32>
}
