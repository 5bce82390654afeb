// Elementwise ops on rows of A, and on the sums, are done inside the contraction
// where that changes nothing that anybody sees. The remarks, whose metrics are
// sorted, say which.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels,canonicalize,cse))' --mlir-disable-threading | FileCheck %s
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-lower-kernels))' --remarks-filter='cma-lower-kernels' --mlir-disable-threading -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id2 = affine_map<(i, j) -> (i, j)>

// Six rows of 40 at a time: two vectors and a half each. The result is rounded in
// registers; the buffers of f32 go.
// REMARK: Function=both | Remark="register tiles", b="in place", fused="rows and result"
// CHECK-LABEL: func.func @both(
// CHECK-NOT:     memref<480xf32>
// CHECK:         %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<240xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.load {{.*}} : memref<480xf16>, vector<16xf16>
// CHECK:             arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK:             vector.store {{.*}}, %[[ROWS]]
// CHECK:           vector.load {{.*}} : memref<480xf16>, vector<8xf16>
// CHECK:         vector.fma
// CHECK-COUNT-6: arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
// CHECK-NOT:     vector.fma
// CHECK:         return
func.func @both(%x: memref<12x40xf16>, %b: memref<40x16xf32>, %y: memref<12x16xf16>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<12x40xf32>
  %c = memref.alloc() : memref<12x16xf32>
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<12x40xf16>) outs(%a : memref<12x40xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x40xf32>, memref<40x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%y : memref<12x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// A is read again later: all of it is kept. The sums are changed in place.
// REMARK: Function=shared | Remark="register tiles", b="in place", fused="rows and result"
// REMARK: Function=shared | Remark="register tiles", b="in place", k=40,
// CHECK-LABEL: func.func @shared(
// CHECK:         vector.load {{.*}} : memref<480xf16>, vector<16xf16>
// CHECK:         vector.store {{.*}} : memref<480xf32>, vector<16xf32>
// CHECK:         vector.fma
// CHECK:         math.absf
// CHECK:         vector.fma
// CHECK-NOT:     math.absf
// CHECK:         return
func.func @shared(%x: memref<12x40xf16>, %b: memref<40x16xf32>, %c: memref<12x16xf32>, %d: memref<12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<12x40xf32>
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<12x40xf16>) outs(%a : memref<12x40xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x40xf32>, memref<40x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x40xf32>, memref<40x16xf32>) outs(%d : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// The sums themselves are read as well: the op on them stays behind.
// REMARK: Function=sums_kept | Remark="register tiles", b="in place", k=40,
// REMARK: Function=sums_kept | Remark="vector loop"
func.func @sums_kept(%a: memref<12x40xf32>, %b: memref<40x16xf32>, %y: memref<12x16xf16>) -> memref<12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<12x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x40xf32>, memref<40x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%y : memref<12x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %c : memref<12x16xf32>
}

// The result goes where an operand came from, which the rows after the first
// still need.
// REMARK: Function=overwrites | Remark="register tiles", b="in place", k=16,
// REMARK: Function=overwrites | Remark="vector loop"
func.func @overwrites(%a: memref<12x16xf32>, %b: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<12x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%a : memref<12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// The first contraction takes the op on its sums, which then writes over %x in
// front of the second one: that cannot read %x any more, and its rows are made
// before.
// REMARK: Function=order | Remark="register tiles", b="in place", fused=result
// REMARK: Function=order | Remark="register tiles", b="in place", k=16,
func.func @order(%x: memref<12x16xf16>, %b: memref<16x16xf32>, %e: memref<12x16xf32>, %d: memref<12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<12x16xf32>
  %c = memref.alloc() : memref<12x16xf32>
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<12x16xf16>) outs(%a : memref<12x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%d : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%x : memref<12x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// A transposes while it widens, and the rows of A are columns of %x: not one row
// without gaps there.
// REMARK: Function=transposed | Remark="register tiles", b="in place", k=40,
func.func @transposed(%x: memref<40x12xf16>, %b: memref<40x16xf32>, %c: memref<12x16xf32>) {
  %a = memref.alloc() : memref<12x40xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<40x12xf16>) outs(%a : memref<12x40xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x40xf32>, memref<40x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Rows 2 to 13 of %x get what comes of rows 0 to 11: later blocks still read rows
// that earlier ones would have overwritten.
// REMARK: Function=slides | Remark="vector loop"
// REMARK: Function=slides | Remark="register tiles", b="in place", fused=result
func.func @slides(%x: memref<14x16xf32>, %b: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %from = memref.subview %x[0, 0] [12, 16] [1, 1] : memref<14x16xf32> to memref<12x16xf32, strided<[16, 1]>>
  %to = memref.subview %x[2, 0] [12, 16] [1, 1] : memref<14x16xf32> to memref<12x16xf32, strided<[16, 1], offset: 32>>
  %a = memref.alloc() : memref<12x16xf32>
  %c = memref.alloc() : memref<12x16xf32>
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%from : memref<12x16xf32, strided<[16, 1]>>) outs(%a : memref<12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%to : memref<12x16xf32, strided<[16, 1], offset: 32>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// What the body reads from outside comes to the contraction where it can: a sum
// does, a load, in front of which somebody might write, does not.
// REMARK: Function=captures | Remark="register tiles", b="in place", fused=result
// REMARK: Function=captures | Remark="register tiles", b="in place", k=16,
func.func @captures(%a: memref<12x16xf32>, %b: memref<16x16xf32>, %s: memref<f32>, %f: f32,
                    %y: memref<12x16xf32>, %z: memref<12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<12x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%c : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  %g = arith.addf %f, %f : f32
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<12x16xf32>) outs(%y : memref<12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  }
  %d = memref.alloc() : memref<12x16xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<12x16xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<12x16xf32>, memref<16x16xf32>) outs(%d : memref<12x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %r, %0 : f32
    linalg.yield %1 : f32
  }
  %h = memref.load %s[] : memref<f32>
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%d : memref<12x16xf32>) outs(%z : memref<12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %h : f32
    linalg.yield %0 : f32
  }
  return
}
