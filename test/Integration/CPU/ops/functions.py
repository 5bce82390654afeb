# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Elementwise functions of `math` and `arith` against NumPy in extended precision."""

import math

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()
SHAPE = (13, 7)


def each(function):
    return lambda x: wide([function(float(value)) for value in x.flat]).reshape(x.shape)


#: Name, reference, and the range of arguments.
UNARY = [
    ("math.exp", numpy.exp, -20, 20), ("math.exp2", numpy.exp2, -20, 20), ("math.expm1", numpy.expm1, -2, 2),
    ("math.log", numpy.log, 0.01, 50), ("math.log2", numpy.log2, 0.01, 50), ("math.log10", numpy.log10, 0.01, 50),
    ("math.log1p", numpy.log1p, -0.9, 3), ("math.sqrt", numpy.sqrt, 0, 100), ("math.rsqrt", lambda x: 1 / numpy.sqrt(x), 0.01, 50),
    ("math.cbrt", numpy.cbrt, -20, 20), ("math.sin", numpy.sin, -3, 3), ("math.cos", numpy.cos, -1.5, 1.5),
    ("math.tan", numpy.tan, -1.5, 1.5), ("math.asin", numpy.arcsin, -1, 1), ("math.acos", numpy.arccos, -1, 0.99),
    ("math.atan", numpy.arctan, -20, 20), ("math.sinh", numpy.sinh, -5, 5), ("math.cosh", numpy.cosh, -5, 5),
    ("math.tanh", numpy.tanh, -5, 5), ("math.asinh", numpy.arcsinh, -20, 20), ("math.acosh", numpy.arccosh, 1.01, 50),
    ("math.atanh", numpy.arctanh, -0.99, 0.99), ("math.erf", each(math.erf), -3, 3), ("math.erfc", each(math.erfc), -2, 2),
]
EXACT = [("math.absf", numpy.abs), ("math.floor", numpy.floor), ("math.ceil", numpy.ceil), ("math.trunc", numpy.trunc),
         ("math.roundeven", numpy.rint), ("arith.negf", numpy.negative)]


def run_unary(dtype):
    for op, reference, low, high in UNARY:
        x = check.random.uniform(low, high, SHAPE).astype(dtype)
        name = f"{op.replace('.', '_')}_{dtype}"
        got = check.run(name, {"x": x}, f"%y = {op} %x : {{x}}", {"y": "{x}"})
        if got:
            want = reference(wide(x))
            check.close(name, got["y"], want, 8 * EPSILON[dtype] * numpy.abs(want))
    for op, reference in EXACT:
        x = check.normal(SHAPE, dtype, 5.0)
        x.flat[:9] = [0.5, -0.5, 1.5, 2.5, 0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan]
        name = f"{op.replace('.', '_')}_{dtype}"
        got = check.run(name, {"x": x}, f"%y = {op} %x : {{x}}", {"y": "{x}"})
        if got:
            check.equal(name, got["y"], reference(x))


def run_binary(dtype):
    x, y = check.normal(SHAPE, dtype, 3.0), check.normal(SHAPE, dtype, 3.0)
    for op, reference, a in (("math.atan2", numpy.arctan2, x), ("math.powf", numpy.power, numpy.abs(x))):
        name = f"{op.replace('.', '_')}_{dtype}"
        got = check.run(name, {"x": a, "y": y}, f"%z = {op} %x, %y : {{x}}", {"z": "{x}"})
        if got:
            want = reference(wide(a), wide(y))
            check.close(name, got["z"], want, 8 * EPSILON[dtype] * numpy.abs(want))
    for op, reference in (("math.copysign", numpy.copysign), ("arith.remf", numpy.fmod)):
        name = f"{op.replace('.', '_')}_{dtype}"
        got = check.run(name, {"x": x, "y": y}, f"%z = {op} %x, %y : {{x}}", {"z": "{x}"})
        if got:
            check.equal(name, got["z"], reference(x, y))


def run_integer_powers(dtype):
    """An exponent for each element, of either sign, and of the largest size for
    bases of magnitude one: their parity counts."""
    x = check.normal(SHAPE, dtype, 2.0)
    for kind in ("int32", "int64"):
        n = check.random.integers(-6, 7, SHAPE).astype(kind)
        x.flat[:5], n.flat[:5] = [-1, -1, 0, 0, 1], [2**31 - 1, -(2**31), 0, 3, 2**31 - 1]
        name = f"fpowi_{dtype}_{kind}"
        got = check.run(name, {"x": x, "n": n}, "%y = math.fpowi %x, %n : {x}, {n}", {"y": "{x}"})
        if got:
            want = numpy.power(wide(x), wide(n))
            check.close(name, got["y"], want, 8 * EPSILON[dtype] * numpy.abs(want))


for element in ("float32", "float64"):
    run_unary(element)
    run_binary(element)
    run_integer_powers(element)
check.finish()
