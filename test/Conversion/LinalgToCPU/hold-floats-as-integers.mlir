// Low floats are moved as integers; tables of entries keep the caller's types.
// RUN: cma-opt %s --cma-hold-floats-as-integers | FileCheck %s
// RUN: cma-opt %s --cma-hold-floats-as-integers=f16-instructions=false | FileCheck %s --check-prefix=BOTH

// CHECK-LABEL: llvm.func @move(
// CHECK-SAME:      {cma.entry = {type = tensor<3xbf16>}}
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<1xi16>
// CHECK:         llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK:         llvm.mlir.constant(dense<16256> : vector<1xi16>) : vector<1xi16>
// CHECK:         llvm.shufflevector %{{.*}} [0, 1] : vector<1xi16>
// CHECK:         llvm.store %{{.*}} : vector<2xi16>, !llvm.ptr
// CHECK-NOT:     bf16
// BOTH-LABEL: llvm.func @move(
// BOTH:         llvm.load %{{.*}} : !llvm.ptr -> vector<1xi16>
llvm.func @move(%p: !llvm.ptr) attributes {cma.entry = {type = tensor<3xbf16>}} {
  %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<1xbf16>
  %1 = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, bf16
  %2 = llvm.mlir.constant(dense<1.0> : vector<1xbf16>) : vector<1xbf16>
  %3 = llvm.shufflevector %0, %2 [0, 1] : vector<1xbf16>
  llvm.store %3, %1 {alignment = 2 : i64} : vector<2xbf16>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @scalars(
// CHECK-SAME:      %{{.*}}: f16, %{{.*}}: i16
// CHECK:         llvm.mlir.constant(16256 : i16) : i16
// CHECK:         llvm.select %{{.*}} : i1, i16
// CHECK:         llvm.return %{{.*}} : f16
// BOTH-LABEL: llvm.func @scalars(
// BOTH-SAME:      %{{.*}}: i16, %{{.*}}: i16
// BOTH-NOT:     f16
// BOTH:         llvm.return %{{.*}} : i16
llvm.func @scalars(%a: f16, %b: bf16, %c: i1, %p: !llvm.ptr) -> f16 {
  %0 = llvm.mlir.constant(1.0 : bf16) : bf16
  %1 = llvm.select %c, %b, %0 : i1, bf16
  llvm.store %1, %p {alignment = 2 : i64} : bf16, !llvm.ptr
  llvm.return %a : f16
}
