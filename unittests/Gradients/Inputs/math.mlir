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
// -----
// RANGE: -0.9 0.9
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.asin %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: -0.9 0.9
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.acos %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: -0.9 0.9
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.atanh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.asinh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 1.2 2.5
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.acosh %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.atan2 %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>, %y: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = math.atan2 %x, %y : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %y = math.sin %x : tensor<4x5xf64>
  %z = arith.negf %y : tensor<4x5xf64>
  %0 = math.copysign %x, %z : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<-3> : tensor<4x5xi32>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xi32>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
// ZERO
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<0> : tensor<4x5xi32>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xi32>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<1> : tensor<4x5xi32>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xi32>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<4> : tensor<4x5xi32>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xi32>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 1.05 1.2
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<-128> : tensor<4x5xi8>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xi8>
  return %0 : tensor<4x5xf64>
}
// -----
// RANGE: 0.3 1.7
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %n = arith.constant dense<3> : tensor<4x5xindex>
  %0 = math.fpowi %x, %n : tensor<4x5xf64>, tensor<4x5xindex>
  return %0 : tensor<4x5xf64>
}
