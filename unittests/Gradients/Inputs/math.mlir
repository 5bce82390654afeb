// Elementwise functions.
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.exp %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.exp2 %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.expm1 %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.sin %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.cos %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.tan %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.atan %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.sinh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.cosh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.tanh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.erf %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.erfc %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.absf %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.cbrt %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.log %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.log1p %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.log2 %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.log10 %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.sqrt %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.rsqrt %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.powf %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>, %z: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.fma %x, %y, %z : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.6 0.9
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.floor %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.6 0.9
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.ceil %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.6 0.9
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.round %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.6 0.9
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.roundeven %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.6 0.9
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.trunc %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
