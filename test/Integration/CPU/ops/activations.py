# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Activations against NumPy."""

import math

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()

SQRT_2_OVER_PI = wide(math.sqrt(2 / math.pi))
# NaN, infinities, both zeros, and what overflows when squared.
SPECIAL = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1e-30, -1e-30, 20.0, -20.0]


def erf(x):
    return wide([math.erf(value) for value in x.flat]).reshape(x.shape)


def gelu(x):
    return wide(x) / 2 * (1 + erf(x / math.sqrt(2)))


def gelu_slope(x):
    density = numpy.exp(-wide(x) ** 2 / 2) / numpy.sqrt(2 * wide(math.pi))
    return (1 + erf(x / math.sqrt(2))) / 2 + x * density


def tanh_of(x):
    x = wide(x)
    return numpy.tanh(SQRT_2_OVER_PI * (x + wide(0.044715) * x**3))


def gelu_tanh(x):
    return wide(x) / 2 * (1 + tanh_of(x))


def gelu_tanh_slope(x):
    x, t = wide(x), tanh_of(x)
    inner = SQRT_2_OVER_PI * (1 + 3 * wide(0.044715) * x**2)
    return (1 + t) / 2 + x / 2 * (1 - t**2) * inner


def run_relu(dtype):
    x = check.normal((5, 7), dtype)
    x.flat[: len(SPECIAL)] = SPECIAL
    got = check.run(f"relu_{dtype}", {"x": x}, "%y = cma.relu %x : {x}", {"y": "{x}"})
    if got:
        check.equal(f"relu_{dtype}", got["y"], numpy.where(x < 0, 0, x).astype(dtype))


def run_gelu(dtype, shape, form, value, slope):
    """The error of gelu may be 8 units in the last place of max(1, |x|), that of its
    gradient the same times |dy|: f32 erf and tanh are within 3 units of 1."""
    name = f"gelu{form.replace('(', '_').rstrip(')')}_{dtype}_{len(shape)}d".replace(" approximate", "")
    x, dy = check.normal(shape, dtype, 3.0), check.normal(shape, dtype)
    got = check.run(name, {"x": x, "dy": dy},
                    f"%y = cma.gelu %x{form} : {{x}}\n"
                    f"  %dx = cma.gelu_grad %x, %dy{form} : {{x}}", {"y": "{x}", "dx": "{x}"})
    if got:
        bound = 8 * EPSILON[dtype] * numpy.maximum(1, numpy.abs(x))
        check.close(name + " value", got["y"], value(x), bound)
        check.close(name + " gradient", got["dx"], slope(x) * dy, bound * numpy.abs(dy))


for element in ("float32", "float64"):
    run_relu(element)
    for extents in ((33, 70), (), (0, 4), (1000,)):
        run_gelu(element, extents, "", gelu, gelu_slope)
        run_gelu(element, extents, " approximate(tanh)", gelu_tanh, gelu_tanh_slope)
check.finish()
