// RUN: cma-opt %s --cma-assign-precision=policy=f32 | FileCheck %s

// A value that the user rounded is another one: what is written on its op does not
// go for the op on the value itself.
// CHECK-LABEL: func.func @rounded
// CHECK: math.exp {{.*}}#cma.precision<bf16>} : tensor<4xbf16>
// CHECK: math.exp {{.*}}#cma.precision<f32>} : tensor<4xf32>
func.func @rounded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = cma.cast %x : tensor<4xf32> to tensor<4xbf16>
  %a = math.exp %w {cma.precision = #cma.precision<bf16>} : tensor<4xbf16>
  %l = cma.cast %a : tensor<4xbf16> to tensor<4xf32>
  %b = math.exp %x : tensor<4xf32>
  %e = arith.subf %b, %l : tensor<4xf32>
  return %e : tensor<4xf32>
}
