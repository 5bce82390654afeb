// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-legalize-floats))' --split-input-file | FileCheck %s
// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-legalize-floats{f16-instructions=false}))' --split-input-file | FileCheck %s --check-prefix=BITS

// Each op rounds: bf16 arithmetic is no f32 arithmetic.
// CHECK-LABEL: func @arithmetic
func.func @arithmetic(%x: bf16, %y: bf16) -> (bf16, i1) {
  // CHECK: arith.shli %{{.+}} : i32
  // CHECK: %[[X:.+]] = arith.bitcast %{{.+}} : i32 to f32
  // CHECK: %[[PRODUCT:.+]] = arith.mulf %[[X]], %{{.+}} : f32
  // CHECK: arith.cmpf uno, %[[PRODUCT]], %[[PRODUCT]] : f32
  // CHECK: arith.trunci %{{.+}} : i32 to i16
  %0 = arith.mulf %x, %y : bf16
  // CHECK: %[[SUM:.+]] = arith.addf %{{.+}} : f32
  // CHECK: arith.trunci %{{.+}} : i32 to i16
  // CHECK: %[[RESULT:.+]] = arith.bitcast %{{.+}} : i16 to bf16
  %1 = arith.addf %0, %x : bf16
  // CHECK: arith.cmpf olt, %{{.+}} : f32
  %2 = arith.cmpf olt, %1, %y : bf16
  // CHECK-NOT: fastmath
  // CHECK: return %[[RESULT]]
  return %1, %2 : bf16, i1
}

// -----

// Instructions convert f16, unless there are none.
// CHECK-LABEL: func @f16
// BITS-LABEL: func @f16
func.func @f16(%x: vector<8xf16>) -> vector<8xf16> {
  // CHECK: %[[X:.+]] = arith.extf %{{.+}} : vector<8xf16> to vector<8xf32>
  // CHECK: %[[Y:.+]] = math.exp %[[X]] : vector<8xf32>
  // CHECK: arith.truncf %[[Y]] : vector<8xf32> to vector<8xf16>
  // BITS-NOT: arith.{{extf|truncf}}
  // BITS: math.exp %{{.+}} : vector<8xf32>
  // BITS-NOT: arith.{{extf|truncf}}
  // BITS: arith.bitcast %{{.+}} : vector<8xi16> to vector<8xf16>
  %0 = math.exp %x : vector<8xf16>
  return %0 : vector<8xf16>
}

// -----

// Cutting off has no instruction, and f64 none that rounds once.
// CHECK-LABEL: func @roundings
func.func @roundings(%x: f32, %d: f64) -> (f16, f16, f32, f32) {
  // CHECK-NOT: arith.truncf %{{.+}} : f64 to f16
  // CHECK: arith.bitcast %{{.+}} : i16 to f16
  %0 = arith.truncf %x toward_zero : f32 to f16
  // An f32 that is cut off, with a bit for what is lost.
  // CHECK: arith.truncf %{{.+}} : f64 to f32
  // CHECK: arith.cmpi ne, %{{.+}} : i64
  // CHECK: arith.truncf %{{.+}} : f32 to f16
  %1 = arith.truncf %d : f64 to f16
  // CHECK: arith.truncf %{{.+}} : f64 to f32
  // CHECK: arith.cmpi ugt, %{{.+}} : i64
  %2 = arith.truncf %d toward_zero : f64 to f32
  // CHECK: arith.truncf %{{.+}} : f64 to f32
  %3 = arith.truncf %d : f64 to f32
  return %0, %1, %2, %3 : f16, f16, f32, f32
}

// -----

// No arithmetic on f8 or tf32 is left (T65).
// CHECK-LABEL: func @round_trips
// CHECK-NOT: {{arith|math}}.{{(extf|truncf|addf|exp)}} {{.*}}{{f8|tf32}}
// CHECK: return
func.func @round_trips(%x: f32, %e: f8E5M2) -> (f32, f32, f8E4M3FN, f32) {
  %0 = arith.truncf %x : f32 to f8E4M3FN
  %1 = arith.extf %0 : f8E4M3FN to f32
  %2 = arith.truncf %x : f32 to tf32
  %c = arith.constant 0.1 : tf32
  %s = arith.addf %2, %c : tf32
  %3 = arith.extf %s : tf32 to f32
  %4 = arith.extf %e : f8E5M2 to bf16
  %5 = arith.extf %4 : bf16 to tf32
  %6 = arith.truncf %5 : tf32 to f8E4M3FN
  %7 = math.exp %6 : f8E4M3FN
  %8 = arith.extf %2 : tf32 to f32
  return %1, %3, %7, %8 : f32, f32, f8E4M3FN, f32
}

// -----

// A 64-bit integer is rounded once, by way of f64.
// CHECK-LABEL: func @integers
func.func @integers(%i: i64, %j: i16, %h: f16) -> (bf16, bf16, i32) {
  // CHECK: arith.sitofp %{{.+}} : i64 to f64
  %0 = arith.sitofp %i : i64 to bf16
  // CHECK: arith.sitofp %{{.+}} : i16 to f32
  %1 = arith.sitofp %j : i16 to bf16
  // CHECK: arith.fptosi %{{.+}} : f32 to i32
  %2 = arith.fptosi %h : f16 to i32
  return %0, %1, %2 : bf16, bf16, i32
}

// -----

// What moves or reinterprets stays.
// CHECK-LABEL: func @moves
func.func @moves(%c: i1, %x: f8E4M3FN, %y: f8E4M3FN) -> (f8E4M3FN, i8) {
  // CHECK-NEXT: arith.select %{{.+}} : f8E4M3FN
  %0 = arith.select %c, %x, %y : f8E4M3FN
  // CHECK-NEXT: arith.bitcast %{{.+}} : f8E4M3FN to i8
  %1 = arith.bitcast %0 : f8E4M3FN to i8
  return %0, %1 : f8E4M3FN, i8
}
