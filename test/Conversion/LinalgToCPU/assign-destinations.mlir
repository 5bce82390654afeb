// Results are computed in the buffers they are returned in.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-assign-destinations))' | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @donated(
// CHECK-SAME:      %[[M:[a-z0-9]+]]: memref<4xf32>
// CHECK:         %[[P:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[P]] : tensor<4xf32>)
// CHECK:         bufferization.materialize_in_destination %[[NEW]] in restrict writable %[[M]]
func.func @donated(%m: memref<4xf32>) {
  %p = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %new = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %new in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Through reshapes; a fill that two sums start from becomes two.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME:      %[[A:[a-z0-9]+]]: memref<2x4xf32>, %[[B:[a-z0-9]+]]: memref<8xf32>
// CHECK-DAG:     %[[AT:.*]] = bufferization.to_tensor %[[A]] restrict writable
// CHECK-DAG:     %[[BT:.*]] = bufferization.to_tensor %[[B]] restrict writable
// CHECK-DAG:     %[[FLAT:.*]] = tensor.collapse_shape %[[AT]]
// CHECK-DAG:     linalg.fill {{.*}} outs(%[[FLAT]] : tensor<8xf32>)
// CHECK-DAG:     linalg.fill {{.*}} outs(%[[BT]] : tensor<8xf32>)
// CHECK-NOT:     linalg.generic {{.*}}outs(%{{.*}} : tensor<2x4xf32>)
func.func @reshaped(%a: memref<2x4xf32>, %b: memref<8xf32>, %x: tensor<8xf32>, %c: f32) {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %a : (tensor<2x4xf32>, memref<2x4xf32>) -> ()
  bufferization.materialize_in_destination %f in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// A value returned twice, and one that is an argument, are copied.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME:      %{{.*}}: memref<4xf32>, %[[A:[a-z0-9]+]]: memref<4xf32>, %[[B:[a-z0-9]+]]: memref<4xf32>, %[[C:[a-z0-9]+]]: memref<4xf32>
// CHECK:         %[[Y:.*]] = linalg.fill {{.*}} -> tensor<4xf32>
// CHECK:         %[[Y2:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<4xf32>)
// CHECK:         %[[X2:.*]] = linalg.generic
// CHECK:         materialize_in_destination %[[Y]] in restrict writable %[[A]]
// CHECK-NEXT:    materialize_in_destination %[[Y2]] in restrict writable %[[B]]
// CHECK-NEXT:    materialize_in_destination %[[X2]] in restrict writable %[[C]]
func.func @copied(%m: memref<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %v: f32) {
  %x = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %x in restrict writable %c : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// What is computed for a check is not computed in a result's buffer.
// CHECK-LABEL: func.func @before_check(
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK:         linalg.fill {{.*}} outs(%[[E]] : tensor<4xi64>)
// CHECK:         cma.check_labels
// CHECK:         linalg.generic
func.func @before_check(%a: memref<4xi64>, %v: i64) {
  %e = tensor.empty() : tensor<4xi64>
  %y = linalg.fill ins(%v : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %b = bufferization.to_buffer %y read_only : tensor<4xi64> to memref<4xi64>
  cma.check_labels %b {num_classes = 4 : i64} : memref<4xi64>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4xi64>, memref<4xi64>) -> ()
  return
}

// The destination comes before a constant that is computed in it.
// CHECK-LABEL: func.func @constant_first(
// CHECK-SAME:      %[[M:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[P:.*]] = bufferization.to_tensor %[[M]]
// CHECK:         linalg.fill {{.*}} outs(%[[P]] : tensor<4xf32>)
func.func @constant_first(%m: memref<4xf32>) {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %p = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// A buffer that is read, and then holds one number again, is filled at the end.
// CHECK-LABEL: func.func @filled_again(
// CHECK:         %[[SUM:.*]] = bufferization.to_tensor
// CHECK-NOT:     linalg.fill
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[SUM]] : tensor<4xf32>)
// CHECK:         materialize_in_destination %[[ZERO]]
func.func @filled_again(%m: memref<4xf32>, %a: memref<4xf32>, %v: f32) {
  %sum = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %zero = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sum : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %zero in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
