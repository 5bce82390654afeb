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
// RUN: not cma-opt %t/legal.mlir --cma-assign-precision="policy=tf32 follow=cma.gelu" 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: not cma-opt %s --cma-assign-precision="policy=custom type=f64" 2>&1 | FileCheck %s --check-prefix=WIDE
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
// TF32: error: 'cma.gelu' op expected no list to ask for 'tf32', which the op may not have: the only legal types are f32, f64, f16, bf16, f8E4M3FN and f8E5M2
// WIDE: error: invalid option 'type': expected tf32, f16, bf16, f8E4M3FN or f8E5M2 for the policy custom, got 'f64'
// FILE: error: invalid option 'report': {{.*}}r.json

//--- legal.mlir

func.func @only_f32(%x: tensor<4xf32> {cma.name = "x"}) -> tensor<f32> {
  // expected-error @below {{expected no list to ask for 'f16', which the op may not have: the only legal types are f32 and f64}}
  %0 = cma.mse %x, %x : tensor<4xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @no_tf32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cma.gelu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
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

// -----

// What keeps its types takes no other ones: an annotation is never dropped.
func.func @splat(%x: f32) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' of an op on scalars to be f32, got 'f16'}}
  %0 = tensor.splat %x {cma.precision = #cma.precision<f16>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @cast(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @below {{expected 'cma.precision' of a conversion to be f16, got 'bf16'}}
  %0 = cma.cast %x {cma.precision = #cma.precision<f32, result = bf16>} : tensor<4xf32> to tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @constant() -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' of a constant, whose uses have the types they ask for, to be f32, got 'f16'}}
  %0 = arith.constant {cma.precision = #cma.precision<f16>} dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scalar(%x: f32) -> f32 {
  // expected-error @below {{expected 'cma.precision' of an op on scalars to be f32, got 'f64'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<f64>} : f32
  return %0 : f32
}

// -----

func.func @written(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @below {{expected 'cma.precision' of an op without f32 to be f16, got 'bf16'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<bf16>} : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @carried_f64(%p: i1, %x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{expected 'cma.precision' to leave f64 as it is, got 'f16'}}
  %0 = scf.if %p -> tensor<4xf64> {
    scf.yield %x : tensor<4xf64>
  } else {
    scf.yield %x : tensor<4xf64>
  } {cma.precision = #cma.precision<f16>}
  return %0 : tensor<4xf64>
}

// -----

func.func @listed_f64(%p: i1, %x: tensor<4xf64>, %y: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @below {{expected 'cma.result_types' to leave value #1 in 'f64', got 'f16'}}
  %0:2 = scf.if %p -> (tensor<4xf32>, tensor<4xf64>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf64>
  } else {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf64>
  } {cma.precision = #cma.precision<f16>, cma.result_types = [f16, f16]}
  return %0#1 : tensor<4xf64>
}

// -----

func.func @listed_elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.result_types' only on an scf.for or scf.if with results, got [f16]}}
  %0 = arith.addf %x, %x {cma.result_types = [f16]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f64_result(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' to have f64 for the operands and the result of a contraction or for neither, got 'f16' and 'f64'}}
  %0 = cma.contract "ij,j->i" (%x, %y)
      {cma.precision = #cma.precision<f16, accumulate = f64, result = f64>, planned}
      : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f64_beside_f16(%x: tensor<4x8xf16>, %y: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.precision' to have no f64 beside an operand of f16, got 'f64'}}
  %0 = cma.contract "ij,j->i" (%x, %y) {cma.precision = #cma.precision<f64>, planned}
      : (tensor<4x8xf16>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @two_accumulators(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'accumulate' of 'cma.precision' to be 'f32', which the op has, got 'f64'}}
  %0 = cma.contract "ij,j->i" (%x, %y)
      {accumulate = f32, cma.precision = #cma.precision<f16, accumulate = f64>, planned}
      : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @accumulates_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'accumulate' of 'cma.precision' to be 'f32' for what is no cma.contract, got 'f64'}}
  %0 = arith.addf %x, %x {cma.precision = #cma.precision<f16, accumulate = f64>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
