// Elementwise arithmetic.
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.addf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.subf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.mulf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.divf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.maximumf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.minimumf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.maxnumf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.minnumf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.remf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.negf %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%c: tensor<4x5xi1>, %x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.select %c, %x, %y : tensor<4x5xi1>, tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.cmpf olt, %x, %y : tensor<4x5xf64>
  %1 = arith.mulf %x, %y : tensor<4x5xf64>
  %2 = arith.select %0, %1, %x : tensor<4x5xi1>, tensor<4x5xf64>
  return %2 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.constant dense<0.5> : tensor<4x5xf64>
  %1 = arith.mulf %x, %0 : tensor<4x5xf64>
  %2 = arith.addf %1, %x : tensor<4x5xf64>
  return %2 : tensor<4x5xf64>
}
// -----
// An argument that the result does not depend on.
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.constant dense<0.5> : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = arith.mulf %x, %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
