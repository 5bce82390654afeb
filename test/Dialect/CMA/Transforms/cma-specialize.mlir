// RUN: cma-opt %s --cma-specialize=batch=32 --split-input-file | FileCheck %s

// The example of the pass' description.

// CHECK-LABEL: func.func @model(
// CHECK-SAME: %[[X:.*]]: tensor<32x6xf32>, %[[W:.*]]: tensor<6x4xf32>) -> tensor<32x4xf32>
// CHECK: %[[Y:.*]] = cma.linear %[[X]], %[[W]] : tensor<32x6xf32>, tensor<6x4xf32> -> tensor<32x4xf32>
// CHECK: return %[[Y]] : tensor<32x4xf32>
func.func @model(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>) -> tensor<?x4xf32> {
  %y = cma.linear %x, %w : tensor<?x6xf32>, tensor<6x4xf32> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Argument, result and function attributes stay; every `?` is the same batch.

// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: tensor<32x4xf32> {cma.name = "x", cma.role = "data"}
// CHECK-SAME: tensor<32xi64> {cma.name = "t", cma.role = "data"}
// CHECK-SAME: tensor<4xf32> {cma.init = #cma.init<zeros>, cma.name = "s", cma.role = "state"}
// CHECK-SAME: -> (tensor<f32> {cma.role = "loss"}, tensor<32x4xf32> {cma.role = "logits"}, tensor<4xf32> {cma.updates = "s"})
// CHECK-SAME: attributes {some.attribute}
// CHECK: cma.cross_entropy %{{.*}}, %{{.*}} : tensor<32x4xf32>, tensor<32xi64> -> tensor<f32>
func.func @attributes(
    %x: tensor<?x4xf32> {cma.role = "data", cma.name = "x"},
    %t: tensor<?xi64> {cma.role = "data", cma.name = "t"},
    %s: tensor<4xf32> {cma.role = "state", cma.name = "s", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}, tensor<?x4xf32> {cma.role = "logits"},
        tensor<4xf32> {cma.updates = "s"}) attributes {some.attribute} {
  %loss = cma.cross_entropy %x, %t : tensor<?x4xf32>, tensor<?xi64> -> tensor<f32>
  return %loss, %x, %s : tensor<f32>, tensor<?x4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @cma_ops(
// CHECK: cma.contract "bi,ij->jb" {{.*}} -> tensor<4x32xf32>
// CHECK: cma.broadcast "j->jb" {{.*}} -> tensor<4x32xf32>
// CHECK: arith.addf {{.*}} : tensor<4x32xf32>
// CHECK: cma.gelu {{.*}} : tensor<4x32xf32>
// CHECK: cma.softmax {{.*}} : tensor<4x32xf32>
// CHECK: cma.mse {{.*}} : tensor<4x32xf32> -> tensor<f32>
// CHECK: arith.cmpf {{.*}} : tensor<4x32xf32>
// CHECK: arith.select {{.*}} : tensor<4x32xi1>, tensor<4x32xf32>
// CHECK: arith.extf {{.*}} : tensor<4x32xf32> to tensor<4x32xf64>
// CHECK: math.exp {{.*}} : tensor<4x32xf64>
func.func @cma_ops(%x: tensor<?x6xf32>, %w: tensor<6x4xf32>, %b: tensor<4xf32>)
    -> (tensor<4x?xf64>, tensor<f32>) {
  %y = cma.contract "bi,ij->jb" (%x, %w) : (tensor<?x6xf32>, tensor<6x4xf32>) -> tensor<4x?xf32>
  %r = cma.broadcast "j->jb" (%b) : (tensor<4xf32>) -> tensor<4x?xf32>
  %z = arith.addf %y, %r : tensor<4x?xf32>
  %g = cma.gelu %z : tensor<4x?xf32>
  %s = cma.softmax %g : tensor<4x?xf32>
  %l = cma.mse %s, %z : tensor<4x?xf32> -> tensor<f32>
  %c = arith.cmpf ogt, %s, %z : tensor<4x?xf32>
  %m = arith.select %c, %s, %z : tensor<4x?xi1>, tensor<4x?xf32>
  %e = arith.extf %m : tensor<4x?xf32> to tensor<4x?xf64>
  %o = math.exp %e : tensor<4x?xf64>
  return %o, %l : tensor<4x?xf64>, tensor<f32>
}

// -----

// Sizes that are operands become attributes.

// CHECK-LABEL: func.func @tensor_ops(
// CHECK-NOT: tensor.dim
// CHECK: tensor.expand_shape {{.*}} : tensor<32x6xf32> into tensor<32x2x3xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<32x2x3xf32> into tensor<64x3xf32>
// CHECK: tensor.empty() : tensor<64x3xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [64, 1] [1, 1] : tensor<64x3xf32> to tensor<64xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 2] [64, 1] [1, 1] : tensor<64xf32> into tensor<64x3xf32>
// CHECK: tensor.concat dim(0) {{.*}} -> tensor<128x3xf32>
func.func @tensor_ops(%x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %c = tensor.collapse_shape %e [[0, 1], [2]] : tensor<?x2x3xf32> into tensor<?x3xf32>
  %m = arith.muli %n, %c2 : index
  %o = tensor.empty(%m) : tensor<?x3xf32>
  %s = tensor.extract_slice %c[0, 1] [%m, 1] [1, 1] : tensor<?x3xf32> to tensor<?xf32>
  %i = tensor.insert_slice %s into %o[0, 2] [%m, 1] [1, 1] : tensor<?xf32> into tensor<?x3xf32>
  %d = tensor.concat dim(0) %c, %i : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %d : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for {{.*}} -> (tensor<32x4xf32>)
// CHECK: arith.mulf {{.*}} : tensor<32x4xf32>
func.func @loop(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %b = arith.mulf %a, %x : tensor<?x4xf32>
    scf.yield %b : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// -----

// Calls are inlined, also nested ones; private functions that were only called
// go, a public one stays.

// CHECK-LABEL: func.func @calls(
// CHECK-NOT: call
// CHECK: %[[A:.*]] = cma.relu %{{.*}} : tensor<32xf32>
// CHECK: %[[B:.*]] = cma.gelu %[[A]] : tensor<32xf32>
// CHECK: %[[C:.*]] = cma.relu %[[B]] : tensor<32xf32>
// CHECK: return %[[C]] : tensor<32xf32>
// CHECK-NOT: @outer
// CHECK-LABEL: func.func @inner(
// CHECK-SAME: tensor<32xf32>
// CHECK-LABEL: func.func private @unrelated(
// CHECK-SAME: tensor<?xf32>
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @outer(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @inner(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @outer(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @inner(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = cma.gelu %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @inner(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = cma.relu %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @unrelated(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
