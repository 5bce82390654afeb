# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Ops on f16, bf16 and f8: computed in f32, rounded once.

A result lies between the roundings of the f64 result less and plus the error that
the computation in f32 may have. Arithmetic of one step is correctly rounded: bit for
bit.
"""

import math

import numpy

from lowfloat import FORMATS, TYPES, Runner, all_codes, round_to, tensor, wide

SEED = 20260930
LOW = ["f16", "bf16", "f8E4M3FN", "f8E5M2"]
run = Runner()
erf = numpy.vectorize(math.erf, otypes=[numpy.float64])


def check(name, kind, arguments, body, reference, error):
    """`error` is absolute, of the shape of the result."""
    types = [tensor(kind, a.shape) for a in arguments]
    got = run.call(f"{name}_{kind}", body.format(*types), arguments, [tensor(kind, reference.shape)])
    if not got:
        return
    row = FORMATS[kind]
    run.checks += got[0].size
    low, high = wide(round_to(reference - error, row)), wide(round_to(reference + error, row))
    value = wide(got[0])
    with numpy.errstate(invalid="ignore"):
        right = ((value >= low) & (value <= high)) | (numpy.isnan(value) & (numpy.isnan(low) | numpy.isnan(high)))
    for i in numpy.argwhere(~right)[:3]:
        i = tuple(i)
        run.fail(f"{name}_{kind} at {i}: expected {low[i]} to {high[i]}, got {value[i]}")


def elementwise(kind, rng):
    dtype = TYPES[kind]
    if dtype.itemsize == 1:
        x, y = (a.ravel() for a in numpy.meshgrid(all_codes(kind), all_codes(kind)))
    else:
        x, y = (rng.integers(0, 65536, 30001).astype(numpy.uint16).view(dtype) for _ in range(2))
    with numpy.errstate(all="ignore"):
        a, b = wide(x), wide(y)
        exact = {"addf": a + b, "subf": a - b, "mulf": a * b, "divf": a / b}
        # f64 is exact for sums and products but for the far ends of bf16.
        for op, value in exact.items():
            shape = tensor(kind, x.shape)
            got = run.call(f"{op}_{kind}", f"  %r0 = arith.{op} %0, %1 : {shape}", [x, y], [shape])
            if got:
                # By way of f32, which is what the op means.
                run.expect(f"{op}_{kind}", got[0], round_to(value.astype(numpy.float32), FORMATS[kind]), x)
        shape = tensor(kind, x.shape)
        got = run.call(f"relu_{kind}", f"  %r0 = cma.relu %0 : {shape}", [x], [shape])
        if got:
            run.expect(f"relu_{kind}", got[0], numpy.where(a < 0, 0, a).astype(dtype), x)


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


def activations(kind, rng):
    x = numpy.clip(rng.standard_normal((37, 21)) * 2, -6, 6).astype(TYPES[kind])
    a = wide(x)
    unit = 2.0**-24
    check("gelu", kind, [x], "  %r0 = cma.gelu %0 : {0}", gelu(a), 16 * unit * (1 + numpy.abs(a)))
    inner = math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)
    check("gelu_tanh", kind, [x], "  %r0 = cma.gelu %0 approximate(tanh) : {0}",
          a * (1 + numpy.tanh(inner)) / 2, 16 * unit * (1 + numpy.abs(a)))
    e = numpy.exp(a - a.max(-1, keepdims=True))
    soft = e / e.sum(-1, keepdims=True)
    check("softmax", kind, [x], "  %r0 = cma.softmax %0 : {0}", soft, 64 * unit * soft)
    g, s = (rng.standard_normal(21).astype(TYPES[kind]) for _ in range(2))
    normal = (a - a.mean(-1, keepdims=True)) / numpy.sqrt(a.var(-1, keepdims=True) + 1e-5)
    check("layer_norm", kind, [x, g, s], "  %r0 = cma.layer_norm %0 scale(%1) shift(%2) : {0} scale({1}) shift({2})",
          normal * wide(g) + wide(s), 64 * unit * (1 + numpy.abs(normal * wide(g)) + numpy.abs(wide(s))))


def moves(kind, rng):
    """Data movement keeps every bit but those of a NaN."""
    x = rng.integers(0, 256, (19, 13, TYPES[kind].itemsize)).astype(numpy.uint8).view(TYPES[kind])[..., 0]
    two, turned, wider = tensor(kind, (19, 13)), tensor(kind, (13, 19)), tensor(kind, (5, 13, 19))
    flat = tensor(kind, (247,))
    body = (f'  %r0 = cma.contract "ij->ji" (%0) : ({two}) -> {turned}\n'
            f'  %r1 = cma.broadcast "ij->bij" (%r0) : ({turned}) -> {wider}\n'
            f"  %r2 = tensor.collapse_shape %0 [[0, 1]] : {two} into {flat}")
    got = run.call(f"moves_{kind}", body, [x], [turned, wider, flat])
    if got:
        run.expect(f"transpose_{kind}", got[0], x.T)
        run.expect(f"broadcast_{kind}", got[1], numpy.broadcast_to(x.T, (5, 13, 19)))
        run.expect(f"reshape_{kind}", got[2], x.reshape(247))


def gradients(kind, rng):
    """The gradient of a sum of products of whole numbers is exact."""
    x = rng.integers(-3, 4, (7, 5)).astype(TYPES[kind])
    w = rng.integers(-3, 4, (5, 6)).astype(TYPES[kind])
    types = tensor(kind, x.shape), tensor(kind, w.shape)
    body = f'  %r0 = cma.contract "bi,ij->" (%0, %1) : ({types[0]}, {types[1]}) -> {tensor(kind)}'
    got = run.call(f"gradient_{kind}", body, [x, w], [tensor(kind)], "grad")
    if got:
        run.expect(f"grad_x_{kind}", got["grad.0"],
                   numpy.broadcast_to(wide(w).sum(1), x.shape).astype(TYPES[kind]))
        run.expect(f"grad_w_{kind}", got["grad.1"],
                   numpy.broadcast_to(wide(x).sum(0)[:, None], w.shape).astype(TYPES[kind]))


def integers():
    """Integers are rounded once, also where f32 or f64 would round them first."""
    values = [0, 1, -1, 2047, 2049, 2051, 65519, 65520, 16777217, 2**31 - 1, -(2**31)]
    values += [2**k + s * (2**(k - 8) + d) for k in range(20, 63) for s in (-1, 1) for d in (-1, 0, 1)]
    x = numpy.array(values, numpy.int64)
    body = (f"  %r0 = arith.sitofp %0 : {tensor('i64', x.shape)} to {tensor('bf16', x.shape)}\n"
            f"  %r1 = arith.sitofp %0 : {tensor('i64', x.shape)} to {tensor('f16', x.shape)}")
    got = run.call("integers", body, [x], [tensor("bf16", x.shape), tensor("f16", x.shape)])
    for target, value in zip(("bf16", "f16"), got or []):
        bits = FORMATS[target][2] + 1
        want = []
        for v in values:  # exact: halves go to the even neighbour
            drop = max(abs(v).bit_length() - bits, 0)
            unit, rest = divmod(abs(v), 1 << drop)
            unit += 2 * rest > 1 << drop or (2 * rest == 1 << drop and drop > 0 and unit % 2)
            want.append(math.copysign(float(unit) * 2.0**drop, v) if v else 0.0)
        run.expect(f"integers_{target}", value, round_to(numpy.array(want), FORMATS[target]), x)


print(f"seed {SEED}")
generator = numpy.random.default_rng(SEED)
for low in LOW:
    elementwise(low, generator)
    activations(low, generator)
    moves(low, generator)
    gradients(low, generator)
integers()
run.finish()
