// Ops that share the batch axis run in one loop over tiles of it.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-batch-loops,canonicalize,cse))' | FileCheck %s
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-batch-loops{tile=24},canonicalize,cse))' | FileCheck %s --check-prefix=TAIL
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-batch-loops))' --remarks-filter='cma-fuse-batch-loops' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-fuse-batch-loops))' | FileCheck %s --check-prefix=SAME

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#km = affine_map<(m, n, k) -> (k, m)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// A chain of two products and the gradient of its second weight. The
// intermediate is scratch of one tile with padded rows; the gradient is summed up
// in one partial result per chunk, in panels of 16 columns; the update of the
// weight, which the chain reads, follows the loop.
// REMARK: [Passed] BatchLoop | {{.*}}Function=chain | Remark="one loop over the batch", extent=2048, ops=5, sums=1, tile=64
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:      %[[X:.*]]: memref<2048x64xf32>, %[[A:.*]]: memref<64x30xf32>, %[[B:.*]]: memref<30x64xf32>, %[[Y:.*]]: memref<2048x64xf32>, %[[G:.*]]: memref<30x64xf32>
// CHECK:         linalg.fill {{.*}} outs(%[[G]] :
// CHECK:         %[[PARTS:.*]] = memref.alloc() {{.*}} : memref<16x4x30x16xf32>
// CHECK:         scf.parallel
// CHECK:           linalg.fill
// CHECK:           memref.alloc() {{.*}} : memref<64x32xf32>
// CHECK:           scf.for
// CHECK:             memref.subview %[[X]][%{{.*}}, 0] [64, 64] [1, 1]
// CHECK:             linalg.generic {{.*}} outs({{.*}} : memref<64x30xf32, strided<[32, 1]>>)
// CHECK:             memref.subview %[[Y]][%{{.*}}, 0] [64, 64] [1, 1]
// CHECK:             linalg.generic
// CHECK:             linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK:         scf.reduce
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[PARTS]] :
// CHECK:         linalg.generic {{.*}} ins(%[[G]] : {{.*}}) outs(%[[B]] :
// CHECK-NOT:     memref.alloc() : memref<2048x30xf32>
//
// 2,048 positions are 85 tiles of 24, and 8 more in a 17th partial result.
// TAIL-LABEL: func.func @chain(
// TAIL:         memref<17x4x30x16xf32>
// TAIL:         scf.parallel
// TAIL:         scf.reduce
// TAIL:         memref.subview %{{.*}}[2040, 0] [8, 64] [1, 1]
//
// Ops on the same part of a buffer share the view, so that the product can take
// over the fill.
// SAME-LABEL: func.func @chain(
// SAME:         linalg.fill {{.*}} outs(%[[TILE:.*]] : memref<64x64xf32, strided<[64, 1], offset: ?>>)
// SAME-NEXT:    linalg.generic {{.*}} outs(%[[TILE]] : memref<64x64xf32, strided<[64, 1], offset: ?>>)
func.func @chain(%x: memref<2048x64xf32>, %a: memref<64x30xf32>, %b: memref<30x64xf32>, %y: memref<2048x64xf32>, %g: memref<30x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<2048x30xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<2048x30xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : memref<2048x64xf32>, memref<64x30xf32>) outs(%t : memref<2048x30xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2048x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %b : memref<2048x30xf32>, memref<30x64xf32>) outs(%y : memref<2048x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%g : memref<30x64xf32>)
  linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %y : memref<2048x30xf32>, memref<2048x64xf32>) outs(%g : memref<30x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : memref<30x64xf32>) outs(%b : memref<30x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.subf %o, %p : f32
    linalg.yield %0 : f32
  }
  return
}

