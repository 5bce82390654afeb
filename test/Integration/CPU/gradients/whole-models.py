# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: %python %s --tools %cma_tools_dir --inputs %S/Inputs --work %t
"""Compares the loss and all gradients of whole models with NumPy.

The NumPy side knows no contraction order and no derivative rule of CMA: it forms
the dense matrix of each layer, goes backwards by hand, and takes the gradients of
the cores from that of the matrix. Models are checked in f64 (by cma-retype), where
both sides must agree to rounding, and in f32 as they stand.
"""

import argparse
import math
import os
import subprocess

import numpy
from safetensors.numpy import load_file, save_file

SEED = 20261130
BATCH = 7


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f"{command}:\n{result.stderr}"
    return result.stdout


# Layers: each forward returns its value and a function from the cotangent of the
# value to those of the arguments.


def dense(x, w, bias=None):
    y = x @ w if bias is None else x @ w + bias
    return y, lambda dy: (dy @ w.T, x.T @ dy, dy.sum(0))


def train_matrix(equation, shape, factors):
    """The dense matrix of a layer, and the gradients of its factors."""
    operands, result = equation.split("->")
    operands = operands.split(",")
    w = numpy.einsum(equation, *factors).reshape(shape)
    axes = numpy.einsum(equation, *factors).shape

    def pull(dw):
        gradients = []
        for i, labels in enumerate(operands):
            others = operands[:i] + operands[i + 1 :]
            values = factors[:i] + factors[i + 1 :]
            back = ",".join([result] + others) + "->" + labels
            gradients.append(numpy.einsum(back, dw.reshape(axes), *values))
        return gradients

    return w, pull


def gelu(x):
    erf = numpy.vectorize(math.erf, otypes=[x.dtype])
    cdf = 0.5 * (1 + erf(x / math.sqrt(2)))
    density = numpy.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return x * cdf, lambda dy: dy * (cdf + x * density)


def layer_norm(x, scale, shift, epsilon=1e-5):
    mean = x.mean(-1, keepdims=True)
    sigma = numpy.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + epsilon)
    h = (x - mean) / sigma
    n = x.shape[-1]
    # The Jacobian of one row, written out.
    jacobian = (
        numpy.eye(n) - 1 / n - h[:, :, None] * h[:, None, :] / n
    ) / sigma[:, :, None]

    def pull(dy):
        dx = numpy.einsum("bij,bi->bj", jacobian, dy * scale)
        return dx, (dy * h).sum(0), dy.sum(0)

    return h * scale + shift, pull


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    y = e / e.sum(-1, keepdims=True)
    jacobian = y[:, :, None] * numpy.eye(x.shape[-1]) - y[:, :, None] * y[:, None, :]
    return y, lambda dy: numpy.einsum("bij,bi->bj", jacobian, dy)


def cross_entropy(logits, labels, ignore):
    p, _ = softmax(logits)
    rows = numpy.flatnonzero(labels != ignore)
    loss = -numpy.log(p[rows, labels[rows]]).mean()
    dlogits = numpy.zeros_like(p)
    dlogits[rows] = p[rows]
    dlogits[rows, labels[rows]] -= 1
    return loss, dlogits / len(rows)


# Models: inputs by name to the loss and the gradients of the parameters.


def classifier(v):
    first = ["a0", "d0", "a1", "d1", "a2", "d2", "a3"]
    w1, pull1 = train_matrix(
        "zia,a,ajb,b,bkc,c,clw->zijklw", (12, 8), [v[name] for name in first]
    )
    second = ["b0", "b1", "b2"]
    w2, pull2 = train_matrix(
        "zia,ajb,bkw->zijkw", (8, 5), [v[name] for name in second]
    )
    h1, back1 = dense(v["x"], w1, v["a"])
    h2, back2 = gelu(h1)
    h3, back3 = layer_norm(h2, v["g"], v["s"])
    h4, back4 = dense(h3, w2, v["b"])
    loss, d4 = cross_entropy(h4, v["t"], ignore=-1)
    d3, dw2, db = back4(d4)
    d2, dg, ds = back3(d3)
    _, dw1, da = back1(back2(d2))
    gradients = {"a": da, "g": dg, "s": ds, "b": db}
    gradients.update(zip(first, pull1(dw1)))
    gradients.update(zip(second, pull2(dw2)))
    return loss, gradients


