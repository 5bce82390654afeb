// What has to be done before cma-lower-checks.
// RUN: cma-opt %s --cma-lower-checks --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op expected cma-prepare-entries to have run before label checks are lowered}}
func.func @no_entry(%labels: memref<4xi64>) {
  cma.check_labels %labels {num_classes = 10 : i64} : memref<4xi64>
  return
}

// -----

func.func @tensor(%labels: tensor<4xi64>, %status: memref<6xi64>)
    attributes {cma.entry = {buffers = [{kind = "argument", name = "0", role = "", type = tensor<4xi64>}],
                             name = "f", results = array<i32>, workspace = 0 : i64}} {
  // expected-error @below {{'cma.check_labels' op expected cma-hoist-checks and bufferization to have run}}
  cma.check_labels %labels {num_classes = 10 : i64} : tensor<4xi64>
  return
}

// -----

func.func @written(%labels: memref<4xi64>, %status: memref<6xi64>)
    attributes {cma.entry = {buffers = [{kind = "donated", name = "0", role = "", type = tensor<4xi64>}],
                             name = "f", results = array<i32: 0>, workspace = 0 : i64}} {
  %c = arith.constant 0 : i64
  // expected-error @below {{'linalg.fill' op expected to write a result only after the last label check}}
  linalg.fill ins(%c : i64) outs(%labels : memref<4xi64>)
  // expected-note @below {{checked here}}
  cma.check_labels %labels {num_classes = 10 : i64} : memref<4xi64>
  return
}
