// RUN: cma-opt %s --split-input-file --verify-diagnostics --cma-plan-contractions="wanted=result,2"
// RUN: rm -f %t.json
// RUN: not cma-opt %s --cma-plan-contractions="wanted=result,2 report=%t.json" 2> /dev/null
// RUN: test ! -e %t.json
// RUN: not cma-opt %s --cma-plan-contractions="objective=speed" 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// RUN: not cma-opt %s --cma-plan-contractions="target=sm_70" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not cma-opt %s --cma-plan-contractions="compute-type=f24" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not cma-opt %s --cma-plan-contractions="wanted=result,,1" 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: not cma-opt %s --cma-plan-contractions="wanted=-1" 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: not cma-opt %s --cma-plan-contractions="wanted=99999999999999999999" 2>&1 | FileCheck %s --check-prefix=WANTED
// RUN: not cma-opt %s --cma-plan-contractions="max-exact=0" 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not cma-opt %s --cma-plan-contractions="max-exact=-1" 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not cma-opt %s --cma-plan-contractions="max-exact=21" 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not cma-opt %s --cma-plan-contractions="max-exact=ten" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not cma-opt %s --cma-plan-contractions="seed=-1" 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not cma-opt %s --cma-plan-contractions="order=best" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// OBJECTIVE: error: invalid option 'objective': expected time, flops, mults or peak, got 'speed'
// TARGET: error: invalid option 'target': expected one of cpu, sm_75, sm_80, sm_89, sm_90, sm_100, got 'sm_70'
// TYPE: error: invalid option 'compute-type': expected one of f64, f32, tf32, f16, bf16, f8E4M3FN, f8E5M2, got 'f24'
// WANTED: error: invalid option 'wanted': expected 'auto', 'all', or a comma list of 'result' and operand numbers, got '
// EXACT: error: invalid option 'max-exact': expected a number from 1 to 20, got {{0|-1|21}}
// NUMBER: 'ten' value invalid
// SEED: error: invalid option 'seed': expected a number from 0, got -1
// UNKNOWN: no such option order

// Numbers refer to the flattened network, so that this one is large enough.
func.func @flattened(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>) -> tensor<2x5xf32> {
  %0 = cma.contract "ij,jk->ik" (%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = cma.contract "ij,jk->ik" (%0, %c) : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// -----

func.func @number(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{expected wanted operand numbers below 2 for "ij,jk->ik", got 2}}
  %0 = cma.contract "ij,jk->ik" (%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>) -> tensor<?x5xf32> {
  // expected-error @+1 {{expected operand #0 to have a static shape, got 'tensor<?x3xf32>'; run cma-specialize first}}
  %0 = cma.contract "ij,jk,kl->il" (%a, %b, %c) : (tensor<?x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @large(%a: tensor<65536x65536xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected intermediates of at most 2^63 - 1 elements, the order found for "ab,cd,ac,bd->" makes one of 18446744073709551616}}
  %0 = cma.contract "ab,cd,ac,bd->" (%a, %a, %a, %a) {path = [[0, 1], [0, 1], [0, 1]]} : (tensor<65536x65536xf32>, tensor<65536x65536xf32>, tensor<65536x65536xf32>, tensor<65536x65536xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
