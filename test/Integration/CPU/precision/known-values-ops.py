# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Known answers for ops that overflow or cancel in a narrow type, by the numbers of
the list of facts that the project keeps: T26 for a sum onto a large value, T29 to
T34 for softmax, layer norm, losses and squares."""

import math

import numpy

from lowfloat import TYPES, Runner, tensor

F16 = TYPES["f16"]
run = Runner()


def close(name, got, want, relative):
    run.checks += got.size
    if not numpy.allclose(got.astype(numpy.float64), want, rtol=relative, atol=0):
        run.fail(f"{name}: expected {want!r}, got {got!r}")


def call(name, arguments, body, kind, shape=(), extra=()):
    got = run.call(name, body, arguments, [tensor(kind, shape)], extra=extra)
    return got[0] if got else numpy.full(shape, numpy.nan)


# One f32 addition a term may lose each of the ones, and no more than that.
ones = call("T26", [numpy.array(2**24, numpy.float32), numpy.ones(64, F16)], """
  %s = cma.contract "i->" (%1) : (tensor<64xf16>) -> tensor<f32>
  %r0 = arith.addf %0, %s : tensor<f32>""", "f32")
run.checks += 1
if not 16777216 <= ones <= 16777280:
    run.fail(f"T26: expected 16777216 to 16777280, got {ones}")

# exp(12) is beyond f16.
SOFTMAX = "  %r0 = cma.softmax %0 : {0}"


def softmax(name, values):
    x = numpy.array(values, F16)
    return call(name, [x], SOFTMAX.format(tensor("f16", x.shape)), "f16", x.shape)


run.expect("T29", softmax("T29", [[12, 0]]), numpy.array([[1.0, 6.139278411865234e-06]], F16))
run.expect("T30", softmax("T30", [[-65504] * 4, [0] * 4]), numpy.full((2, 4), 0.25, F16))
# As a user writes it, under the f16 policy: a score below the mask must not make
# an infinity of it, whatever type the sum is given.
masked = call("T30_mask", [numpy.full((2, 4), -32, numpy.float32), numpy.array([[0] * 4, [1] * 4], numpy.float32)], """
  %w = arith.constant dense<1.0> : tensor<4x4xf32>
  %h = arith.constant dense<0.5> : tensor<2x4xf32>
  %low = arith.constant dense<-1.0e9> : tensor<2x4xf32>
  %x = cma.contract "ij,jk->ik" (%0, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %p = arith.cmpf ogt, %1, %h : tensor<2x4xf32>
  %m = arith.select %p, %x, %low : tensor<2x4xi1>, tensor<2x4xf32>
  %r0 = cma.softmax %m : tensor<2x4xf32>""", "f32", (2, 4), ["--precision", "f16"])
close("T30_mask", masked, 0.25, 1e-6)

x = numpy.array([[300, -300]], F16)
norm = call("T31", [x], """
  %r0 = cma.layer_norm %0 {epsilon = 1.0e-5 : f64} : tensor<1x2xf16>""",
            "f16", (1, 2))
run.expect("T31", norm, numpy.array([[1, -1]], F16))


def entropy(name, logits, label):
    x = numpy.array([logits], numpy.float32)
    shape = tensor("f32", x.shape)
    return call(name, [x, numpy.array([label])], f"""
  %r0 = cma.cross_entropy %0, %1 : {shape}, tensor<1xi64> -> tensor<f32>""", "f32", (), ["--precision", "f16"])


# The loss of two classes whose sigmoid is 1 in f16.
close("T32", entropy("T32_9", [9, 0], 1), math.log1p(math.exp(-9)) + 9, 2e-7)
close("T32", entropy("T32_20", [20, 0], 1), 20.000000002, 2e-7)
close("T33", entropy("T33", [0] * 65536, 0), 11.090355, 1e-6)

# A square of 256 is beyond f16, one of 255.875 is not; what is known of the range
# decides in cma-assign-precision-ranges.mlir. The op itself says infinity.
squares = call("T34", [numpy.array([256, 255.875], F16)], "  %r0 = arith.mulf %0, %0 : tensor<2xf16>", "f16", (2,))
run.expect("T34", squares, numpy.array([numpy.inf, 65472], F16))
run.finish()
