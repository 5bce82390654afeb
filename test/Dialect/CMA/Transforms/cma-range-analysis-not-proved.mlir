// Where infinities of both signs may meet, where a cast may round up to infinity,
// and where a NaN stands in the padding, nothing is proved.
// RUN: cma-opt %s --cma-range-analysis="low=f16 report=%t" -o /dev/null
// RUN: FileCheck %s < %t
// CHECK: "function": "sum"
// CHECK: "value": "%0"
// CHECK: "may_be_nan": true
// CHECK: "function": "pad"
// CHECK: "value": "%padded"
// CHECK: "may_be_nan": true
// CHECK: "function": "tf32"
// CHECK: "value": "%0"
// CHECK: "reason": "may be infinite"
// CHECK: "function": "stochastic"
// CHECK: "value": "%0"
// CHECK: "proved": false
func.func @sum(%x: tensor<64xf32> {cma.range = #cma.range<-3.0e38, 3.0e38>}) -> tensor<f32> {
  %s = cma.contract "i->" (%x) {planned} : (tensor<64xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
func.func @pad(%x: tensor<4xf32> {cma.range = #cma.range<-2.0, 3.0>}) -> tensor<6xf32> {
  %n = arith.constant 0x7FC00000 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %n : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}
func.func @tf32(%x: tensor<4xf32> {cma.range = #cma.range<0.0, 3.4028234e38>}) -> tensor<4xf32> {
  %p = cma.cast %x tf32 : tensor<4xf32> to tensor<4xf32>
  return %p : tensor<4xf32>
}
func.func @stochastic(%x: tensor<4xf32> {cma.range = #cma.range<0.0, 65510.0>}, %s: tensor<i64>) -> tensor<4xf16> {
  %p = cma.cast %x round(stochastic, %s, seed = 7, stream = "w") : tensor<4xf32> to tensor<4xf16>
  return %p : tensor<4xf16>
}
