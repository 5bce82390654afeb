// What has to be done before convert-cma-to-linalg.
// RUN: cma-opt %s --convert-cma-to-linalg --split-input-file --verify-diagnostics

func.func @layer(%x: tensor<8x4xf32>, %w: tensor<4x5xf32>) -> tensor<8x5xf32> {
  // expected-error @below {{'cma.linear' op expected layers to be expanded; run cma-expand-layers first}}
  %y = cma.linear %x, %w : tensor<8x4xf32>, tensor<4x5xf32> -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// -----

func.func @unplanned(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'cma.contract' op expected a contraction of at most 2 operands, got 3; run cma-plan-contractions first}}
  %y = cma.contract "ij,jk,kl->il" (%x, %x, %x)
      : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'cma.relu' op expected operand #0 to have a static shape, got 'tensor<?x4xf32>'; run cma-specialize first}}
  %y = cma.relu %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @dynamic_result(%x: tensor<4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'cma.broadcast' op expected result #0 to have a static shape, got 'tensor<?x4xf32>'; run cma-specialize first}}
  %y = cma.broadcast "n->bn" (%x) : (tensor<4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @encoding(%x: tensor<4xf32, "layout">) -> tensor<4xf32, "layout"> {
  // expected-error @below {{'cma.relu' op expected operand #0 to have no encoding, got 'tensor<4xf32, "layout">'}}
  %y = cma.relu %x : tensor<4xf32, "layout">
  return %y : tensor<4xf32, "layout">
}
