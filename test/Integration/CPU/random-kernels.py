# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Compares random chains of contractions, casts and elementwise ops on f32 and f16
tensors, compiled, with NumPy, bit for bit.

All values are small whole numbers, so that every sum is exact in both types: what
differs was read too early, too late or from the wrong place. Kernels that take over
the ops around them, and buffers that are updated in place, can get that wrong.
"""

import numpy

from randomprograms import Drawing, finish, main

ROWS = [7, 12, 130]
COLUMNS = [5, 16, 20, 40]
TYPES = {"f32": numpy.float32, "f16": numpy.float16}
#: Factors of a contraction, and terms of an addition, are at most this large: 40
#: products and sums of sums stay far below 2048, from which on f16 has gaps.
FACTOR, TERM = 3, 400


def element(array):
    return "f16" if array.dtype == numpy.float16 else "f32"


def tensor(array):
    return "tensor<" + "".join(f"{extent}x" for extent in array.shape) + element(array) + ">"


def largest(array):
    return numpy.abs(array).max(initial=0)


class Function(Drawing):
    """Draws ops."""

    STEPS = ["contract"] * 4 + ["cast"] * 3 + ["clamp"] * 3 + ["negate", "add", "insert", "extract", "reshape", "slide", "slide"]

    def add_value(self, name, array):
        self.values.append((name, array))

    def pick(self, accept=lambda array: True):
        """A value that fits, one of the last four by preference."""
        fitting = [value for value in self.values if accept(value[1])]
        recent = fitting[-4:] if self.rng.random() < 0.7 else fitting
        return self.rng.choice(recent) if recent else None

    def contract(self):
        kind = self.rng.choice(["ik,kj->ij", "ik,jk->ij", "ki,kj->ij"])
        left = self.pick(lambda a: a.ndim == 2 and largest(a) <= FACTOR and a.shape[0 if kind[0] == "k" else 1] <= 40)
        if not left:
            return
        k = left[1].shape[0 if kind[0] == "k" else 1]
        right = self.pick(lambda a: a.ndim == 2 and largest(a) <= FACTOR and a.shape[0 if kind[3] == "k" else 1] == k)
        if not right:
            return
        a, b = left[1].astype(numpy.float32), right[1].astype(numpy.float32)
        want = numpy.einsum(kind, a, b).astype(self.rng.choice([numpy.float32, numpy.float16]))
        result = self.name()
        self.emit(f'{result} = cma.contract "{kind}" ({left[0]}, {right[0]}) : '
                  f"({tensor(left[1])}, {tensor(right[1])}) -> {tensor(want)}")
        self.add_value(result, want)

    def unary(self, text, function):
        name, a = self.pick()
        result, want = self.name(), function(a)
        self.emit(f"{result} = {text.format(name=name, source=tensor(a), target=tensor(want))}")
        self.add_value(result, want)

    def cast(self):
        target = self.rng.choice([numpy.float32, numpy.float16])
        self.unary("cma.cast {name} : {source} to {target}", lambda a: a.astype(target))

    def negate(self):
        self.unary("arith.negf {name} : {source}", numpy.negative)

    def clamp(self):
        name, a = self.pick()
        low, high, middle, result = (self.name() for _ in range(4))
        self.emit(f"{low} = arith.constant dense<{-FACTOR}.0> : {tensor(a)}")
        self.emit(f"{high} = arith.constant dense<{FACTOR}.0> : {tensor(a)}")
        self.emit(f"{middle} = arith.maximumf {name}, {low} : {tensor(a)}")
        self.emit(f"{result} = arith.minimumf {middle}, {high} : {tensor(a)}")
        self.add_value(result, numpy.clip(a, -FACTOR, FACTOR))

    def add(self):
        first = self.pick(lambda a: largest(a) <= TERM)
        second = first and self.pick(lambda a: largest(a) <= TERM and tensor(a) == tensor(first[1]))
        if not second:
            return
        result = self.name()
        self.emit(f"{result} = arith.addf {first[0]}, {second[0]} : {tensor(first[1])}")
        self.add_value(result, first[1] + second[1])

    def insert(self):
        into, a = self.pick(lambda array: array.ndim == 2)
        name, b = self.pick(lambda s: s.ndim == 2 and s.dtype == a.dtype and s.shape[0] <= a.shape[0] and s.shape[1] == a.shape[1])
        row = self.rng.randint(0, a.shape[0] - b.shape[0])
        result, want = self.name(), a.copy()
        want[row : row + b.shape[0]] = b
        self.emit(f"{result} = tensor.insert_slice {name} into {into}[{row}, 0] [{b.shape[0]}, {b.shape[1]}] [1, 1] "
                  f": {tensor(b)} into {tensor(a)}")
        self.add_value(result, want)

    def slide(self):
        """Rows go through a contraction and into the same tensor further down or up."""
        target = self.pick(lambda a: a.ndim == 2 and a.shape[0] > 2 and a.shape[1] <= 40 and largest(a) <= FACTOR)
        weights = target and self.pick(lambda a: a.shape == (target[1].shape[1],) * 2 and largest(a) <= FACTOR)
        if not weights:
            return
        (name, a), (weight, w) = target, weights
        rows = a.shape[0] - 2
        source, into = self.rng.choice([(0, 2), (2, 0), (1, 1), (0, 1)])
        part, product = a[source : source + rows], numpy.zeros((rows, a.shape[1]), a.dtype)
        cut, turned, sums, back, result = (self.name() for _ in range(5))
        self.emit(f"{cut} = tensor.extract_slice {name}[{source}, 0] [{rows}, {a.shape[1]}] [1, 1] "
                  f": {tensor(a)} to {tensor(part)}")
        self.emit(f"{turned} = arith.negf {cut} : {tensor(part)}")
        self.emit(f'{sums} = cma.contract "ik,kj->ij" ({turned}, {weight}) : '
                  f"({tensor(part)}, {tensor(w)}) -> {tensor(product)}")
        self.emit(f"{back} = arith.negf {sums} : {tensor(product)}")
        self.emit(f"{result} = tensor.insert_slice {back} into {name}[{into}, 0] [{rows}, {a.shape[1]}] [1, 1] "
                  f": {tensor(part)} into {tensor(a)}")
        want = a.copy()
        want[into : into + rows] = (part.astype(numpy.float32) @ w.astype(numpy.float32)).astype(a.dtype)
        self.add_value(result, want)

    def extract(self):
        name, a = self.pick(lambda array: array.ndim == 2)
        row = self.rng.randrange(a.shape[0] // 2 + 1)
        want = a[row : row + self.rng.choice([r for r in (5, 7, 12, a.shape[0]) if r <= a.shape[0] - row] or [1])]
        result = self.name()
        self.emit(f"{result} = tensor.extract_slice {name}[{row}, 0] [{want.shape[0]}, {want.shape[1]}] [1, 1] "
                  f": {tensor(a)} to {tensor(want)}")
        self.add_value(result, want.copy())

    def reshape(self):
        even = self.pick(lambda array: array.ndim == 2 and array.shape[1] % 2 == 0)
        if not even:
            return
        name, a = even
        wide, result = self.name(), self.name()
        split = a.reshape(a.shape[0], 2, -1)
        self.emit(f"{wide} = tensor.expand_shape {name} [[0], [1, 2]] output_shape {list(split.shape)} : "
                  f"{tensor(a)} into {tensor(split)}")
        joined = a.reshape(a.shape[0] * 2, -1)
        self.emit(f"{result} = tensor.collapse_shape {wide} [[0, 1], [2]] : {tensor(split)} into {tensor(joined)}")
        self.add_value(result, joined)


def draw_function(name, rng):
    """The text of a function, its inputs, and its results."""
    function = Function(rng)
    shapes = [(rng.choice(ROWS), rng.choice(COLUMNS))]
    # Most shapes share an extent with one before, so that products exist.
    for _ in range(rng.randint(2, 4)):
        known = rng.choice(shapes)
        shapes.append(rng.choice([known, (known[1],) * 2, (known[1], rng.choice(COLUMNS)), (rng.choice(ROWS), known[1])]))
    inputs = [numpy.array([rng.randint(-3, 3) for _ in range(rows * columns)], rng.choice(list(TYPES.values())))
              .reshape(rows, columns) for rows, columns in shapes]
    for i, array in enumerate(inputs):
        function.add_value(f"%a{i}", array)
    for _ in range(rng.randint(6, 18)):
        getattr(function, rng.choice(Function.STEPS))()
    return finish(name, function, inputs, tensor, extra=3)


if __name__ == "__main__":
    main(draw_function, __doc__, count=100)
