// Conversions of f16 and bf16 are vector instructions, and nothing calls a
// library for them: not with F16C, and not without.
// RUN: cma-opt %s --cma-to-cpu='threads=false' | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=haswell -S \
// RUN:   | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=haswell -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: FileCheck %s --check-prefix=CALLS < %t.s
// RUN: cma-opt %s --cma-to-cpu='threads=false f16-instructions=false' | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=sandybridge -S \
// RUN:   | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=sandybridge | FileCheck %s --check-prefix=CALLS

// CALLS-NOT: {{\bcallq?\b}}
// CALLS-NOT: __{{extend|trunc|gnu}}

// CHECK-LABEL: cma_call_f16:
// CHECK: vcvtph2ps {{.*}}, %ymm
// CHECK: vaddps %ymm
// CHECK: vcvtps2ph {{.*}}%ymm
// CHECK-NOT: vcvtph2ps {{.*}}, %xmm
// CHECK-NOT: vcvtps2ph {{.*}}%xmm{{[0-9]+}}, %xmm
// CHECK: retq
func.func @f16(%x: tensor<4096xf16>, %y: tensor<4096xf16>) -> tensor<4096xf16> {
  %0 = arith.addf %x, %y : tensor<4096xf16>
  return %0 : tensor<4096xf16>
}

// CHECK-LABEL: cma_call_bf16:
// CHECK: vpmovzxwd {{.*}}, %ymm
// CHECK: vpslld $16, %ymm
// CHECK: vmulps %ymm
// CHECK: vpsrld $16, %ymm
// CHECK: vpackusdw %ymm
// CHECK: retq
func.func @bf16(%x: tensor<4096xbf16>, %y: tensor<4096xbf16>) -> tensor<4096xbf16> {
  %0 = arith.mulf %x, %y : tensor<4096xbf16>
  return %0 : tensor<4096xbf16>
}

// CHECK-LABEL: cma_call_f8:
// CHECK: vcvtdq2ps %ymm
// CHECK: vpackuswb
// CHECK: retq
func.func @f8(%x: tensor<4096xf8E4M3FN>) -> tensor<4096xf8E5M2> {
  %0 = cma.cast %x : tensor<4096xf8E4M3FN> to tensor<4096xf8E5M2>
  return %0 : tensor<4096xf8E5M2>
}

// The tail of a row, the bias once for all rows.
// CHECK-LABEL: cma_call_bias:
// CHECK-NOT: vpinsrw {{.*}}vpinsrw
// CHECK: vcvtps2ph {{.*}}%ymm
// CHECK: retq
func.func @bias(%x: tensor<64x37xf16>, %b: tensor<37xf16>) -> tensor<64x37xf16> {
  %0 = cma.broadcast "n->bn" (%b) : (tensor<37xf16>) -> tensor<64x37xf16>
  %1 = arith.addf %x, %0 : tensor<64x37xf16>
  return %1 : tensor<64x37xf16>
}

// Two layers on f16: one rounding behind each sum.
// CHECK-LABEL: cma_call_layers:
// CHECK: vcvtph2ps {{.*}}, %ymm
// CHECK: vfmadd231ps {{.*}}%ymm
// CHECK: vcvtps2ph {{.*}}%ymm
// CHECK: retq
func.func @layers(%x: tensor<256x64xf16>, %u: tensor<64x32xf16>, %v: tensor<32x64xf16>) -> tensor<256x64xf16> {
  %0 = cma.low_rank_linear %x, %u, %v
      : tensor<256x64xf16>, tensor<64x32xf16>, tensor<32x64xf16> -> tensor<256x64xf16>
  return %0 : tensor<256x64xf16>
}
