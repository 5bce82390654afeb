// RUN: cma-opt %s --cma-plan-contractions="objective=mults" | FileCheck %s
// RUN: cma-opt %s --cma-plan-contractions="objective=mults" -o %t.once
// RUN: cma-opt %t.once --cma-plan-contractions="objective=peak target=sm_90" -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: cma-opt %t.once --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[A:.*]]: tensor<2x30xf32>, %[[B:.*]]: tensor<30x3xf32>, %[[C:.*]]: tensor<3x40xf32>
func.func @chain(%a: tensor<2x30xf32>, %b: tensor<30x3xf32>, %c: tensor<3x40xf32>) -> tensor<40x2xf32> {
  // The intermediate has its axes as the last step wants them.
  // CHECK: %[[AB:.*]] = cma.contract "ij,jk->ki" (%[[A]], %[[B]]) {planned} : {{.*}} -> tensor<3x2xf32>
  // CHECK: %[[R:.*]] = cma.contract "ki,kl->li" (%[[AB]], %[[C]]) {cma.name = "net", planned} : {{.*}} -> tensor<40x2xf32>
  // CHECK: return %[[R]]
  %0 = cma.contract "ij,jk,kl->li" (%a, %b, %c) {cma.name = "net"} : (tensor<2x30xf32>, tensor<30x3xf32>, tensor<3x40xf32>) -> tensor<40x2xf32>
  return %0 : tensor<40x2xf32>
}

// The path is the user's, although another one is cheaper.
// CHECK-LABEL: func @path(
// CHECK-SAME:    %[[A:.*]]: tensor<2x30xf32>, %[[B:.*]]: tensor<30x3xf32>, %[[C:.*]]: tensor<3x40xf32>
func.func @path(%a: tensor<2x30xf32>, %b: tensor<30x3xf32>, %c: tensor<3x40xf32>) -> tensor<2x40xf32> {
  // CHECK: %[[BC:.*]] = cma.contract "jk,kl->jl" (%[[B]], %[[C]]) {planned}
  // CHECK: cma.contract "ij,jl->il" (%[[A]], %[[BC]]) {planned}
  %0 = cma.contract "ij,jk,kl->il" (%a, %b, %c) {path = [[2, 1], [1, 0]]} : (tensor<2x30xf32>, tensor<30x3xf32>, tensor<3x40xf32>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// A label of one operand alone is summed first where that is cheaper, and a
// diagonal is no step.
// CHECK-LABEL: func @reductions(
// CHECK-SAME:    %[[A:.*]]: tensor<4x4x9xf32>, %[[B:.*]]: tensor<4x5xf32>
func.func @reductions(%a: tensor<4x4x9xf32>, %b: tensor<4x5xf32>) -> tensor<5xf32> {
  // CHECK: %[[S:.*]] = cma.contract "iix->i" (%[[A]]) {planned} : (tensor<4x4x9xf32>) -> tensor<4xf32>
  // CHECK: cma.contract "i,ij->j" (%[[S]], %[[B]]) {planned}
  %0 = cma.contract "iix,ij->j" (%a, %b) : (tensor<4x4x9xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func @small(
func.func @small(%a: tensor<4x5xi32>, %b: tensor<4x4xf32>, %c: tensor<0x4xf64>, %d: tensor<4xf64>) -> (tensor<5x4xi32>, tensor<f32>, tensor<0xf64>) {
  // CHECK: cma.contract "ab->ba" (%{{.*}}) {planned} : (tensor<4x5xi32>) -> tensor<5x4xi32>
  %0 = cma.contract "ab->ba" (%a) : (tensor<4x5xi32>) -> tensor<5x4xi32>
  // CHECK: cma.contract "aa->" (%{{.*}}) {planned} : (tensor<4x4xf32>) -> tensor<f32>
  %1 = cma.contract "aa->" (%b) : (tensor<4x4xf32>) -> tensor<f32>
  // CHECK: cma.contract "ab,b->a" (%{{.*}}, %{{.*}}) {planned} : (tensor<0x4xf64>, tensor<4xf64>) -> tensor<0xf64>
  %2 = cma.contract "ab,b->a" (%c, %d) {path = [[1, 0]]} : (tensor<0x4xf64>, tensor<4xf64>) -> tensor<0xf64>
  return %0, %1, %2 : tensor<5x4xi32>, tensor<f32>, tensor<0xf64>
}
