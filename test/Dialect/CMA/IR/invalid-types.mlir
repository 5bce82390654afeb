// Sizes that no type can have: each error points at the type.
// RUN: not cma-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: [[#@LINE+1]]:32: error: expected non-function type
func.func @negative(%x: tensor<-1x4xf32>) {
  return
}

// -----

func.func @negative_result(%x: tensor<4xf32>) {
  // CHECK: [[#@LINE+1]]:60: error: expected non-function type
  %0 = cma.contract "i->" (%x) : (tensor<4xf32>) -> tensor<-1xf32>
  return
}

// -----

// CHECK: [[#@LINE+1]]:33: error: invalid dimension
func.func @too_large(%x: tensor<9223372036854775808xf32>) {
  return
}

// -----

// CHECK: [[#@LINE+1]]:36: error: invalid dimension
func.func @far_larger(%x: tensor<4x99999999999999999999xf32>) {
  return
}
