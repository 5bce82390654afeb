// Ops that no pass lowered are named.
// RUN: cma-opt %s --cma-emit-entries --split-input-file --verify-diagnostics

llvm.func @f(%x: f32) {
  // expected-error @below {{'math.absf' op has no lowering to the LLVM dialect}}
  %0 = math.absf %x : f32
  llvm.return
}

// -----

func.func @g() {
  // expected-error @below {{'func.return' op has no lowering to the LLVM dialect}}
  return
}

// -----

// expected-error @below {{'llvm.func' op expected 2 pointer arguments, got '!llvm.func<void (ptr)>'}}
llvm.func @cma_body_h(%status: !llvm.ptr)
    attributes {cma.entry = {buffers = [], name = "h", results = array<i32>, workspace = 0 : i64}} {
  llvm.return
}
