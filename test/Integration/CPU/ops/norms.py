# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Softmax and layer normalisation against NumPy."""

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()


def softmax(x):
    e = numpy.exp(wide(x) - wide(x).max(axis=-1, keepdims=True, initial=-numpy.inf))
    return e / e.sum(axis=-1, keepdims=True)


def run_softmax(name, x):
    """Relative error (n + 8 + range) units for rows of n elements: the sum, the
    exponential, and the rounding of x - max in the exponent."""
    name = f"softmax_{name}_{x.dtype}"
    got = check.run(name, {"x": x}, "%y = cma.softmax %x : {x}", {"y": "{x}"})
    if not got:
        return
    want = softmax(x)
    spread = numpy.ptp(wide(x), axis=-1, keepdims=True) if x.size else 0
    units = x.shape[-1] + 8 + spread
    # Results below the normal range may be flushed to zero.
    check.close(name, got["y"], want,
                units * EPSILON[x.dtype.name] * want + numpy.finfo(x.dtype).tiny)


def run_softmax_special(dtype):
    """A NaN spoils its row alone; large values neither overflow nor lose the rest."""
    x = numpy.zeros((4, 3), dtype)
    x[0, 1] = numpy.nan
    x[1] = [1e30, 1e30, -1e30]
    x[2] = [-numpy.inf, 0, 0]
    got = check.run(f"softmax_special_{dtype}", {"x": x}, "%y = cma.softmax %x : {x}", {"y": "{x}"})
    third = 1 / wide(3)
    want = [[numpy.nan] * 3, [0.5, 0.5, 0], [0, 0.5, 0.5], [third] * 3]
    if got:
        check.close(f"softmax_special_{dtype}", got["y"], wide(want), EPSILON[dtype])


def moments(x, epsilon):
    x = wide(x)
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return x - mean, 1 / numpy.sqrt(variance + wide(epsilon))


def run_layer_norm(name, x, with_scale, with_shift):
    """The mean of n elements is off by up to n units of max |x|, which the division
    by the deviation magnifies."""
    epsilon, n = 1e-5, x.shape[-1]
    name = f"layer_norm_{name}_{x.dtype}"
    inputs = {"x": x, "dy": check.normal(x.shape, x.dtype)}
    scale = shift = 1
    op, types = "cma.layer_norm %x", ""
    if with_scale:
        inputs["g"] = scale = check.normal((n,), x.dtype)
        op, types = op + " scale(%g)", types + " scale({g})"
    if with_shift:
        inputs["b"] = shift = check.normal((n,), x.dtype)
        op, types = op + " shift(%b)", types + " shift({b})"
    got = check.run(name, inputs,
                    f"%y = {op} : {{x}}{types}\n"
                    "  %dx = cma.layer_norm_grad %x, %dy : {x}", {"y": "{x}", "dx": "{x}"})
    if not got or not x.size:
        return
    centred, factor = moments(x, epsilon)
    h = centred * factor
    condition = (n + 8) * EPSILON[x.dtype.name] * (
        1 + factor * numpy.abs(wide(x)).max(axis=-1, keepdims=True))
    want = h * wide(scale) + (wide(shift) if with_shift else 0)
    check.close(name + " value", got["y"], want,
                condition * (1 + numpy.abs(h)) * numpy.abs(scale)
                + EPSILON[x.dtype.name] * numpy.abs(want))
    dy = wide(inputs["dy"])
    want = (dy - dy.mean(axis=-1, keepdims=True)
            - h * (dy * h).mean(axis=-1, keepdims=True)) * factor
    largest = numpy.abs(dy).max(axis=-1, keepdims=True)
    check.close(name + " gradient", got["dx"], want,
                4 * condition * factor * largest * (1 + numpy.abs(h)) ** 2)


for element in ("float32", "float64"):
    run_softmax("rows", check.normal((37, 10), element, 3.0))
    run_softmax("wide", check.normal((3, 1000), element, 20.0))
    run_softmax("batched", check.normal((4, 5, 17), element))
    run_softmax("one", check.normal((9,), element))
    run_softmax("empty", check.normal((4, 0), element))
    run_softmax_special(element)
    run_layer_norm("plain", check.normal((37, 48), element), False, False)
    run_layer_norm("offset", check.normal((8, 100), element, offset=1000.0), True, True)
    run_layer_norm("scale", check.normal((4, 5, 7), element, 10.0), True, False)
    run_layer_norm("shift", check.normal((1, 768), element), False, True)
    run_layer_norm("one", check.normal((5, 1), element), True, True)
    run_layer_norm("no_rows", check.normal((0, 5), element), True, True)
    run_layer_norm("no_columns", check.normal((5, 0), element), True, False)
check.finish()
