// RUN: cma-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 'cma.view_of' of argument #0 to name a parameter of floats of the same shape, got "w" on 'tensor<4xf16>'}}
func.func @missing_cma_c12(%v: tensor<4xf16> {cma.role = "view", cma.name = "w.f16", cma.view_of = "w"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.view_of' of argument #0 to name a parameter of floats of the same shape, got "w" on 'tensor<4xf16>'}}
func.func @state_cma_c12(%v: tensor<4xf16> {cma.role = "view", cma.name = "w.f16", cma.view_of = "w"},
    %w: tensor<4xf32> {cma.role = "state", cma.name = "w"}) {
  return
}

// -----

// expected-error @below {{expected 'cma.view_of' of argument #0 to name a parameter of floats of the same shape, got "w" on 'tensor<2xf16>'}}
func.func @shape_cma_c12(%v: tensor<2xf16> {cma.role = "view", cma.name = "w.f16", cma.view_of = "w"},
    %w: tensor<4xf32> {cma.role = "parameter", cma.name = "w"}) {
  return
}
