// Casts fold only where no value changes, and nothing drops a rounding.
// RUN: cma-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @exact
// CHECK-SAME: (%[[X:.+]]: tensor<4xf16>, %[[E:.+]]: tensor<4xf8E4M3FN>)
func.func @exact(%x: tensor<4xf16>, %e: tensor<4xf8E4M3FN>)
    -> (tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf16>, tensor<4xf8E4M3FN>) {
  %0 = cma.cast %x : tensor<4xf16> to tensor<4xf32>
  %1 = cma.cast %0 round(toward_zero) : tensor<4xf32> to tensor<4xf16>
  // It saturates, but there is no infinity to saturate.
  %2 = cma.cast %e : tensor<4xf8E4M3FN> to tensor<4xbf16>
  %3 = cma.cast %2 : tensor<4xbf16> to tensor<4xf8E4M3FN>
  %4 = cma.cast %x : tensor<4xf16> to tensor<4xf16>
  %5 = cma.cast %e : tensor<4xf8E4M3FN> to tensor<4xf8E4M3FN>
  // CHECK-NEXT: return %[[X]], %[[E]], %[[X]], %[[E]]
  return %1, %3, %4, %5 : tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf16>, tensor<4xf8E4M3FN>
}

// -----

// CHECK-LABEL: func @rounds
func.func @rounds(%x: tensor<4xf32>, %e: tensor<4xf8E5M2>, %h: tensor<4xf16>, %b: tensor<4xbf16>)
    -> (tensor<4xf32>, tensor<4xf8E5M2>, tensor<4xf16>, tensor<4xf16>, tensor<4xbf16>) {
  // CHECK-COUNT-10: cma.cast
  %0 = cma.cast %x : tensor<4xf32> to tensor<4xf16>
  %1 = cma.cast %0 : tensor<4xf16> to tensor<4xf32>
  // Infinity becomes the largest finite value.
  %2 = cma.cast %e : tensor<4xf8E5M2> to tensor<4xf32>
  %3 = cma.cast %2 : tensor<4xf32> to tensor<4xf8E5M2>
  %4 = cma.cast %h overflow(saturate) : tensor<4xf16> to tensor<4xf32>
  %5 = cma.cast %4 : tensor<4xf32> to tensor<4xf16>
  %6 = cma.cast %h overflow(saturate) : tensor<4xf16> to tensor<4xf16>
  // Neither type holds the other.
  %7 = cma.cast %b : tensor<4xbf16> to tensor<4xf16>
  %8 = cma.cast %7 : tensor<4xf16> to tensor<4xbf16>
  %9 = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
  %10 = arith.addf %9, %1 : tensor<4xf32>
  return %10, %3, %5, %6, %8 : tensor<4xf32>, tensor<4xf8E5M2>, tensor<4xf16>, tensor<4xf16>, tensor<4xbf16>
}

// -----

// CHECK-LABEL: func @tf32
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[H:.+]]: tensor<4xbf16>)
func.func @tf32(%x: tensor<4xf32>, %h: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[T:.+]] = cma.cast %[[X]] tf32
  // CHECK-DAG: %[[W:.+]] = cma.cast %[[H]] : tensor<4xbf16> to tensor<4xf32>
  %0 = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
  %1 = cma.cast %0 tf32 : tensor<4xf32> to tensor<4xf32>
  %2 = cma.cast %h : tensor<4xbf16> to tensor<4xf32>
  %3 = cma.cast %2 tf32 : tensor<4xf32> to tensor<4xf32>
  // CHECK-NOT: cma.cast
  // CHECK: return %[[T]], %[[W]]
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf32>) {
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %tenth = arith.constant dense<0.1> : tensor<4xf32>
  // CHECK-DAG: %[[HALF:.+]] = arith.constant dense<5.000000e-01> : tensor<4xf16>
  // CHECK-DAG: %[[EIGHT:.+]] = arith.constant dense<5.000000e-01> : tensor<4xf8E4M3FN>
  // CHECK-DAG: %[[TENTH:.+]] = cma.cast %{{.+}} : tensor<4xf32> to tensor<4xf16>
  // CHECK-DAG: %[[TF32:.+]] = cma.cast %{{.+}} tf32 : tensor<4xf32> to tensor<4xf32>
  %0 = cma.cast %half : tensor<4xf32> to tensor<4xf16>
  %1 = cma.cast %tenth : tensor<4xf32> to tensor<4xf16>
  %2 = cma.cast %half : tensor<4xf32> to tensor<4xf8E4M3FN>
  %3 = cma.cast %tenth tf32 : tensor<4xf32> to tensor<4xf32>
  // CHECK: return %[[HALF]], %[[TENTH]], %[[EIGHT]], %[[TF32]]
  return %0, %1, %2, %3 : tensor<4xf16>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xf32>
}

// -----

// A permutation that changes the type rounds: it is neither read through nor
// folded into a constant.
// CHECK-LABEL: func @contractions
func.func @contractions(%x: tensor<2x3xf32>, %v: tensor<3xf32>) -> (tensor<2x2xf32>, tensor<2x3xf16>, tensor<3x2xf16>) {
  // CHECK: cma.contract "ij->ji" (%{{.+}}) : (tensor<2x3xf32>) -> tensor<3x2xf16>
  %0 = cma.contract "ij->ji" (%x) : (tensor<2x3xf32>) -> tensor<3x2xf16>
  // CHECK: cma.contract "ij,jk->ik"
  %1 = cma.contract "ij,jk->ik" (%x, %0) : (tensor<2x3xf32>, tensor<3x2xf16>) -> tensor<2x2xf32>
  // CHECK: cma.contract "ij->ij"
  %2 = cma.contract "ij->ij" (%x) : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %tenth = arith.constant dense<0.1> : tensor<2x3xf32>
  // CHECK: cma.contract "ij->ji"
  %3 = cma.contract "ij->ji" (%tenth) : (tensor<2x3xf32>) -> tensor<3x2xf16>
  return %1, %2, %3 : tensor<2x2xf32>, tensor<2x3xf16>, tensor<3x2xf16>
}