def regression(v):
    names = ["m0", "d", "m1"]
    w, pull = train_matrix(
        "zija,a,aklw->zikjlw", (6, 6), [v[name] for name in names]
    )
    h1, back1 = dense(v["x"], w)
    t1 = numpy.tanh(h1)
    x1 = v["x"] + t1
    h2, back2 = dense(x1, w)
    t2 = numpy.tanh(h2)
    x2 = x1 + t2
    h3, back3 = dense(x2, v["u"] @ v["v"])
    p, back4 = softmax(h3)
    product = p * x2
    r = numpy.maximum(product, 0)
    out, back5 = dense(r, v["w"], v["b"])
    error = out - v["y"]
    dr, dw_head, db = back5(2 * error / error.size)
    dproduct = numpy.where(product > 0, dr, 0)
    dx2, dlow, _ = back3(back4(dproduct * x2))
    dx2 = dx2 + dproduct * p
    dx1, dw2, _ = back2(dx2 * (1 - t2 * t2))
    dx1 = dx1 + dx2
    _, dw1, _ = back1(dx1 * (1 - t1 * t1))
    gradients = {"w": dw_head, "b": db, "u": dlow @ v["v"].T, "v": v["u"].T @ dlow}
    gradients.update(zip(names, pull(dw1 + dw2)))
    return (error**2).mean(), gradients


CLASSIFIER = dict(
    x=(BATCH, 12), a0=(1, 3, 2), a1=(2, 4, 3), a2=(3, 2, 2), a3=(2, 4, 1),
    d0=(2,), d1=(3,), d2=(2,), a=(8,), g=(8,), s=(8,), b0=(1, 4, 2),
    b1=(2, 2, 3), b2=(3, 5, 1), b=(5,),
)  # fmt: skip
REGRESSION = dict(
    x=(BATCH, 6), y=(BATCH, 2), m0=(1, 2, 3, 3), m1=(3, 3, 2, 1), d=(3,),
    u=(6, 2), v=(2, 6), w=(6, 2), b=(2,),
)  # fmt: skip


def compare(name, got, want, bound):
    error = numpy.abs(got - want).max()
    limit = bound * max(1.0, numpy.abs(want).max())
    assert got.shape == want.shape, (name, got.shape, want.shape)
    assert error <= limit, f"{name}: error {error}, bound {limit}"
    return error / limit


def check(args, model, shapes, dtype, bound):
    rng = numpy.random.default_rng(SEED)
    inputs = {
        name: rng.uniform(-1, 1, shape).astype(dtype)
        for name, shape in shapes.items()
    }
    if model is classifier:
        inputs["t"] = numpy.array([0, -1, 2, 4, -1, 3, 1], dtype=numpy.int64)
    path = os.path.join(args.inputs, model.__name__ + ".mlir")
    if dtype == numpy.float64:
        text = run(os.path.join(args.tools, "cma-opt"), path, "--cma-retype")
        path = os.path.join(args.work, model.__name__ + ".f64.mlir")
        with open(path, "w") as file:
            file.write(text)
    given = os.path.join(args.work, "inputs.safetensors")
    made = os.path.join(args.work, "outputs.safetensors")
    save_file(inputs, given)
    tool = os.path.join(args.tools, "cma-run")
    run(tool, "grad", path, "--inputs", given, "--outputs", made)
    outputs = load_file(made)

    wide = {
        name: value.astype(numpy.float64) if value.dtype == dtype else value
        for name, value in inputs.items()
    }
    loss, gradients = model(wide)
    names = {name for name in outputs if name.startswith("grad.")}
    assert names == {"grad." + name for name in gradients}, names
    worst = compare("loss", outputs["0"], numpy.asarray(loss), bound)
    for name, want in gradients.items():
        got = outputs["grad." + name]
        assert got.dtype == dtype, (name, got.dtype)
        worst = max(worst, compare(name, got, want, bound))
    print(f"{model.__name__} {numpy.dtype(dtype)}: {worst:.3f} of the bound {bound}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--inputs", required=True)
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    print("seed", SEED)
    for model, shapes in ((classifier, CLASSIFIER), (regression, REGRESSION)):
        check(args, model, shapes, numpy.float64, 1e-13)
        check(args, model, shapes, numpy.float32, 1e-6)


main()
