// Rows of three bf16 numbers: LLVM splits their vectors, and must not call the
// library to do so.
// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make_points.py %t/train 100
// RUN: cma-run train %s --data %t/train --epochs 3 --batch 20 --lr 0.5 --save %t/p --quiet
// RUN: cma-run eval %s --data %t/train --load %t/p | FileCheck %s
// CHECK: accuracy {{9[0-9]|100}}.
func.func @model(
    %x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"},
    %y: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    %w: tensor<2x3xbf16> {cma.role = "parameter", cma.name = "fc.w", cma.init = #cma.init<normal, std = 0.1>},
    %b: tensor<3xbf16> {cma.role = "parameter", cma.name = "fc.b", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x3xf32> {cma.role = "logits"}) {
  %0 = cma.cast %x : tensor<?x2xf32> to tensor<?x2xbf16>
  %1 = cma.linear %0, %w bias(%b) : tensor<?x2xbf16>, tensor<2x3xbf16>, tensor<3xbf16> -> tensor<?x3xbf16>
  %2 = cma.cast %1 : tensor<?x3xbf16> to tensor<?x3xf32>
  %loss = cma.cross_entropy %2, %y : tensor<?x3xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %2 : tensor<f32>, tensor<?x3xf32>
}
