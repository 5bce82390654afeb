// RUN: cma-opt %s --cma-hold-floats-as-integers=f16-instructions=false --split-input-file --verify-diagnostics

llvm.func @add(%a: bf16, %b: bf16) -> bf16 {
  // expected-error @below {{'llvm.fadd' op expected no arithmetic on low floats after cma-legalize-floats, got operands of 'bf16', 'bf16'}}
  %0 = llvm.fadd %a, %b : bf16
  llvm.return %0 : bf16
}

// -----

llvm.func @extend(%a: vector<2xf16>) -> vector<2xf32> {
  // expected-error @below {{'llvm.fpext' op expected no arithmetic on low floats after cma-legalize-floats, got operands of 'vector<2xf16>'}}
  %0 = llvm.fpext %a : vector<2xf16> to vector<2xf32>
  llvm.return %0 : vector<2xf32>
}
