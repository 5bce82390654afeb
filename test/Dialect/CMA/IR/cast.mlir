// Casts, and the attribute that asks for them, printed and read back.
// RUN: cma-opt %s | cma-opt | FileCheck %s
// RUN: cma-opt %s --mlir-print-op-generic | cma-opt | FileCheck %s
// RUN: cma-opt %s --emit-bytecode | cma-opt | FileCheck %s

// The overflow that belongs to a type is not printed.
// CHECK-LABEL: func @cast
func.func @cast(%x: tensor<?x4xf32>, %d: tensor<f64>, %step: tensor<i64>) {
  // CHECK: cma.cast %{{.+}} : tensor<?x4xf32> to tensor<?x4xf16>
  %0 = cma.cast %x : tensor<?x4xf32> to tensor<?x4xf16>
  // CHECK: cma.cast %{{.+}} : tensor<?x4xf16> to tensor<?x4xbf16>
  %1 = cma.cast %0 round(nearest_even) overflow(ieee) : tensor<?x4xf16> to tensor<?x4xbf16>
  // CHECK: cma.cast %{{.+}} : tensor<?x4xbf16> to tensor<?x4xf8E4M3FN>
  %2 = cma.cast %1 overflow(saturate) : tensor<?x4xbf16> to tensor<?x4xf8E4M3FN>
  // CHECK: cma.cast %{{.+}} overflow(ieee) : tensor<?x4xf8E4M3FN> to tensor<?x4xf8E5M2>
  %3 = cma.cast %2 overflow(ieee) : tensor<?x4xf8E4M3FN> to tensor<?x4xf8E5M2>
  // CHECK: cma.cast %{{.+}} round(toward_zero) overflow(saturate) {note} : tensor<f64> to tensor<f32>
  %4 = cma.cast %d round(toward_zero) overflow(saturate) {note} : tensor<f64> to tensor<f32>
  // CHECK: cma.cast %{{.+}} tf32 round(toward_zero) : tensor<?x4xf32> to tensor<?x4xf32>
  %5 = cma.cast %x tf32 round(toward_zero) : tensor<?x4xf32> to tensor<?x4xf32>
  // CHECK: cma.cast %{{.+}} round(stochastic, %{{.+}}, seed = -7, stream = "w\22") overflow(saturate) : tensor<?x4xf32> to tensor<?x4xbf16>
  %6 = cma.cast %x round(stochastic, %step, seed = -7, stream = "w\22") overflow(saturate)
      : tensor<?x4xf32> to tensor<?x4xbf16>
  return
}

// What the defaults give is not printed.
// CHECK-LABEL: func @precision
func.func @precision(%x: tensor<4xf32>, %y: tensor<4x4xf16>, %z: f32) {
  // CHECK: math.exp %{{.+}} {cma.precision = #cma.precision<f16>}
  %0 = math.exp %x {cma.precision = #cma.precision<f16, accumulate = f32, result = f16>} : tensor<4xf32>
  // CHECK: cma.precision = #cma.precision<tf32>
  %1 = math.exp %x {cma.precision = #cma.precision<tf32, result = f32>} : tensor<4xf32>
  // CHECK: cma.precision = #cma.precision<f64>
  %2 = math.exp %x {cma.precision = #cma.precision<f64, accumulate = f64>} : tensor<4xf32>
  // CHECK: cma.precision = #cma.precision<f8E4M3FN, accumulate = f64, result = bf16>
  %3 = math.absf %z {cma.precision = #cma.precision<f8E4M3FN, result = bf16, accumulate = f64>} : f32
  return
}

// CHECK-LABEL: func @contract
func.func @contract(%x: tensor<8x4xf16>, %w: tensor<4x5xbf16>) {
  // CHECK: cma.contract "bi,ij->bj" (%{{.+}}, %{{.+}}) : (tensor<8x4xf16>, tensor<4x5xbf16>) -> tensor<8x5xf8E5M2>
  %0 = cma.contract "bi,ij->bj" (%x, %w) : (tensor<8x4xf16>, tensor<4x5xbf16>) -> tensor<8x5xf8E5M2>
  // CHECK: cma.contract "bi->b" (%{{.+}}) {accumulate = f64} : (tensor<8x4xf16>) -> tensor<8xf32>
  %1 = cma.contract "bi->b" (%x) {accumulate = f64} : (tensor<8x4xf16>) -> tensor<8xf32>
  return
}
