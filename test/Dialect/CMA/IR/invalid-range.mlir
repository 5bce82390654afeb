// RUN: cma-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 'cma.range' of argument #0 to be a #cma.range on floats, got #cma.range<0.000000e+00, 1.000000e+00> on 'tensor<4xi32>'}}
func.func @integers_cma_c10(%x: tensor<4xi32> {cma.range = #cma.range<0.0, 1.0>}) {
  return
}

// -----

// expected-error @below {{expected 'cma.range' of argument #0 to be a #cma.range on floats, got [0, 1]}}
func.func @array_cma_c10(%x: tensor<4xf32> {cma.range = [0, 1]}) {
  return
}

// -----

func.func @count_cma_c11(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'cma.result_types' to hold one element type for each of the 1 results, got []}}
  %0 = cma.relu %x {cma.result_types = []} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kind_cma_c11(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{expected 'cma.result_types' to hold one element type for each of the 1 results, got [f16]}}
  %0 = arith.addi %x, %x {cma.result_types = [f16]} : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error @below {{expected finite bounds, the first not above the second, got 1.000000e+00 and -1.000000e+00}}
func.func @order_range_c1(%x: tensor<4xf32> {cma.range = #cma.range<1, -1>}) {
  return
}

// -----

// expected-error @below {{expected floating point literal}}
func.func @text(%x: tensor<4xf32> {cma.range = #cma.range<low, 1>}) {
  return
}

// -----

// expected-error @below {{expected no sign before the bits of a number}}
func.func @signed_bits(%x: tensor<4xf32> {cma.range = #cma.range<-0x4000000000000000, 1.0>}) {
  return
}
