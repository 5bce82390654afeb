# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Known answers, by the numbers of the list of facts that the project keeps: T1 to
T20 for casts, T21 to T25 for sums, T48 for an f16 parameter, T64 and T65 for
rounding points."""

import math

import numpy

from lowfloat import TYPES, Runner, tensor

INF, NAN = math.inf, math.nan
run = Runner()


def cast(name, source, target, pairs, clauses=""):
    """`pairs` are operand and result; operands are exact in the source type."""
    x = numpy.array([a for a, _ in pairs], numpy.float64).astype(TYPES[source])
    want = numpy.array([b for _, b in pairs], numpy.float64).astype(TYPES[target])
    body = f"  %r0 = cma.cast %0{clauses} : {tensor(source, x.shape)} to {tensor(target, x.shape)}"
    got = run.call(name, body, [x], [tensor(target, x.shape)])
    if got:
        run.expect(name, got[0], want, x)


def below(x):
    return float(numpy.nextafter(numpy.float32(x), numpy.float32(0)))


IEEE, SATURATE, ZERO = " overflow(ieee)", " overflow(saturate)", " round(toward_zero)"

# f16.
cast("T1_ieee", "f32", "f16", [(65504, 65504), (65519, 65504), (below(65520), 65504), (65520, INF)])
cast("T1_saturate", "f32", "f16", [(65519, 65504), (65520, 65504), (1e30, 65504), (-1e30, -65504)], SATURATE)
cast("T2", "f32", "f16", [(2**-24, 2**-24), (2**-25, 0), (2.9802326e-8, 2**-24), (3 * 2**-25, 2**-23)])
cast("T3", "f32", "f16", [(2049, 2048), (2051, 2052)])
cast("T4", "f32", "f16", [(1 + 2**-11, 1), (1 + 3 * 2**-11, 1.001953125)])
cast("T5", "f32", "f16", [(0.1, 0.0999755859375)])
cast("T6", "f32", "f16", [(1e-8, 0), (1e-7, 1.1920928955078125e-7), (1e-5, 1.0013580322265625e-5)])
cast("T7", "f32", "f16", [(NAN, NAN), (-0.0, -0.0), (INF, INF)])
cast("T7_saturate", "f32", "f16", [(NAN, NAN), (-0.0, -0.0), (INF, 65504), (-INF, -65504)], SATURATE)
# bf16.
MAX32 = float(numpy.finfo("float32").max)
cast("T8", "f32", "bf16", [(1.00390625, 1), (1.01171875, 1.015625)])
cast("T9", "f32", "bf16", [(257, 256), (259, 260)])
cast("T10", "f32", "bf16", [(3.3961775e38, INF), (MAX32, INF), (3.3895313892515355e38, 3.3895313892515355e38)])
cast("T11", "f32", "bf16", [(4.6e-41, 9.183549615799121e-41), (0.1, 0.10009765625)])
# tf32. Rounding half away from zero is the devices' own.
HALF = [1 + 2**-11, 1 + 3 * 2**-11]
cast("T12_nearest", "f32", "f32", [(HALF[0], 1), (HALF[1], 1.001953125), (0.1, 0.0999755859375)], " tf32")
cast("T12_zero", "f32", "f32", [(HALF[0], 1), (HALF[1], 1.0009765625)], " tf32" + ZERO)
# f8E4M3FN.
LARGE = [465, 464.0001, 1e30, INF]
cast("T13_ieee", "f32", "f8E4M3FN", [(448, 448), (464, 448), (-465, NAN)] + [(x, NAN) for x in LARGE], IEEE)
cast("T13_saturate", "f32", "f8E4M3FN", [(448, 448), (464, 448), (-465, -448)] + [(x, 448) for x in LARGE])
cast("T14", "f32", "f8E4M3FN", [(2**-10, 0), (0.001, 0.001953125), (0.0029296875, 0.00390625), (0.0146484375, 0.015625)])
cast("T15", "f32", "f8E4M3FN", [(17, 16), (18, 18), (19, 20), (1.0625, 1), (1.1875, 1.25), (0.1, 0.1015625), (math.pi, 3.25)])
# f8E5M2.
cast("T16_ieee", "f32", "f8E5M2", [(57344, 57344), (61439, 57344), (61440, INF), (65536, INF), (INF, INF)], IEEE)
cast("T16_saturate", "f32", "f8E5M2", [(61440, 57344), (65536, 57344), (INF, 57344)])
cast("T17", "f32", "f8E5M2", [(2**-17, 0), (7.6293954e-6, 2**-16), (2.288818359375e-5, 2**-15)])
cast("T18", "f32", "f8E5M2", [(1.125, 1), (1.375, 1.5), (0.1, 0.09375)])
# By way of f16 or bf16 these would be rounded twice, to 16.
cast("T19", "f32", "f8E4M3FN", [(17.001, 18), (17.05, 18)])
cast("T19_f64", "f64", "f8E4M3FN", [(17 + 2**-40, 18), (17 - 2**-40, 16)])
cast("T20", "f16", "bf16", [(60000, 59904)])


def total(name, values, source, target, want, accumulate=""):
    x = numpy.array(values).astype(TYPES[source])
    body = f'  %r0 = cma.contract "i->" (%0){accumulate} : ({tensor(source, x.shape)}) -> {tensor(target)}'
    got = run.call(name, body, [x], [tensor(target)])
    if got:
        run.expect(name, got[0], numpy.array(want, TYPES[target]), None)


# In the narrow type these would stop at 2048, 256, 16 and 8.
for low in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
    total(f"T21_{low}", numpy.ones(4096), low, "f32", 4096)
for low in ("f16", "bf16", "f8E5M2"):
    total(f"T21_{low}_result", numpy.ones(4096), low, low, 4096)
total("T22", numpy.full(4096, 0.1), "f16", "f32", 409.5)
total("T23", [33000, 33000, -33000], "f16", "f16", 32992)
total("T25", [256] + [1] * 256, "bf16", "bf16", 512)


def body_of(name, arguments, body, results):
    got = run.call(name, body, arguments, [tensor(FROM, want.shape) for FROM, want in results])
    for i, (_, want) in enumerate(results):
        if got:
            run.expect(f"{name} %r{i}", got[i], want)


F16, BF16 = TYPES["f16"], TYPES["bf16"]
body_of("T24", [numpy.full(3, 40000, F16)], """
  %s = cma.contract "i->" (%0) : (tensor<3xf16>) -> tensor<f32>
  %n = arith.constant dense<3.0> : tensor<f32>
  %m = arith.divf %s, %n : tensor<f32>
  %r0 = cma.cast %m : tensor<f32> to tensor<f16>""", [("f16", numpy.array(40000, F16))])

# An f16 parameter takes a step only where it is large enough.
step = numpy.array([2**-11, 1.001 * 2**-11, -(2**-12), -1.001 * 2**-12], F16)
body_of("T48", [numpy.ones(4, F16), step], "  %r0 = arith.addf %0, %1 : tensor<4xf16>",
        [("f16", numpy.array([1, 1.0009765625, 1, 0.99951171875], F16))])

# x x + x rounds twice in bf16, whatever runs over the code; once it gives 2.078125.
body_of("T64", [numpy.full(5, 1.0234375, BF16)], """
  %p = arith.mulf %0, %0 : tensor<5xbf16>
  %r0 = arith.addf %p, %0 : tensor<5xbf16>""", [("bf16", numpy.full(5, 2.0625, BF16))])

# A narrow value widened again keeps its rounding, and so does f8 arithmetic.
x = numpy.array([0.1, 17.0, 300.0, 1000.0], numpy.float32)
f8 = numpy.array([0.1015625, 16, 288, 448], numpy.float32)
body_of("T65", [x], """
  %q = cma.cast %0 : tensor<4xf32> to tensor<4xf8E4M3FN>
  %r0 = cma.cast %q : tensor<4xf8E4M3FN> to tensor<4xf32>
  %t = cma.cast %0 tf32 : tensor<4xf32> to tensor<4xf32>
  %r1 = arith.subf %0, %t : tensor<4xf32>
  %s = arith.addf %q, %q : tensor<4xf8E4M3FN>
  %r2 = cma.cast %s : tensor<4xf8E4M3FN> to tensor<4xf32>""",
        [("f32", f8), ("f32", x - numpy.float32([0.0999755859375, 17, 300, 1000])),
         ("f32", numpy.float32([0.203125, 32, NAN, NAN]))])
run.finish()
