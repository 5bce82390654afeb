// Activations, norms and losses.
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.relu %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.gelu %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.gelu %x approximate(tanh) : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.softmax %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<5xf64>) -> tensor<5xf64> {
  %0 = cma.softmax %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
// -----
func.func @f(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = cma.softmax %x : tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>) -> tensor<4x5xf64> {
  %0 = cma.layer_norm %x : tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = cma.layer_norm %x {epsilon = 0.1 : f64} : tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %g: tensor<5xf64>, %b: tensor<5xf64>) -> tensor<4x5xf64> {
  %0 = cma.layer_norm %x scale(%g) shift(%b) {epsilon = 1.0e-3 : f64} : tensor<4x5xf64> scale(tensor<5xf64>) shift(tensor<5xf64>)
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%x: tensor<4x5xf64>, %g: tensor<5xf64>) -> tensor<4x5xf64> {
  %0 = cma.layer_norm %x scale(%g) : tensor<4x5xf64> scale(tensor<5xf64>)
  return %0 : tensor<4x5xf64>
}
// -----
func.func @f(%p: tensor<4x5xf64>, %t: tensor<4x5xf64>) -> tensor<f64> {
  %0 = cma.mse %p, %t : tensor<4x5xf64> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 5
func.func @f(%x: tensor<4x5xf64>, %l: tensor<4xi64>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l : tensor<4x5xf64>, tensor<4xi64> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 4
func.func @f(%x: tensor<2x3x4xf64>, %l: tensor<2x3xi32>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l : tensor<2x3x4xf64>, tensor<2x3xi32> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 5
// IGNORE: -100
func.func @f(%x: tensor<7x5xf64>, %l: tensor<7xi64>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l {ignore_index = -100 : i64} : tensor<7x5xf64>, tensor<7xi64> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 5
// IGNORE: 2
func.func @f(%x: tensor<7x5xf64>, %l: tensor<7xi64>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l {ignore_index = 2 : i64} : tensor<7x5xf64>, tensor<7xi64> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 1
// ZERO
func.func @f(%x: tensor<3x5xf64>, %l: tensor<3xi64>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l {ignore_index = 0 : i64} : tensor<3x5xf64>, tensor<3xi64> -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// CLASSES: 3
func.func @f(%x: tensor<3xf64>, %l: tensor<i64>) -> tensor<f64> {
  %0 = cma.cross_entropy %x, %l : tensor<3xf64>, tensor<i64> -> tensor<f64>
  return %0 : tensor<f64>
}