// The second op needs all of the maximum, so it starts a loop of its own.
// CHECK-LABEL: func.func @split(
// CHECK:         scf.parallel
// CHECK:         scf.reduce
// CHECK:         linalg.generic
// CHECK:         scf.parallel
func.func @split(%x: memref<2048x64xf32>, %m: memref<f32>, %y: memref<2048x64xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<2048x64xf32>) outs(%x : memref<2048x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : memref<2048x64xf32>) outs(%m : memref<f32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.maximumf %o, %p : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%m : memref<f32>) outs(%y : memref<2048x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.subf %o, %p : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<2048x64xf32>) outs(%x : memref<2048x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %o, %p : f32
    linalg.yield %0 : f32
  }
  return
}

// An index along the batch counts on from the tile's first position.
// CHECK-LABEL: func.func @index(
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = arith.muli
// CHECK:             %[[I:.*]] = linalg.index 0
// CHECK-NEXT:        arith.addi %[[I]], %[[ROW]]
func.func @index(%x: memref<2048x64xi64>, %y: memref<2048x64xi64>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : memref<2048x64xi64>) {
  ^bb0(%o: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2048x64xi64>) outs(%y : memref<2048x64xi64>) {
  ^bb0(%p: i64, %o: i64):
    %0 = arith.addi %p, %o : i64
    linalg.yield %0 : i64
  }
  return
}

// The columns of an operand that starts inside its buffer do so, too.
// CHECK-LABEL: func.func @offset(
// CHECK:         %[[C128:.*]] = arith.constant 128 : index
// CHECK:         scf.parallel
// CHECK:           %[[START:.*]] = arith.addi %{{.*}}, %[[C128]] : index
// CHECK-NEXT:      memref.reinterpret_cast %{{.*}} to offset: [%[[START]]], sizes: [4, 16, 64], strides: [16, 1, 64]
func.func @offset(%x: memref<2048x64xf32, strided<[64, 1], offset: 128>>, %h: memref<2048x128xf32>, %a: memref<128x30xf32>, %y: memref<2048x30xf32>, %z: memref<2048x30xf32>, %g: memref<30x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(b, j, k) -> (b, k)>, affine_map<(b, j, k) -> (k, j)>, affine_map<(b, j, k) -> (b, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %a : memref<2048x128xf32>, memref<128x30xf32>) outs(%y : memref<2048x30xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<2048x30xf32>) outs(%z : memref<2048x30xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, b) -> (b, i)>, affine_map<(i, j, b) -> (b, j)>, affine_map<(i, j, b) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%z, %x : memref<2048x30xf32>, memref<2048x64xf32, strided<[64, 1], offset: 128>>) outs(%g : memref<30x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// The gradient of the first weight reads the rows of X that the first product
// has read: the second one, which only writes a result, and its fill wait.
// SAME-LABEL: func.func @results_last(
// SAME-SAME:      %{{[a-z0-9]+}}: memref<2048x64xf32>, %{{[a-z0-9]+}}: memref<64x16xf32>, %[[B:[a-z0-9]+]]: memref<16x128xf32>
// SAME:         scf.for
// SAME:           linalg.generic {{.*}} outs({{.*}} : memref<64x16xf32>)
// SAME:           linalg.generic {{.*}} outs({{.*}} : memref<{{.*}}x16xf32, strided<
// SAME:           linalg.fill {{.*}} : memref<64x128xf32, strided<
// SAME:           linalg.generic {{.*}} ins({{.*}}, %[[B]] : {{.*}} outs({{.*}} : memref<64x128xf32, strided<
// SAME:         scf.reduce
func.func @results_last(%x: memref<2048x64xf32>, %a: memref<64x16xf32>, %b: memref<16x128xf32>, %y: memref<2048x128xf32>, %g: memref<16x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<2048x16xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<2048x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : memref<2048x64xf32>, memref<64x16xf32>) outs(%t : memref<2048x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2048x128xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %b : memref<2048x16xf32>, memref<16x128xf32>) outs(%y : memref<2048x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %x : memref<2048x16xf32>, memref<2048x64xf32>) outs(%g : memref<16x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  memref.dealloc %t : memref<2048x16xf32>
  return
}
