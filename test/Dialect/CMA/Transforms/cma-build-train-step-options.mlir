// RUN: not cma-opt %s --cma-build-train-step=momentum=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not cma-opt %s --cma-build-train-step=momentum=-0.5 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cma-opt %s --cma-build-train-step=momentum=nan 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not cma-opt %s --cma-build-train-step=momentum=fast 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not cma-opt %s --cma-build-train-step=weight-decay=-1 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not cma-opt %s --cma-build-train-step=weight-decay=inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not cma-opt %s --cma-build-train-step=function=other 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not cma-opt %s --cma-build-train-step=function=model 2>&1 | FileCheck %s --check-prefix=BACKWARD

// ONE: expected 'momentum' to be at least 0 and below 1, got 1
// NEGATIVE: expected 'momentum' to be at least 0 and below 1, got -5.0
// NAN: expected 'momentum' to be at least 0 and below 1, got
// WORD: 'fast' value invalid for floating point argument
// DECAY: expected 'weight-decay' to be finite and not negative, got -1
// INFINITE: expected 'weight-decay' to be finite and not negative, got
// FUNCTION: expected a function '@other'; the module has @model
// BACKWARD: expected a function '@model_backward'; run cma-differentiate first
func.func @model(%w: tensor<f32> {cma.role = "parameter", cma.name = "w"}) -> (tensor<f32> {cma.role = "loss"}) {
  return %w : tensor<f32>
}
