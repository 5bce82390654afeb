# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Optimizers against NumPy, and ops that only move data, which are exact."""

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()


def run_sgd(shape, dtype, momentum, decay):
    """Error 4 units of |p| + lr (|m| + |g| + decay |p|)."""
    name = "sgd_" + "x".join(map(str, shape)) + f"_{dtype}_{momentum}_{decay}".replace(".", "")
    inputs = {key: check.normal(shape, dtype) for key in ("p", "g", "m")}
    inputs["lr"] = numpy.array(0.1, "float32")
    attributes = f"{{{{momentum = {momentum} : f64, weight_decay = {decay} : f64}}}}"
    got = check.run(name, inputs,
                    f"%q, %n = cma.sgd %p, %g, %lr momentum(%m) {attributes} : {{p}}, {{lr}}\n"
                    f"  %r = cma.sgd %p, %g, %lr {{{{weight_decay = {decay} : f64}}}} : {{p}}, {{lr}}",
                    {"q": "{p}", "n": "{p}", "r": "{p}"})
    if not got:
        return
    p, g, m, lr = (wide(inputs[key]) for key in ("p", "g", "m", "lr"))
    unit = EPSILON[dtype]
    moved = momentum * m + g
    size = numpy.abs(p) + lr * (numpy.abs(m) + numpy.abs(g) + decay * numpy.abs(p))
    check.close(name + " buffer", got["n"], moved, 4 * unit * (numpy.abs(m) + numpy.abs(g)))
    check.close(name + " parameter", got["q"], p - lr * (moved + decay * p), 4 * unit * size)
    check.close(name + " plain", got["r"], p - lr * (g + decay * p), 4 * unit * size)


def embed(x, equation, sizes):
    """`broadcast` by its definition."""
    operand, result = equation.split("->")
    made = numpy.zeros([sizes[label] for label in result], x.dtype)
    for index in numpy.ndindex(*made.shape):
        at = {}
        if all(at.setdefault(label, i) == i for label, i in zip(result, index)):
            made[index] = x[tuple(at[label] for label in operand)]
    return made


def run_move(op, equation, dtype, sizes):
    name = f"{op}_{equation.replace('->', '_')}_{dtype}"
    operand, result = equation.split("->")
    shape = [sizes[label] for label in operand]
    x = check.normal(shape, "float64", 1000.0).astype(dtype)
    extents = "".join(f"{sizes[label]}x" for label in result)
    element = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64"}[dtype]
    text = f"tensor<{extents}{element}>"
    got = check.run(name, {"x": x}, f'%y = cma.{op} "{equation}" (%x) : ({{x}}) -> {text}',
                    {"y": text})
    if got:
        want = numpy.einsum(equation, x) if op == "contract" else embed(x, equation, sizes)
        check.equal(name, got["y"], numpy.asarray(want, dtype))


for element in ("float32", "float64"):
    for extents in ((), (7,), (33, 20), (0, 3)):
        run_sgd(extents, element, 0.9, 0.01)
    run_sgd((8, 9), element, 0.0, 0.0)
SIZES = {"a": 3, "b": 5, "c": 4, "d": 1, "z": 0}
for element in ("float32", "float64", "int32", "int64"):
    for equation in ("ab->ba", "abc->cab", "aab->ba", "aaa->a", "adb->bda", "->", "zb->bz"):
        run_move("contract", equation, element, SIZES)
    for equation in ("b->ab", "b->aab", "a->aa", "->ab", "ab->bcaa", "a->ada", "d->db", "->aa", "z->zz", "b->zb"):
        run_move("broadcast", equation, element, SIZES)
check.finish()
