// The figures of a training run, each counted by hand.

// REQUIRES: cma-run
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tensors.py write %t/d x:F32:32x3=0.5 label:I64:32=1
// RUN: cma-run train %s --data %t/d --test-data %t/d --epochs 2 --batch 8 --precision f16 --optimizer adamw \
// RUN:   --loss-scale dynamic:interval=3 --report %t/r | FileCheck %s --check-prefixes=TABLE,STEP
// RUN: %python -m json.tool %t/r | FileCheck %s --check-prefixes=REPORT,REPORT1
// RUN: cma-run train %s --data %t/d --test-data %t/d --epochs 2 --batch 8 --precision f16 --optimizer adamw \
// RUN:   --loss-scale dynamic:interval=3 --report %t/r --accumulate 2 | FileCheck %s --check-prefixes=TABLE,WINDOW
// RUN: %python -m json.tool %t/r | FileCheck %s --check-prefixes=REPORT,REPORT2

// Evaluation is not what a user of f16 may think.
// TABLE: note: evaluation computes in the types of the model, not in f16

// Forward 8 * (3 * 4 + 4 * 2); backward the same for weights, and 8 * 4 * 2 for
// what the first layer returned. With two batches a step, twice.
// STEP: planned multiplications of a step 384{{$}}
// STEP-NEXT: naive multiplications of its forward pass 160{{$}}
// WINDOW: planned multiplications of a step 768{{$}}
// WINDOW-NEXT: naive multiplications of its forward pass 320{{$}}
// REPORT1: "planned_mults": 384,
// REPORT1-NEXT: "naive_mults": 160,
// REPORT2: "planned_mults": 768,
// REPORT2-NEXT: "naive_mults": 320,

// 26 parameters; two moments of each, and the scale with its count of steps.
// TABLE-NEXT: gradients 104 B
// TABLE-NEXT: state of the optimizer 216 B
// TABLE-NEXT: parameters (masters) 104 B
// REPORT: "gradient_bytes": 104,
// REPORT-NEXT: "optimizer_state_bytes": 216,
// REPORT-NEXT: "precision": {
// REPORT-NEXT: "policy": "f16",

// The weights, the first bias, x and the gradient of the logits are cast; the
// last two for each batch.
// STEP: 5 casts, written in a step 128 B
// WINDOW: 5 casts, written in a step 208 B
// REPORT-NEXT: "casts": 5,
// REPORT1-NEXT: "cast_bytes": 128,
// REPORT2-NEXT: "cast_bytes": 208,
// REPORT-NEXT: "master_bytes": 104,

// 12 + 4 + 8 values of the weights and the first bias.
// REPORT-NEXT: "weight_view_bytes": 48,
// REPORT-NEXT: "weight_view_f32_bytes": 96,

// What relu returned in f16, 8 * 4, and the logits in f32, 8 * 2.
// REPORT-NEXT: "saved_activation_bytes": 128,
// REPORT-NEXT: "saved_activation_f32_bytes": 192

// Eight steps grow the scale twice, four once.
// REPORT: "initial": 65536,
// REPORT-NEXT: "changes": [
// REPORT-NEXT: {
// REPORT-NEXT: "step": 3,
// REPORT-NEXT: "scale": 131072
// REPORT1: "step": 6,
// REPORT1-NEXT: "scale": 262144
// REPORT2-NOT: "step":
func.func @model(
    %x: tensor<?x3xf32> {cma.role = "data", cma.name = "x"},
    %label: tensor<?xi64> {cma.role = "data", cma.name = "label"},
    %w1: tensor<3x4xf32> {cma.role = "parameter", cma.name = "fc1.w", cma.init = #cma.init<normal, std = 0.1>},
    %b1: tensor<4xf32> {cma.role = "parameter", cma.name = "fc1.b", cma.init = #cma.init<zeros>},
    %w2: tensor<4x2xf32> {cma.role = "parameter", cma.name = "fc2.w", cma.init = #cma.init<normal, std = 0.1>},
    %b2: tensor<2xf32> {cma.role = "parameter", cma.name = "fc2.b", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x2xf32> {cma.role = "logits"}) {
  %0 = cma.linear %x, %w1 bias(%b1) : tensor<?x3xf32>, tensor<3x4xf32>, tensor<4xf32> -> tensor<?x4xf32>
  %1 = cma.relu %0 : tensor<?x4xf32>
  %2 = cma.linear %1, %w2 bias(%b2) : tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32> -> tensor<?x2xf32>
  %loss = cma.cross_entropy %2, %label : tensor<?x2xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %2 : tensor<f32>, tensor<?x2xf32>
}
