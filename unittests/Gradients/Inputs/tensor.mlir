// Reshapes, slices and loops.
func.func @f(%x: tensor<6x4xf64>) -> tensor<2x3x4xf64> {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf64> into tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}
// -----
func.func @f(%x: tensor<2x3x4xf64>) -> tensor<2x12xf64> {
  %0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x3x4xf64> into tensor<2x12xf64>
  return %0 : tensor<2x12xf64>
}
// -----
func.func @f(%x: tensor<6x4xf64>) -> tensor<2x3xf64> {
  %0 = tensor.extract_slice %x[1, 1] [2, 3] [2, 1] : tensor<6x4xf64> to tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
func.func @f(%x: tensor<6x4xf64>) -> tensor<4xf64> {
  %0 = tensor.extract_slice %x[2, 0] [1, 4] [1, 1] : tensor<6x4xf64> to tensor<4xf64>
  return %0 : tensor<4xf64>
}
// -----
func.func @f(%x: tensor<2x3xf64>, %y: tensor<6x4xf64>) -> tensor<6x4xf64> {
  %0 = tensor.insert_slice %x into %y[1, 1] [2, 3] [2, 1] : tensor<2x3xf64> into tensor<6x4xf64>
  return %0 : tensor<6x4xf64>
}
// -----
func.func @f(%x: tensor<2x3xf64>) -> tensor<4x6xf64> {
  %c = arith.constant 0.5 : f64
  %0 = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f64
  } : tensor<2x3xf64> to tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}
// -----
func.func @f(%x: tensor<2x3xf64>, %y: tensor<4x3xf64>) -> tensor<6x3xf64> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<6x3xf64>
  return %0 : tensor<6x3xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<3x4xf64>) {
    %1 = math.sin %h : tensor<3x4xf64>
    %2 = arith.mulf %1, %x : tensor<3x4xf64>
    %3 = arith.addf %2, %h : tensor<3x4xf64>
    scf.yield %3 : tensor<3x4xf64>
  }
  return %0 : tensor<3x4xf64>
}
// -----
func.func @f(%x: tensor<3x4xf64>, %w: tensor<4x4xf64>) -> tensor<3x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> (tensor<3x4xf64>) {
    %1 = cma.contract "ab,bc->ac" (%h, %w) : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
    %2 = math.tanh %1 : tensor<3x4xf64>
    scf.yield %2 : tensor<3x4xf64>
  }
  return %0 : tensor<3x4xf64>
}
// -----
// Single elements.
func.func @f(%x: tensor<2x3xf64>) -> tensor<2x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %x[%c0, %c2] : tensor<2x3xf64>
  %1 = tensor.extract %x[%c1, %c1] : tensor<2x3xf64>
  %2 = arith.mulf %0, %1 : f64
  %3 = tensor.from_elements %0, %1, %2, %1 : tensor<2x2xf64>
  %4 = tensor.splat %1 : tensor<2x2xf64>
  %5 = arith.mulf %3, %4 : tensor<2x2xf64>
  %6 = tensor.insert %0 into %5[%c1, %c0] : tensor<2x2xf64>
  return %6 : tensor<2x2xf64>
}
