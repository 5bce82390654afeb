// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts --cma-verify-precision | FileCheck %s
// RUN: cma-opt %s --cma-assign-precision="policy=f16 allow=tensor.generate" --cma-insert-casts --cma-verify-precision | FileCheck %s --check-prefix=ALLOW
// RUN: cma-opt %s --cma-assign-precision=policy=f16 --cma-insert-casts="report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// Ops in the body of tensor.generate are ops as others; a cast of what stands
// outside stands outside. The scalars of the body keep their type.
// CHECK-LABEL: func.func @body
// CHECK: %[[X:.*]] = cma.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// CHECK: tensor.generate
// CHECK-NOT: cma.cast
// CHECK: %[[D:.*]] = cma.contract "i,i->" (%[[X]], %[[X]]) {{.*}} -> tensor<f32>
// CHECK: tensor.extract %[[D]][] : tensor<f32>
// CHECK: tensor.yield %{{.*}} : f32
// ALLOW-LABEL: func.func @body
// ALLOW: %[[S:.*]] = arith.addf {{.*}} : f32
// ALLOW: %[[T:.*]] = arith.truncf %[[S]] : f32 to f16
// ALLOW: tensor.yield %[[T]] : f16
// ALLOW: } : tensor<4xf16>
func.func @body(%x: tensor<4xf32>, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  %h = cma.contract "i,ij->j" (%x, %w) {planned} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %a = tensor.generate {
  ^bb0(%i: index):
    %e = tensor.extract %h[%i] : tensor<4xf32>
    %t = cma.contract "i,i->" (%x, %x) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %u = tensor.extract %t[] : tensor<f32>
    %v = arith.addf %e, %u : f32
    tensor.yield %v : f32
  } : tensor<4xf32>
  %z = cma.contract "i,ij->j" (%a, %w) {planned} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// A padding that is computed, and one behind a condition.
// CHECK-LABEL: func.func @computed_padding
// CHECK: tensor.pad
// CHECK: %[[V:.*]] = scf.if
// CHECK: tensor.extract %{{.*}} : tensor<4xf32>
// CHECK: %[[T:.*]] = arith.truncf %[[V]] : f32 to f16
// CHECK: tensor.yield %[[T]] : f16
// CHECK: } : tensor<4xf16> to tensor<6xf16>
func.func @computed_padding(%x: tensor<4xf32>, %p: i1) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %v = scf.if %p -> f32 {
      %e = tensor.extract %x[%c0] : tensor<4xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    tensor.yield %v : f32
  } {cma.precision = #cma.precision<f16>} : tensor<4xf32> to tensor<6xf32>
  return %a : tensor<6xf32>
}

// Constants are converted as casts convert: f8 saturates, f64 is wider.
// CHECK-LABEL: func.func @constant_padding
// CHECK: %[[E5M2:.*]] = arith.constant -5.734400e+04 : f8E5M2
// CHECK: tensor.yield %[[E5M2]] : f8E5M2
// CHECK: %[[F64:.*]] = arith.constant -1.000000e+10 : f64
// CHECK: tensor.yield %[[F64]] : f64
// CHECK: %[[BF16:.*]] = arith.constant -9.999220e+09 : bf16
// CHECK: tensor.yield %[[BF16]] : bf16
func.func @constant_padding(%x: tensor<4xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %n = arith.constant -1.0e10 : f32
  %a = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %n : f32
  } {cma.precision = #cma.precision<f8E5M2>} : tensor<4xf32> to tensor<6xf32>
  %b = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %n : f32
  } {cma.precision = #cma.precision<f64>} : tensor<4xf32> to tensor<6xf32>
  %c = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %n : f32
  } {cma.precision = #cma.precision<bf16>} : tensor<4xf32> to tensor<6xf32>
  return %a, %b, %c : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// So are scalars that are computed.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %[[S:.*]]: f32
// CHECK: %[[HIGH:.*]] = arith.constant 4.480000e+02 : f32
// CHECK: %[[A:.*]] = arith.minimumf %[[S]], %[[HIGH]] : f32
// CHECK: %[[LOW:.*]] = arith.constant -4.480000e+02 : f32
// CHECK: %[[B:.*]] = arith.maximumf %[[A]], %[[LOW]] : f32
// CHECK: %[[C:.*]] = arith.truncf %[[B]] : f32 to f8E4M3FN
// CHECK: tensor.yield %[[C]] : f8E4M3FN
// CHECK: %[[D:.*]] = arith.extf %[[S]] : f32 to f64
// CHECK: tensor.yield %[[D]] : f64
func.func @scalars(%s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } {cma.precision = #cma.precision<f8E4M3FN>} : tensor<4xf32>
  %b = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } {cma.precision = #cma.precision<f64>} : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// A cast in a body writes for every element: 10 times 4 numbers of f16.
// JSON: "function": "repeated"
// JSON: "bytes": 80
// CHECK-LABEL: func.func @repeated
// CHECK: tensor.generate
// CHECK: %[[E:.*]] = math.exp {{.*}} : tensor<4xf32>
// CHECK: cma.cast %[[E]] : tensor<4xf32> to tensor<4xf16>
func.func @repeated(%x: tensor<10x4xf32>) -> tensor<10xf32> {
  %a = tensor.generate {
  ^bb0(%i: index):
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<10x4xf32> to tensor<4xf32>
    %e = math.exp %r : tensor<4xf32>
    %t = cma.contract "i,i->" (%e, %e) {planned} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %u = tensor.extract %t[] : tensor<f32>
    tensor.yield %u : f32
  } : tensor<10xf32>
  return %a : tensor<10xf32>
}
