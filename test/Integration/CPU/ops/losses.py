# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Losses against NumPy."""

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()


def run_mse(shape, dtype):
    """Relative error n + 4 units for rows of n elements: the rows are summed in f64."""
    name = "mse_" + "x".join(map(str, shape)) + f"_{dtype}"
    p, t = check.normal(shape, dtype), check.normal(shape, dtype)
    element = "f32" if dtype == "float32" else "f64"
    got = check.run(name, {"p": p, "t": t}, f"%y = cma.mse %p, %t : {{p}} -> tensor<{element}>",
                    {"y": f"tensor<{element}>"})
    if got:
        want = ((wide(p) - wide(t)) ** 2).mean() if p.size else wide(0)
        units = (shape[-1] if len(shape) > 1 else p.size * 2.0**-29 if dtype == "float32" else p.size) + 4
        check.close(name, got["y"], want, units * EPSILON[dtype] * want)


def cross_entropy(x, labels, ignore):
    """Loss, gradient for a cotangent of 1, and the number of counted rows."""
    x = wide(x)
    counted = numpy.ones(labels.shape, bool) if ignore is None else labels != ignore
    count = max(int(counted.sum()), 1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        top = x.max(axis=-1, keepdims=True, initial=-numpy.inf)
        e = numpy.exp(x - top)
        total = e.sum(axis=-1, keepdims=True)
        hot = numpy.arange(x.shape[-1]) == labels[..., None]
        rows = (numpy.log(total) + top)[..., 0] - numpy.where(hot, x, 0).sum(axis=-1)
        gradient = numpy.where(counted[..., None], e / total - hot, 0) / count
    return numpy.where(counted, rows, 0).sum() / count, gradient


def run_cross_entropy(name, x, labels, ignore=None):
    """Error (n + 8 + range) units: of the loss, relative to 1 + range; of the
    gradient, relative to |cotangent| / counted rows."""
    name = f"cross_entropy_{name}_{x.dtype}_{labels.dtype}"
    scalar = "tensor<f32>" if x.dtype == numpy.float32 else "tensor<f64>"
    cotangent = numpy.array(-1.5, x.dtype)
    attributes = "" if ignore is None else f" {{{{ignore_index = {ignore} : i64}}}}"
    got = check.run(name, {"x": x, "t": labels, "c": cotangent},
                    f"%y = cma.cross_entropy %x, %t{attributes} : {{x}}, {{t}} -> {scalar}\n"
                    f"  %dx = cma.cross_entropy_grad %x, %t, %c{attributes} : {{x}}, {{t}}, {{c}}",
                    {"y": scalar, "dx": "{x}"})
    if not got:
        return
    loss, gradient = cross_entropy(x, labels, ignore)
    finite = x[numpy.isfinite(x)]
    spread = wide(numpy.ptp(finite)) if finite.size else 0
    units = (x.shape[-1] + 8 + spread) * EPSILON[x.dtype.name]
    count = labels.size if ignore is None else int((labels != ignore).sum())
    check.close(name + " loss", got["y"], loss, units * (1 + spread) if count else 0)
    check.close(name + " gradient", got["dx"], wide(cotangent) * gradient,
                units * 1.5 / count if count else 0)


def labels(shape, classes, dtype):
    return numpy.asarray(check.random.integers(0, classes, shape), dtype)


for element in ("float32", "float64"):
    for extents in ((), (5,), (0,), (64, 100), (3, 4, 5), (7, 0), (100000,)):
        run_mse(extents, element)
    for kind in ("int32", "int64"):
        run_cross_entropy("rows", check.normal((37, 10), element, 3.0), labels((37,), 10, kind))
        some = labels((37,), 10, kind)
        some[::3] = -100
        run_cross_entropy("ignored", check.normal((37, 10), element), some, -100)
    run_cross_entropy("batched", check.normal((4, 5, 6), element), labels((4, 5), 6, "int64"))
    run_cross_entropy("one", check.normal((9,), element), labels((), 9, "int64"))
    run_cross_entropy("large", check.normal((8, 5), element, 1e4), labels((8,), 5, "int64"))
    # Where no row counts, loss and gradient are zero, whatever the logits are.
    bad = numpy.full((4, 3), numpy.nan, element)
    run_cross_entropy("none", bad, numpy.full((4,), 3, "int64"), 3)
    run_cross_entropy("no_rows", check.normal((0, 3), element), labels((0,), 3, "int64"))
    run_cross_entropy("no_classes", check.normal((2, 0), element), numpy.full((2,), -1, "int64"), -1)

wrong = numpy.array([0, 9, 10, -1], "int64")
check.refuse("label", {"x": check.normal((4, 10), "float32"), "t": wrong},
             "%y = cma.cross_entropy %x, %t : {x}, {t} -> tensor<f32>", {"y": "tensor<f32>"}, "10")
check.finish()
