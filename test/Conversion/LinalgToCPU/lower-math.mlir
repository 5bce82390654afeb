// Polynomials for f32, libm where LLVM has no good intrinsic.
// RUN: cma-opt %s --cma-lower-math | FileCheck %s
// RUN: cma-opt %s --cma-lower-math=approximate=false | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: func.func @f32(
// CHECK-NOT:     math.{{exp|tanh|erf|log}}
// CHECK-NOT:     call
// CHECK:         return
// EXACT-LABEL: func.func @f32(
// EXACT:         math.exp %{{.*}} : vector<8xf32>
// EXACT:         math.tanh
// EXACT:         call @erff
// EXACT:         math.log
func.func @f32(%v: vector<8xf32>, %x: f32) -> (vector<8xf32>, f32, f32, f32) {
  %0 = math.exp %v : vector<8xf32>
  %1 = math.tanh %x : f32
  %2 = math.erf %x : f32
  %3 = math.log %x : f32
  return %0, %1, %2, %3 : vector<8xf32>, f32, f32, f32
}

// CHECK-LABEL: func.func @f64(
// CHECK:         math.exp
// CHECK:         math.tanh
// CHECK:         call @erf
// CHECK:         call @erf
// CHECK:         math.log
func.func @f64(%v: vector<2xf64>, %x: f64) -> (f64, f64, vector<2xf64>, f64) {
  %0 = math.exp %x : f64
  %1 = math.tanh %x : f64
  %2 = math.erf %v : vector<2xf64>
  %3 = math.log %x : f64
  return %0, %1, %2, %3 : f64, f64, vector<2xf64>, f64
}

// CHECK-LABEL: func.func @others(
// CHECK:         math.rsqrt
// CHECK:         math.sin
// CHECK:         call @log1pf
// CHECK:         call @expm1f
func.func @others(%x: f32) -> (f32, f32, f32, f32) {
  %0 = math.rsqrt %x : f32
  %1 = math.sin %x : f32
  %2 = math.log1p %x : f32
  %3 = math.expm1 %x : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// Each lane has an exponent of its own.
// CHECK-LABEL: func.func @powers(
// CHECK:         %[[N:.*]] = arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf64>
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         %[[P:.*]] = math.powf %[[X]], %[[N]]
// CHECK:         arith.truncf %[[P]] : vector<8xf64> to vector<8xf32>
// CHECK:         arith.index_cast
// CHECK:         math.powf %{{.*}} : f64
// CHECK-NOT:     truncf
// CHECK:         return
func.func @powers(%v: vector<8xf32>, %n: vector<8xi32>, %x: f64, %i: index) -> (vector<8xf32>, f64) {
  %0 = math.fpowi %v, %n : vector<8xf32>, vector<8xi32>
  %1 = math.fpowi %x, %i : f64, index
  return %0, %1 : vector<8xf32>, f64
}
