// Contractions get register tiles and packed panels, everything else loops over
// vectors; the remarks say which.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels,canonicalize,cse))' | FileCheck %s
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels))' --remarks-filter='cma-lower-kernels' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i) -> (i)>

// 24 rows are four blocks of six, 20 columns one panel of 16 and one of 4 that
// is padded with zeros. The fill is the initial value of the sums.
// REMARK: [Passed] Contraction | {{.*}}Function=packed | Remark="register tiles", b="packed once", k=8, lanes=16, m=24, n=20, threads=no
// CHECK-LABEL: func.func @packed(
// CHECK-NOT:     linalg
// CHECK:         memref.alloc() {{.*}} : memref<256xf32>
// CHECK:         vector.maskedload
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} iter_args({{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}) -> (vector<16xf32>,
// CHECK-COUNT-6:     vector.fma
// CHECK:             scf.yield
// CHECK-COUNT-6:   vector.store {{.*}} vector<16xf32>
// CHECK:           scf.for
// CHECK-COUNT-6:     vector.fma
// CHECK:           vector.extract_strided_slice {{.*}} sizes = [4]
// CHECK-NEXT:      vector.store {{.*}} vector<4xf32>
func.func @packed(%a: memref<24x8xf32>, %b: memref<8x20xf32>, %c: memref<24x20xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<24x20xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x8xf32>, memref<8x20xf32>) outs(%c : memref<24x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// What the next rows need of buffers beyond the caches is fetched ahead: a line of
// each row of the result, and the rows of A in steps of a line. The innermost
// loop is to be unrolled.
// CHECK-LABEL: func.func @far(
// CHECK:         scf.for
// CHECK:           arith.minsi
// CHECK:           arith.minsi
// CHECK-COUNT-6:   memref.prefetch {{.*}}, write, locality<3>, data : memref<65536xf32>
// CHECK:           scf.for %{{.*}} = %c0 to %c4
// CHECK-COUNT-6:     memref.prefetch {{.*}}, read, locality<3>, data : memref<65536xf32>
// CHECK:             scf.for %{{.*}} = %c0 to %c16
// CHECK:               scf.yield
// CHECK-NEXT:        } {llvm.loop_annotation = #[[LOOP:.*]]}
// CHECK-COUNT-6:   vector.store
func.func @far(%a: memref<1024x64xf32>, %b: memref<64x64xf32>, %c: memref<1024x64xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1024x64xf32>, memref<64x64xf32>) outs(%c : memref<1024x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// What the loop does not change is packed in front of it.
// REMARK: [Passed] Contraction | {{.*}}Function=hoisted | Remark="register tiles", b="packed once"
// CHECK-LABEL: func.func @hoisted(
// CHECK:         memref.alloc()
// CHECK:         memref.store
// CHECK:         scf.parallel
// CHECK-NOT:     memref.store
// CHECK:           vector.fma
func.func @hoisted(%a: memref<64x8xf32>, %b: memref<16x8xf32>, %c: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %row = arith.muli %i, %c16 : index
    %as = memref.subview %a[%row, 0] [16, 8] [1, 1] : memref<64x8xf32> to memref<16x8xf32, strided<[8, 1], offset: ?>>
    %cs = memref.subview %c[%row, 0] [16, 16] [1, 1] : memref<64x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    linalg.generic {indexing_maps = [#mk, affine_map<(m, n, k) -> (n, k)>, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%as, %b : memref<16x8xf32, strided<[8, 1], offset: ?>>, memref<16x8xf32>) outs(%cs : memref<16x16xf32, strided<[16, 1], offset: ?>>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %z, %0 : f32
      linalg.yield %1 : f32
    }
  }
  return
}

// A tail of three lanes is loaded under a mask and stored in powers of two.
// REMARK: [Passed] Loops | {{.*}}Function=elementwise | Remark="vector loop", lanes=16
// CHECK-LABEL: func.func @elementwise(
// CHECK:         scf.for
// CHECK:           math.absf {{.*}} : vector<16xf32>
// CHECK:         vector.maskedload
// CHECK:         vector.store {{.*}} vector<2xf32>
// CHECK:         vector.store {{.*}} vector<1xf32>
func.func @elementwise(%a: memref<67xf32>, %b: memref<67xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<67xf32>) outs(%b : memref<67xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.absf %x : f32
    linalg.yield %0 : f32
  }
  return
}

// Several partial sums, added up in a fixed order.
// REMARK: [Passed] Loops | {{.*}}Function=sum | Remark="vector reduction", lanes=32
// CHECK-LABEL: func.func @sum(
// CHECK:         scf.for {{.*}} -> (vector<32xf32>)
// CHECK:         arith.addf {{.*}} : vector<16xf32>
// CHECK:         arith.addf {{.*}} : vector<1xf32>
func.func @sum(%a: memref<64xf32>, %b: memref<f32>) {
  linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%b : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %y, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// REMARK: [Missed] Loops | {{.*}}Function=transposed | Reason="scalar loops: no loop has unit stride in every operand"
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT:     vector
// CHECK:         memref.load
func.func @transposed(%a: memref<8x4xf32>, %b: memref<4x8xf32>) {
  linalg.transpose ins(%a : memref<8x4xf32>) outs(%b : memref<4x8xf32>) permutation = [1, 0]
  return
}

// Nothing is summed up: the fill stays, the sum goes.
// CHECK-LABEL: func.func @empty(
// CHECK:         vector.store
// CHECK-NOT:     vector.fma
// CHECK:         return
func.func @empty(%a: memref<24x0xf32>, %b: memref<0x16xf32>, %c: memref<24x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<24x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x0xf32>, memref<0x16xf32>) outs(%c : memref<24x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// The body of an op between reads the fill, which stays.
// CHECK-LABEL: func.func @loaded(
// CHECK-SAME:      %[[C:[a-z0-9]+]]: memref<16xf32>
// CHECK:         vector.store %{{.*}}, %[[C]]
// CHECK:         memref.load %[[C]]
func.func @loaded(%c: memref<16xf32>, %g: memref<16xf32>, %x: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%g : memref<16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %0 = memref.load %c[%i] : memref<16xf32>
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %o, %p : f32
    linalg.yield %0 : f32
  }
  return
}

// What a switch yields may be the filled buffer.
// CHECK-LABEL: func.func @switched(
// CHECK-SAME:      %[[C:[a-z0-9]+]]: memref<16xf32>
// CHECK:         vector.store %{{.*}}, %[[C]]
// CHECK:         math.absf
func.func @switched(%c: memref<16xf32>, %d: memref<16xf32>, %g: memref<16xf32>, %x: memref<8x16xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %s = scf.index_switch %n -> memref<16xf32>
  case 0 {
    scf.yield %c : memref<16xf32>
  }
  default {
    scf.yield %d : memref<16xf32>
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<16xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : memref<16xf32>) outs(%g : memref<16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %o, %p : f32
    linalg.yield %0 : f32
  }
  return
}
