// What cannot be compiled for the CPU.
// RUN: cma-opt %s --cma-prepare-entries --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op expected argument #1 to be a tensor of static shape with elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got 'tensor<?x4xf32>'}}
func.func @dynamic(%x: tensor<4xf32>, %y: tensor<?x4xf32>) {
  return
}

// -----

// expected-error @below {{'func.func' op expected argument #0 to be a tensor of static shape with elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @below {{'func.func' op expected argument #0 to be a tensor of static shape with elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got 'f32'}}
func.func @scalar(%x: f32) {
  return
}

// -----

// expected-error @below {{'func.func' op expected result #0 to be a tensor of static shape with elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, got 'tensor<4xf128>'}}
func.func @type() -> tensor<4xf128> {
  %c = arith.constant dense<0.0> : tensor<4xf128>
  return %c : tensor<4xf128>
}

// -----

// expected-error @below {{'func.func' op expected argument #0 to have at most 2^63 - 1 bytes, got 'tensor<4294967296x4294967296xf32>'}}
func.func @too_large(%x: tensor<4294967296x4294967296xf32>) {
  return
}

// -----

// expected-error @below {{'func.func' op expected result #0 to have at most 2^63 - 1 bytes, got 'tensor<4611686018427387904xf32>'}}
func.func @too_many_bytes(%x: tensor<4611686018427387904xi1>) -> tensor<4611686018427387904xf32> {
  %y = arith.uitofp %x : tensor<4611686018427387904xi1> to tensor<4611686018427387904xf32>
  return %y : tensor<4611686018427387904xf32>
}

// -----

func.func @inner_bytes(%x: tensor<2xf32>) -> tensor<f32> {
  // expected-error @below {{'tensor.empty' op expected at most 2^63 - 1 bytes, got 'tensor<4611686018427387904x2xf32>'}}
  %e = tensor.empty() : tensor<4611686018427387904x2xf32>
  %c0 = arith.constant 0 : index
  %v = tensor.extract %e[%c0, %c0] : tensor<4611686018427387904x2xf32>
  %r = tensor.from_elements %v : tensor<f32>
  return %r : tensor<f32>
}

// -----

// expected-error @below {{'func.func' op expected a name without NUL}}
func.func @"f\00g"() {
  return
}

// -----

func.func @inner_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.extf' op expected elements of type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 or index, got 'tensor<4xf128>'}}
  %h = arith.extf %x : tensor<4xf32> to tensor<4xf128>
  %y = arith.truncf %h : tensor<4xf128> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----


func.func @inner_dynamic(%x: tensor<4xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %x[%c0] : tensor<4xi64>
  %size = arith.index_cast %n : i64 to index
  // expected-error @below {{'tensor.empty' op expected a static shape, got 'tensor<?xf32>'}}
  %e = tensor.empty(%size) : tensor<?xf32>
  return
}

// -----

func.func private @callee()

func.func @caller() {
  // expected-error @below {{'func.call' op expected calls to be inlined}}
  call @callee() : () -> ()
  return
}

// -----

func.func @layer(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{'cma.relu' op expected the op to be lowered to linalg}}
  %y = cma.relu %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// expected-error @below {{'func.func' op expected a body of one block, got 2}}
func.func @blocks() {
  cf.br ^next
^next:
  return
}

// -----

func.func @while(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  // expected-error @below {{'scf.while' op expected a loop with a counter (scf.for) where tensors are carried}}
  %r = scf.while (%y = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %b = tensor.extract %c[] : tensor<i1>
    scf.condition(%b) %y : tensor<4xf32>
  } do {
  ^bb0(%y: tensor<4xf32>):
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
