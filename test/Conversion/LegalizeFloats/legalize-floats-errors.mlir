// RUN: cma-opt %s --pass-pipeline='builtin.module(func.func(cma-legalize-floats))' --split-input-file --verify-diagnostics

func.func @rounding(%x: f32) -> f16 {
  // expected-error @below {{'arith.truncf' op expected rounding to nearest even or toward zero, got 'upward'}}
  %0 = arith.truncf %x upward : f32 to f16
  return %0 : f16
}

// -----

func.func @argument(%x: tf32) -> f32 {
  // expected-error @below {{'arith.extf' op expected its tf32 operand to be made by a conversion in reach, or a constant}}
  %0 = arith.extf %x : tf32 to f32
  return %0 : f32
}

// -----

func.func @result(%x: f32) -> tf32 {
  // expected-error @below {{'arith.truncf' op expected no tf32 value but between conversions}}
  %0 = arith.truncf %x : f32 to tf32
  return %0 : tf32
}

// -----

func.func @scaling(%x: f32, %s: f8E8M0FNU) -> f8E4M3FN {
  // expected-error @below {{'arith.scaling_truncf' op expected no conversion with scales of its own}}
  %0 = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f8E4M3FN
  return %0 : f8E4M3FN
}
