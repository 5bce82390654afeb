// What the workspace cannot hold.
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-plan-memory))' --split-input-file --verify-diagnostics

func.func @dynamic(%n: index) attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  // expected-error @below {{'memref.alloc' op expected a static shape and the identity layout, got 'memref<?xf32>'}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @too_large() attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  // expected-error @below {{'memref.alloc' op expected at most 2^63 - 1 bytes, got 'memref<4294967296x2147483647xf32>'}}
  %a = memref.alloc() : memref<4294967296x2147483647xf32>
  return
}

// -----

func.func @sum_too_large() attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  %a = memref.alloc() : memref<4611686018427387904xi8>
  // expected-error @below {{'memref.alloc' op expected a workspace of at most 2^63 - 1 bytes}}
  %b = memref.alloc() : memref<4611686018427387904xi8>
  return
}

// -----

func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>) attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  // expected-error @below {{'memref.copy' op expected no copy at run time}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @alignment() attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  // expected-error @below {{'memref.alloc' op expected an alignment of at most 64 bytes, got 128}}
  %a = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
  return
}

// -----

func.func @parallel(%n: index) attributes {cma.entry = {buffers = [], name = "f", results = array<i32>, workspace = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the loop is here}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'memref.alloc' op expected constant bounds of the parallel loop around the allocation}}
    %a = memref.alloc() : memref<4xf32>
    scf.reduce
  }
  return
}
