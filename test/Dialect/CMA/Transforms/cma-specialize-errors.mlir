// RUN: cma-opt %s --cma-specialize=batch=32 --split-input-file --verify-diagnostics

// expected-error @+1 {{expected '?' on the first axis only, got one on axis 1 of argument 'x', 'tensor<?x?xf32>'}}
func.func @inner_axis(%x: tensor<?x?xf32> {cma.name = "x"}) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

// -----

// expected-error @+1 {{got one on axis 2 of argument '1', 'tensor<2x3x?xf32>'}}
func.func @unnamed(%x: tensor<2xf32>, %y: tensor<2x3x?xf32>) {
  return
}

// -----

// expected-error @+1 {{expected argument '0' to be ranked, got 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

func.func @recursion(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @again(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected no recursion, got a call of '@again' within itself}}
  %0 = call @again(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @external(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @elsewhere(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// expected-error @+1 {{expected a body}}
func.func private @elsewhere(tensor<?xf32>) -> tensor<?xf32>

// -----

func.func @unknown_shape(%n: index) -> tensor<?xf32> {
  // expected-error @+1 {{expected a shape that follows from the operands and the batch, got 'tensor<?xf32>' for result #0}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The batch does not divide by 5.
func.func @indivisible(%x: tensor<?xf32>, %n: index) -> tensor<?x5xf32> {
  // expected-error @+1 {{expected a shape that follows from the operands and the batch, got 'tensor<?x5xf32>'}}
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 5] : tensor<?xf32> into tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

// Two axes that the model takes for equal differ once the batch is known.
func.func @disagree(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected label 'i' to have one extent, got 32 in operand #0 axis 0 and 6 in operand #1 axis 0}}
  %y = cma.contract "ib,ij->bj" (%x, %w) : (tensor<?x6xf32>, tensor<6x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// expected-error @+1 {{expected a body of one block, got 2}}
func.func @blocks(%x: tensor<?xf32>) -> tensor<?xf32> {
  cf.br ^end(%x : tensor<?xf32>)
^end(%y: tensor<?xf32>):
  return %y : tensor<?xf32>
}
