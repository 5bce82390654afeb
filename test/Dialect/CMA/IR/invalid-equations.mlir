// The syntax of equations: each error points at the character.
// RUN: not cma-opt %s --split-input-file 2>&1 | FileCheck %s

func.func @missing(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:21: error: custom op 'cma.contract' expected an equation such as "bi,ij->bj"
  %0 = cma.contract (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @arrow(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:23: error: custom op 'cma.contract' invalid equation "i" at column 1: expected '->' and the result's labels
  %0 = cma.contract "i" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @empty(%x: tensor<f32>) {
  // CHECK: [[#@LINE+1]]:22: error: {{.*}}invalid equation "" at column 0: expected '->'
  %0 = cma.contract "" (%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @two_arrows(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:26: error: {{.*}} at column 4: expected one arrow, got a second '->'
  %0 = cma.contract "i->i->i" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @two_results(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:26: error: {{.*}} at column 4: expected one result, got ',' behind the arrow
  %0 = cma.contract "i->i,i" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @ellipsis(%x: tensor<2x3xf32>) {
  // CHECK: [[#@LINE+1]]:23: error: {{.*}} at column 1: expected a label, got '.'; an ellipsis is not supported
  %0 = cma.contract "i...->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @digit(%x: tensor<2x3xf32>) {
  // CHECK: [[#@LINE+1]]:24: error: {{.*}} at column 2: expected a letter, '{name}', ',' or '->', got '1'
  %0 = cma.contract "i 1->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @not_ascii(%x: tensor<2x3xf32>) {
  // CHECK: [[#@LINE+1]]:23: error: {{.*}} at column 1: expected a letter, '{name}', ',' or '->', got byte 0xc3
  %0 = cma.contract "ié->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @control_character(%x: tensor<2x3xf32>) {
  // CHECK: [[#@LINE+1]]:23: error: {{.*}} "i\00->i" at column 1: expected a letter, '{name}', ',' or '->', got byte 0x00
  %0 = cma.contract "i\00->i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @minus(%x: tensor<2x3xf32>) {
  // CHECK: [[#@LINE+1]]:23: error: {{.*}} at column 1: expected a letter, '{name}', ',' or '->', got '-'
  %0 = cma.contract "i-j>i" (%x) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @open_brace(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:22: error: {{.*}} at column 0: expected '}' to close the label
  %0 = cma.contract "{row" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @empty_brace(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:22: error: {{.*}} at column 0: expected a name between '{' and '}'
  %0 = cma.contract "{}->" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @brace_character(%x: tensor<2xf32>) {
  // CHECK: [[#@LINE+1]]:26: error: {{.*}} at column 4: expected letters, digits and '_' in a braced label
  %0 = cma.contract "{row-1}->" (%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: [[#@LINE+1]]:54: error: invalid equation "i.->" at column 1
func.func @attribute() attributes {a = #cma.einsum<"i.->">} {
  return
}

// -----

func.func @generic_form(%x: tensor<2xf32>) {
  // CHECK: error: invalid equation "i" at column 1: expected '->' and the result's labels
  %0 = "cma.contract"(%x) {equation = #cma.einsum<"i">} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
