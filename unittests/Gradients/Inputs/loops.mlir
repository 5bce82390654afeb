// Loops: what is saved, what is computed anew, what is summed up.
// A step and a lower bound; slices of a stack of weights, one an iteration.
func.func @f(%x: tensor<3x4xf64>, %w: tensor<7x4x4xf64>) -> tensor<3x4xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %0 = scf.for %i = %c1 to %c7 step %c2 iter_args(%h = %x) -> (tensor<3x4xf64>) {
    %v = tensor.extract_slice %w[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<7x4x4xf64> to tensor<4x4xf64>
    %1 = cma.contract "ab,bc->ac" (%h, %v) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
    %2 = math.tanh %1 : tensor<3x4xf64>
    scf.yield %2 : tensor<3x4xf64>
  }
  return %0 : tensor<3x4xf64>
}
// -----
// Two carried values that change places, and one that nothing is wanted of.
func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.constant dense<0.5> : tensor<4xf64>
  %0, %1, %2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y, %c = %k) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
    %3 = math.sin %a : tensor<4xf64>
    %4 = arith.mulf %3, %b : tensor<4xf64>
    %5 = arith.addf %c, %k : tensor<4xf64>
    %6 = arith.mulf %4, %5 : tensor<4xf64>
    scf.yield %b, %6, %5 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  }
  %7 = arith.addf %0, %1 : tensor<4xf64>
  %8 = arith.mulf %7, %2 : tensor<4xf64>
  return %8 : tensor<4xf64>
}
// -----
// A loop in a loop.
func.func @f(%x: tensor<4xf64>, %w: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<4xf64>) {
    %1 = math.sin %a : tensor<4xf64>
    %2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %1) -> (tensor<4xf64>) {
      %4 = arith.mulf %b, %w : tensor<4xf64>
      %5 = arith.addf %4, %a : tensor<4xf64>
      %6 = math.tanh %5 : tensor<4xf64>
      scf.yield %6 : tensor<4xf64>
    }
    %3 = arith.mulf %2, %1 : tensor<4xf64>
    scf.yield %3 : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}
// -----
// Activity that enters through a value from outside only.
func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant dense<1.0> : tensor<4xf64>
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %one) -> (tensor<4xf64>) {
    %1 = arith.mulf %a, %x : tensor<4xf64>
    %2 = arith.addf %1, %one : tensor<4xf64>
    scf.yield %2 : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}
// -----
// An index and a number that the loop carries.
func.func @f(%x: tensor<8xf64>) -> tensor<1xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %0, %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %one, %k = %c1) -> (f64, index) {
    %2 = tensor.extract %x[%k] : tensor<8xf64>
    %3 = math.sin %a : f64
    %4 = arith.mulf %3, %2 : f64
    %5 = arith.addf %4, %2 : f64
    %6 = arith.muli %k, %c2 : index
    scf.yield %5, %6 : f64, index
  }
  %7 = tensor.from_elements %0 : tensor<1xf64>
  return %7 : tensor<1xf64>
}
// -----
// No iteration at all: the initial value passes.
func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %x) -> (tensor<4xf64>) {
    %1 = math.sin %a : tensor<4xf64>
    scf.yield %1 : tensor<4xf64>
  }
  %2 = arith.mulf %0, %x : tensor<4xf64>
  return %2 : tensor<4xf64>
}
