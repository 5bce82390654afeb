// Parameters declared in bf16 are trained, saved and loaded in f32; the layer still
// has its name.
// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make_points.py %t/train 100
// RUN: cma-run train %s --data %t/train --epochs 3 --batch 20 --lr 0.5 --save %t/p --eval-data %t/train | FileCheck %s
// RUN: %python %S/Inputs/tensors.py print %t/p | FileCheck %s --check-prefix=SAVED
// RUN: cma-run eval %s --data %t/train --load %t/p | FileCheck %s --check-prefix=EVAL
// RUN: cma-run train %s --data %t/train --epochs 1 --batch 20 --lr 0.5 --load %t/p --save %t/q --accumulate 2 --precision f16 --quiet
// CHECK: epoch 3/3 {{.*}} eval accuracy {{9[0-9]|100}}.
// CHECK: fc linear 8
// SAVED: fc.b:F32:4=
// SAVED-NEXT: fc.w:F32:2x4=
// EVAL: accuracy {{9[0-9]|100}}.
func.func @model(
    %x: tensor<?x2xf32> {cma.role = "data", cma.name = "x"},
    %y: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    %w: tensor<2x4xbf16> {cma.role = "parameter", cma.name = "fc.w", cma.init = #cma.init<normal, std = 0.1>},
    %b: tensor<4xbf16> {cma.role = "parameter", cma.name = "fc.b", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x4xf32> {cma.role = "logits"}) {
  %0 = cma.cast %x : tensor<?x2xf32> to tensor<?x2xbf16>
  %1 = cma.linear %0, %w bias(%b) : tensor<?x2xbf16>, tensor<2x4xbf16>, tensor<4xbf16> -> tensor<?x4xbf16>
  %2 = cma.cast %1 : tensor<?x4xbf16> to tensor<?x4xf32>
  %loss = cma.cross_entropy %2, %y : tensor<?x4xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %2 : tensor<f32>, tensor<?x4xf32>
}
