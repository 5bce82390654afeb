# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of the dialect and their gradients in NumPy, written by hand.

A function that takes x gives (y, pullback): pullback(dy) is the gradient of every
differentiable input, in the order of the inputs. Nothing here follows the compiler:
weights are formed whole, and the gradient of a core is the gradient of the whole
matrix between the product of the cores before it and that of the cores behind it.
"""

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


def tensor_train(cores, gates):
    """The full tensor of a train, flat, and its pullback."""
    gates = list(gates)
    scaled = [core * gate for core, gate in zip(cores, gates)] + [cores[-1]] if gates else cores
    left = [np.ones((1, 1))]  # left[k]: the product of the cores before k
    for core in scaled:
        product = np.tensordot(left[-1], core, axes=(1, 0))
        left.append(product.reshape(-1, core.shape[2]))
    right = [np.ones((1, 1))]  # right[k]: the product of the cores behind k
    for core in reversed(scaled):
        product = np.tensordot(core, right[0], axes=(2, 0))
        right.insert(0, product.reshape(core.shape[0], -1))
    right = right[1:]

    def pullback(dfull):
        dcores, dgates = [], []
        for k, core in enumerate(scaled):
            rows, mode, columns = left[k].shape[0], core.shape[1], right[k].shape[1]
            inner = left[k].T @ dfull.reshape(rows, mode * columns)
            dcore = (inner.reshape(-1, columns) @ right[k].T).reshape(-1, mode, right[k].shape[0])
            if gates and k < len(gates):
                dgates.append((dcore * cores[k]).sum(axis=(0, 1)))
                dcore = dcore * gates[k]
            dcores.append(dcore)
        return dcores, dgates

    return left[-1].reshape(-1), pullback


def affine(x, weight, bias=None):
    """x weight + bias; the pullback gives (dx, dweight, dbias)."""
    y = x @ weight if bias is None else x @ weight + bias

    def pullback(dy):
        flat_x, flat_dy = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
        return dy @ weight.T, flat_x.T @ flat_dy, flat_dy.sum(axis=0)

    return y, pullback


def tt_linear(x, cores, gates=(), bias=None):
    """The pullback gives (dx, dcores, dgates, dbias)."""
    flat, pull_weight = tensor_train(cores, gates)
    y, pull_affine = affine(x, flat.reshape(x.shape[-1], -1), bias)

    def pullback(dy):
        dx, dweight, dbias = pull_affine(dy)
        return dx, *pull_weight(dweight.reshape(-1)), dbias

    return y, pullback


def ttm_linear(x, cores, gates=(), bias=None):
    """A tensor train over pairs of modes, whose axes are then brought in order."""
    modes = [core.shape[1:3] for core in cores]
    joined = [core.reshape(core.shape[0], -1, core.shape[3]) for core in cores]
    flat, pull_weight = tensor_train(joined, gates)
    pairs = [extent for mode in modes for extent in mode]
    order = list(range(0, len(pairs), 2)) + list(range(1, len(pairs), 2))
    ordered = flat.reshape(pairs).transpose(order)
    y, pull_affine = affine(x, ordered.reshape(x.shape[-1], -1), bias)

    def pullback(dy):
        dx, dweight, dbias = pull_affine(dy)
        dflat = dweight.reshape(ordered.shape).transpose(np.argsort(order)).reshape(-1)
        dcores, dgates = pull_weight(dflat)
        return dx, [d.reshape(c.shape) for d, c in zip(dcores, cores)], dgates, dbias

    return y, pullback


def low_rank_linear(x, left, right, bias=None):
    hidden, pull_left = affine(x, left)
    y, pull_right = affine(hidden, right, bias)

    def pullback(dy):
        dhidden, dright, dbias = pull_right(dy)
        dx, dleft, _ = pull_left(dhidden)
        return dx, dleft, dright, dbias

    return y, pullback


def relu(x):
    return np.maximum(x, 0), lambda dy: dy * (x > 0)


def gelu(x):
    cumulative = (1 + erf(x / math.sqrt(2))) / 2
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return x * cumulative, lambda dy: dy * (cumulative + x * density)


def gelu_tanh(x):
    scale = math.sqrt(2 / math.pi)
    t = np.tanh(scale * (x + 0.044715 * x**3))
    slope = (1 + t) / 2 + x / 2 * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x)
    return x * (1 + t) / 2, lambda dy: dy * slope


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    y = e / e.sum(axis=-1, keepdims=True)
    return y, lambda dy: y * (dy - (y * dy).sum(axis=-1, keepdims=True))


def layer_norm(x, scale, shift, epsilon):
    """The pullback gives (dx, dscale, dshift)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    h = centred / deviation
    rows = tuple(range(x.ndim - 1))

    def pullback(dy):
        dh = dy * scale
        dx = dh - dh.mean(axis=-1, keepdims=True) - h * (dh * h).mean(axis=-1, keepdims=True)
        return dx / deviation, (dy * h).sum(axis=rows), dy.sum(axis=rows)

    return h * scale + shift, pullback


def mse(prediction, target):
    difference = prediction - target
    return (difference**2).mean(), lambda d: d * 2 * difference / difference.size


def cross_entropy(logits, labels, ignore=None):
    counted = np.ones(labels.shape, bool) if ignore is None else labels != ignore
    rows = max(counted.sum(), 1)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    total = np.exp(shifted).sum(axis=-1)
    safe = np.where(counted, labels, 0)[..., None]
    picked = np.take_along_axis(shifted, safe, axis=-1)[..., 0]
    loss = np.where(counted, np.log(total) - picked, 0).sum() / rows

    def pullback(d):
        gradient = np.exp(shifted) / total[..., None]
        np.put_along_axis(
            gradient, safe, np.take_along_axis(gradient, safe, axis=-1) - 1, axis=-1
        )
        return d * gradient * counted[..., None] / rows

    return loss, pullback
