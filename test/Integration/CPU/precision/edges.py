# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Tensors of narrow floats in all places: scalars, no elements, constants, loops,
slices, masks, scalar arithmetic."""

import numpy

from lowfloat import FROM_NUMPY, TYPES, Runner, tensor

run = Runner()


def check(name, arguments, body, wanted):
    got = run.call(name, body, arguments, [tensor(FROM_NUMPY[w.dtype], w.shape) for w in wanted])
    for i, want in enumerate(wanted):
        if got:
            run.expect(f"{name} %r{i}", got[i], want)


def sizes(kind, dtype):
    x = numpy.array(1.1, numpy.float32)
    check(f"scalar_{kind}", [x], f"  %r0 = cma.cast %0 : tensor<f32> to tensor<{kind}>", [x.astype(dtype)])
    check(f"empty_{kind}", [numpy.zeros((0, 3), numpy.float32)],
          f"  %r0 = cma.cast %0 : tensor<0x3xf32> to tensor<0x3x{kind}>", [numpy.zeros((0, 3), dtype)])
    check(f"empty_sum_{kind}", [numpy.zeros((4, 0), dtype), numpy.zeros((0, 3), dtype)],
          f'  %r0 = cma.contract "ij,jk->ik" (%0, %1) : (tensor<4x0x{kind}>, tensor<0x3x{kind}>) -> tensor<4x3x{kind}>',
          [numpy.zeros((4, 3), dtype)])


def constants(kind, dtype):
    numbers = numpy.array([1.0, 2.0, -0.5, 3.0], dtype)
    check(f"constants_{kind}", [numpy.ones(4, dtype)], f"""
  %r0 = arith.constant dense<[1.0, 2.0, -0.5, 3.0]> : tensor<4x{kind}>
  %half = arith.constant dense<0.5> : tensor<4x{kind}>
  %s = arith.addf %r0, %0 : tensor<4x{kind}>
  %r1 = arith.mulf %s, %half : tensor<4x{kind}>""",
          [numbers, numpy.array([1.0, 1.5, 0.25, 2.0], dtype)])


def loops(kind, dtype):
    check(f"loops_{kind}", [numpy.array([1, 2, 3, 4], numpy.float32).astype(dtype)], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %0) -> (tensor<4x{kind}>) {{
    %s = arith.addf %a, %0 : tensor<4x{kind}>
    scf.yield %s : tensor<4x{kind}>
  }}
  %e = tensor.extract %0[%c1] : tensor<4x{kind}>
  %f = arith.mulf %e, %e : {kind}
  %r1 = tensor.from_elements %f, %e : tensor<2x{kind}>""",
          [numpy.array([4, 8, 12, 16], numpy.float32).astype(dtype), numpy.array([4, 2], numpy.float32).astype(dtype)])


def moves(kind, dtype):
    a = numpy.array([[1, 2, 3], [4, -5, 6]], numpy.float32)
    b = numpy.array([[7, 8, 9], [1, 1, 1]], numpy.float32)
    shape = tensor(kind, (2, 3))
    wanted = [numpy.concatenate([a, b]), numpy.maximum(a, b), numpy.maximum(a, b), -a, a[:, 1:], numpy.abs(a)]
    check(f"moves_{kind}", [a.astype(dtype), b.astype(dtype)], f"""
  %r0 = tensor.concat dim(0) %0, %1 : ({shape}, {shape}) -> {tensor(kind, (4, 3))}
  %m = arith.cmpf ogt, %0, %1 : {shape}
  %r1 = arith.select %m, %0, %1 : tensor<2x3xi1>, {shape}
  %r2 = arith.maximumf %0, %1 : {shape}
  %r3 = arith.negf %0 : {shape}
  %r4 = tensor.extract_slice %0[0, 1] [2, 2] [1, 1] : {shape} to {tensor(kind, (2, 2))}
  %r5 = math.absf %0 : {shape}
  %r6 = arith.fptosi %0 : {shape} to tensor<2x3xi32>""",
          [w.astype(dtype) for w in wanted] + [a.astype(numpy.int32)])


for low in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
    for part in (sizes, constants, loops, moves):
        part(low, TYPES[low])
run.finish()
