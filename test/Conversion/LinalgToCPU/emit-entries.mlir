// The C side of an entry.
// RUN: cma-opt %s --cma-emit-entries | FileCheck %s
// RUN: cma-opt %s --cma-emit-entries | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: llvm.func internal @cma_call_f(
// CHECK-SAME:      %[[BUFFERS:.*]]: !llvm.ptr, %[[WORKSPACE:.*]]: !llvm.ptr, %[[STATUS:.*]]: !llvm.ptr) -> i32
// CHECK:         %[[B1:.*]] = llvm.getelementptr %[[BUFFERS]][1]
// CHECK:         %[[P1:.*]] = llvm.load %[[B1]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.call @cma_body_f(%{{.*}}, %[[P1]], %{{.*}}, %[[STATUS]], %[[WORKSPACE]])
// CHECK:         %[[CODE:.*]] = llvm.load %[[STATUS]] : !llvm.ptr -> i32
// CHECK:         llvm.return %[[CODE]] : i32
// CHECK:       llvm.mlir.global external constant @cma_entry_f()
// CHECK:       llvm.func internal @cma_body_f(
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias},
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias},
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias},
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias})
// CHECK-NOT:       cma.entry

// dtypes: i64 is 6, f32 is 1, i1 is 10.
// LLVM-DAG: @[[P:cma_string_[0-9]+]] = private constant [2 x i8] c"p\00"
// LLVM-DAG: @[[STATE:cma_string_[0-9]+]] = private constant [6 x i8] c"state\00"
// LLVM-DAG: @[[F:cma_string_[0-9]+]] = private constant [2 x i8] c"f\00"
// LLVM-DAG: @[[SHAPE:cma_shape_f_0]] = private constant [2 x i64] [i64 2, i64 3]
// LLVM-DAG: @[[TABLE:cma_buffers_f]] = private constant [3 x { ptr, ptr, i32, i32, ptr, i32, i32 }] [{ {{.*}} } { ptr @[[P]], ptr @[[STATE]], i32 6, i32 2, ptr @[[SHAPE]], i32 0, i32 1 }, { {{.*}} } { {{.*}}, i32 1, i32 0, ptr null, i32 0, i32 0 }, { {{.*}} } { {{.*}}, i32 10, i32 1, ptr @cma_shape_f_2, i32 1, i32 0 }]
// LLVM-DAG: @[[RESULTS:cma_results_f]] = private constant [2 x i32] [i32 2, i32 0]
// LLVM-DAG: @cma_entry_f = constant { {{.*}} } { i32 1, i32 3, i32 2, i32 2, ptr @[[F]], ptr @[[TABLE]], ptr @[[RESULTS]], i64 192, ptr @cma_call_f }
llvm.func @cma_body_f(%p: !llvm.ptr, %x: !llvm.ptr, %out: !llvm.ptr, %status: !llvm.ptr, %workspace: !llvm.ptr)
    attributes {cma.entry = {
      buffers = [{kind = "donated", name = "p", role = "state", type = tensor<2x3xi64>},
                 {kind = "argument", name = "1", role = "", type = tensor<f32>},
                 {kind = "result", name = "0", role = "logits", type = tensor<5xi1>}],
      name = "f", results = array<i32: 2, 0>, workspace = 192 : i64}} {
  llvm.return
}

// What was said about a loop reaches LLVM.
// LLVM-LABEL: define void @loop(
// LLVM:         br label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
// LLVM:       ![[LOOP]] = distinct !{![[LOOP]], ![[UNROLL:[0-9]+]]}
// LLVM:       ![[UNROLL]] = !{!"llvm.loop.unroll.count", i32 4}
llvm.func @loop() {
  llvm.br ^loop
^loop:
  llvm.br ^loop {llvm.loop_annotation = #llvm.loop_annotation<unroll = <count = 4 : i32>>}
}
