# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""AdamW, clipping and unscaling against NumPy in extended precision."""

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()


def run_adamw(shape, dtype, step, beta1, beta2, epsilon, decay):
    """Error 16 units of |p| + the step's size (moments: of their terms)."""
    name = "adamw_" + "x".join(map(str, shape)) + f"_{dtype}_{step}_{beta1}_{decay}".replace(".", "")
    inputs = {key: check.normal(shape, dtype) for key in ("p", "g", "m", "v")}
    inputs["v"] = numpy.asarray(numpy.square(inputs["v"]))
    inputs["lr"] = numpy.array(0.1, "float32")
    inputs["t"] = numpy.array(step, "int64")
    attributes = (f"{{{{beta1 = {beta1} : f64, beta2 = {beta2} : f64, "
                  f"epsilon = {epsilon:.17e} : f64, weight_decay = {decay} : f64}}}}")
    got = check.run(name, inputs,
                    f"%q, %n, %s = cma.adamw %p, %g, %lr, %t moments(%m, %v) {attributes} : {{p}}, {{lr}}",
                    {"q": "{p}", "n": "{p}", "s": "{p}"})
    if not got:
        return
    p, g, m, v, lr = (wide(inputs[key]) for key in ("p", "g", "m", "v", "lr"))
    t = numpy.longdouble(step + 1)
    b1, b2 = numpy.longdouble(beta1), numpy.longdouble(beta2)
    first = b1 * m + (1 - b1) * g
    second = b2 * v + (1 - b2) * g * g
    moved = first / (1 - b1**t) / (numpy.sqrt(second / (1 - b2**t)) + epsilon)
    unit = EPSILON[dtype]
    terms = b1 * numpy.abs(m) + (1 - b1) * numpy.abs(g)
    check.close(name + " first", got["n"], first, 4 * unit * terms)
    check.close(name + " second", got["s"], second, 4 * unit * second)
    # What cancels in the first moment stays in the step.
    size = numpy.abs(p) + lr * (terms / (1 - b1**t) / (numpy.sqrt(second / (1 - b2**t)) + epsilon)
                                + decay * numpy.abs(p))
    check.close(name + " parameter", got["q"], p - lr * (moved + decay * p), 16 * unit * size)


def run_clip(shapes, dtype, maximum, scale):
    """Error 4 units of each element; the norm 2 units."""
    name = f"clip_{'_'.join('x'.join(map(str, s)) for s in shapes)}_{dtype}_{maximum}_{scale}".replace(".", "").replace("-", "m").replace("+", "")
    inputs = {f"g{i}": check.normal(shape, dtype, scale) for i, shape in enumerate(shapes)}
    names = ", ".join("%" + key for key in inputs)
    types = ", ".join("{" + key + "}" for key in inputs)
    norm_type = "tensor<f64>" if dtype == "float64" else "tensor<f32>"
    results = ", ".join(f"%c{i}" for i in range(len(shapes)))
    got = check.run(name, inputs,
                    f"{results}, %n = cma.clip_by_global_norm ({names}) {{{{max_norm = {maximum} : f64}}}} : {types}",
                    {**{f"c{i}": f"{{g{i}}}" for i in range(len(shapes))}, "n": norm_type})
    if not got:
        return
    norm = numpy.sqrt(sum(numpy.sum(numpy.square(wide(g))) for g in inputs.values()))
    factor = min(numpy.longdouble(1), maximum / (norm + numpy.longdouble(1e-6)))
    unit = EPSILON[dtype]
    check.close(name + " norm", got["n"], norm, 2 * unit * norm)
    for i, g in enumerate(inputs.values()):
        check.close(f"{name} {i}", got[f"c{i}"], wide(g) * factor, 4 * unit * numpy.abs(g) * factor)
    if factor == 1:
        for i, g in enumerate(inputs.values()):
            check.equal(f"{name} {i} unchanged", got[f"c{i}"], g)


def run_unscale(shape, dtype, scale):
    """Exact where the scale is a power of two; else 2 units."""
    name = f"unscale_{'x'.join(map(str, shape))}_{dtype}_{scale}".replace(".", "").replace("-", "m").replace("+", "")
    inputs = {"g": check.normal(shape, dtype, 100.0), "s": numpy.array(scale, "float32")}
    got = check.run(name, inputs, "%u, %f = cma.unscale %s (%g) : {s}, {g}",
                    {"u": "{g}", "f": "tensor<i1>"})
    if not got:
        return
    exact = float(numpy.log2(scale)).is_integer()
    want = wide(inputs["g"]) / wide(inputs["s"])
    bound = 0 if exact else 2 * EPSILON[dtype] * numpy.abs(want)
    check.close(name, got["u"], want, bound)
    check.equal(name + " overflow", got["f"], numpy.array(False))


for element in ("float32", "float64"):
    for extents in ((), (7,), (33, 20), (0, 3)):
        run_adamw(extents, element, 0, 0.9, 0.999, 1e-8, 0.01)
    run_adamw((129,), element, 5, 0.9, 0.999, 1e-8, 0.0)
    run_adamw((129,), element, 100000, 0.9, 0.95, 1e-6, 0.1)
    run_adamw((65,), element, 2, 0.0, 0.0, 1e-3, 0.0)
    for bound in (1.0, 1e6):
        run_clip([(5,)], element, bound, 3.0)
        run_clip([(8, 9), (), (4, 3, 300), (0, 2)], element, bound, 3.0)
    # Rows that threads share; squares beyond the range of f32.
    run_clip([(40, 1030), (2000, 9)], element, 0.5, 1e30)
    for size in ((), (129,), (40, 1030)):
        run_unscale(size, element, 4096.0)
        run_unscale(size, element, 1000.0)
check.finish()
