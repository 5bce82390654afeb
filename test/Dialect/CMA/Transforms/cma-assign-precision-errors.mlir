// RUN: not cma-opt %s --cma-assign-precision="policy=fp16" 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not cma-opt %s --cma-assign-precision="policy=custom" 2>&1 | FileCheck %s --check-prefix=NOTYPE
// RUN: not cma-opt %s --cma-assign-precision="policy=custom type=i8" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not cma-opt %s --cma-assign-precision="policy=f16 type=bf16" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not cma-opt %s --cma-assign-precision="solver=ilp" 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not cma-opt %s --cma-assign-precision="policy=bf16 target=sm_70" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not cma-opt %s --cma-assign-precision="policy=bf16 target=sm_75" 2>&1 | FileCheck %s --check-prefix=LACKS
// RUN: not cma-opt %s --cma-assign-precision="policy=f16 allow=cma.matmul" 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not cma-opt %s --cma-assign-precision="policy=f16 deny=-func.return" 2>&1 | FileCheck %s --check-prefix=CLASSLESS
// RUN: not cma-opt %s --cma-assign-precision="policy=f16 deny=cma.gelu follow=cma.gelu" 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not cma-opt %s --cma-assign-precision="ranges=x:1:0" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not cma-opt %s --cma-assign-precision="ranges=x:0:inf" 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not cma-opt %s --cma-assign-precision="ranges=q:0:1" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: split-file %s %t
// RUN: cma-opt %t/rest.mlir --split-input-file --verify-diagnostics --cma-assign-precision="policy=f16"
// RUN: cma-opt %t/legal.mlir --verify-diagnostics --cma-assign-precision="policy=f16 allow=cma.mse"
// RUN: not cma-opt %t/legal.mlir --cma-assign-precision="policy=f16 report=%t/none/r.json" 2>&1 | FileCheck %s --check-prefix=FILE

// POLICY: error: invalid option 'policy': expected f32, tf32, f16, bf16 or custom, got 'fp16'
// NOTYPE: error: invalid option 'type': expected tf32, f16, bf16, f8E4M3FN or f8E5M2 for the policy custom, got ''
// TYPE: error: invalid option 'type': expected tf32, f16, bf16, f8E4M3FN or f8E5M2 for the policy custom, got 'i8'
// TWICE: error: invalid option 'type': expected none for the policy f16, which names it, got 'bf16'
// SOLVER: error: invalid option 'solver': expected lists or mincut, got 'ilp'
// TARGET: error: invalid option 'target': expected one of cpu, sm_75, sm_80, sm_89, sm_90, sm_100, got 'sm_70'
// LACKS: error: invalid option 'target': expected a target with contractions of 'bf16', got 'sm_75'
// ENTRY: error: invalid option 'allow': expected the name of an op with a precision class, such as cma.gelu, perhaps behind '+' or '-', got 'cma.matmul'
// CLASSLESS: error: invalid option 'deny': expected the name of an op with a precision class, {{.*}} got 'func.return'
// AGAIN: error: invalid option 'follow': expected each op once in all lists, got 'cma.gelu' again
// RANGE: error: invalid option 'ranges': expected <name>:<low>:<high> with finite low <= high, got 'x:1:0'
// INFINITE: error: invalid option 'ranges': expected <name>:<low>:<high> with finite low <= high, got 'x:0:inf'
// NAME: error: invalid option 'ranges': expected the name or position of a floating-point argument, got 'q'
// FILE: error: invalid option 'report': {{.*}}r.json

//--- legal.mlir

func.func @only_f32(%x: tensor<4xf32> {cma.name = "x"}) -> tensor<f32> {
  // expected-error @below {{expected no list to ask for 'f16', which the op may not have: the only legal types are f32 and f64}}
  %0 = cma.mse %x, %x : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

//--- rest.mlir

func.func @loss_in_f16(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @below {{expected 'cma.precision' to be a type that the op may have, got 'f16'}}
  %0 = cma.mse %x, %x {cma.precision = #cma.precision<f16>} : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @tf32_elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' to be a type that the op may have, got 'tf32'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<tf32>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @two_types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' to have one type for operands and result, got 'f32'}}
  %0 = cma.gelu %x {cma.precision = #cma.precision<f16, result = f32>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f64_lowered(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{expected 'cma.precision' to leave f64 as it is, got 'f16'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<f16>} : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @no_class(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' of an op without a precision class to be f32, got 'f16'}}
  %0 = call @callee(%x) {cma.precision = #cma.precision<f16>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
