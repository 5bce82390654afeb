// Checks that cannot come first.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-hoist-checks))' --split-input-file --verify-diagnostics

func.func @varies(%labels: tensor<2x4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %row = tensor.extract_slice %labels[%i, 0] [1, 4] [1, 1] : tensor<2x4xi64> to tensor<4xi64>
    // expected-error @below {{'cma.check_labels' op expected labels that are the same in every iteration of the loop around it}}
    cma.check_labels %row {num_classes = 7 : i64} : tensor<4xi64>
  }
  return
}

// -----

func.func @branch(%labels: tensor<4xi64>, %c: i1) {
  scf.if %c {
    // expected-error @below {{'cma.check_labels' op expected to run in every call, got a 'scf.if' around it}}
    cma.check_labels %labels {num_classes = 7 : i64} : tensor<4xi64>
  }
  return
}

// -----

func.func @unknown_count(%labels: tensor<4xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'cma.check_labels' op expected to run in every call, got a 'scf.for' around it}}
    cma.check_labels %labels {num_classes = 7 : i64} : tensor<4xi64>
  }
  return
}

// -----

func.func private @labels() -> tensor<4xi64>

func.func @side_effect() {
  // expected-note @below {{computed here}}
  %labels = call @labels() : () -> tensor<4xi64>
  // expected-error @below {{'cma.check_labels' op expected labels computed without side effects}}
  cma.check_labels %labels {num_classes = 7 : i64} : tensor<4xi64>
  return
}
