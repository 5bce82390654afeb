# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Compares random functions on i32 tensors, compiled, with NumPy, bit for bit.

The functions mix what buffers can go wrong with: insertions, slices, reshapes,
sums that start from other values, loops that carry and swap tensors, results that
update arguments, are arguments, constants, or returned twice.
"""

import random

import numpy

from randomprograms import Drawing, finish, main

SHAPES = [(2, 3), (3, 3), (3, 2), (3,), (6,), (4, 3)]
ELEMENTWISE = {
    "addi": numpy.add,
    "subi": numpy.subtract,
    "muli": numpy.multiply,
    "maxsi": numpy.maximum,
}


def tensor(shape):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + "i32>"


def wrap(array):
    """Integers as 32-bit arithmetic leaves them."""
    return numpy.asarray(array).astype(numpy.int32)


class Function(Drawing):
    """Draws ops."""

    STEPS = (
        ["elementwise", "elementwise", "transpose", "matmul", "sum", "insert"]
        + ["extract", "concat", "loop", "broadcast", "reshape", "constant", "subtract"]
    )

    def add(self, name, array):
        self.values.append((name, wrap(array)))

    def pick(self, accept=lambda array: True):
        fitting = [value for value in self.values if accept(value[1])]
        return self.rng.choice(fitting) if fitting else None

    def pick_matrix(self, accept=lambda array: True):
        return self.pick(lambda array: array.ndim == 2 and accept(array))

    def empty(self, shape):
        name = self.name()
        self.emit(f"{name} = tensor.empty() : {tensor(shape)}")
        return name

    def zeros(self, shape):
        empty, zero, name = self.empty(shape), self.name(), self.name()
        self.emit(f"{zero} = arith.constant 0 : i32")
        self.emit(f"{name} = linalg.fill ins({zero} : i32) outs({empty} : {tensor(shape)}) -> {tensor(shape)}")
        return name

    def step(self, depth=0):
        kind = self.rng.choice(self.STEPS)
        if kind == "loop":
            if depth < 2:
                self.loop(depth)
            return
        getattr(self, kind)()

    def elementwise(self):
        name, a = self.pick()
        other, b = self.pick(lambda array: array.shape == a.shape)
        op = self.rng.choice(sorted(ELEMENTWISE))
        result = self.name()
        self.emit(f"{result} = arith.{op} {name}, {other} : {tensor(a.shape)}")
        self.add(result, ELEMENTWISE[op](a, b))

    def transpose(self):
        operand = self.pick_matrix()
        if not operand:
            return
        name, a = operand
        empty, result = self.empty(a.shape[::-1]), self.name()
        self.emit(
            f"{result} = linalg.transpose ins({name} : {tensor(a.shape)}) "
            f"outs({empty} : {tensor(a.shape[::-1])}) permutation = [1, 0]"
        )
        self.add(result, a.T.copy())

    def matmul(self):
        left = self.pick_matrix()
        right = left and self.pick_matrix(lambda array: array.shape[0] == left[1].shape[1])
        if not right:
            return
        shape = (left[1].shape[0], right[1].shape[1])
        start = None
        if self.rng.random() < 0.4:
            start = self.pick(lambda array: array.shape == shape)
        if not start:
            start = self.zeros(shape), numpy.zeros(shape, numpy.int32)
        result = self.name()
        self.emit(
            f"{result} = linalg.matmul ins({left[0]}, {right[0]} : {tensor(left[1].shape)}, "
            f"{tensor(right[1].shape)}) outs({start[0]} : {tensor(shape)}) -> {tensor(shape)}"
        )
        self.add(result, start[1] + left[1] @ right[1])

    def sum(self):
        operand = self.pick_matrix()
        if not operand:
            return
        name, a = operand
        start, result = self.zeros(a.shape[1:]), self.name()
        self.emit(
            f"{result} = linalg.reduce {{ arith.addi }} ins({name} : {tensor(a.shape)}) "
            f"outs({start} : {tensor(a.shape[1:])}) dimensions = [0]"
        )
        self.add(result, a.sum(0, dtype=numpy.int32))

    def broadcast(self):
        operand = self.pick(lambda array: array.ndim == 1)
        if not operand:
            return
        name, a = operand
        shape = (self.rng.choice([2, 3]),) + a.shape
        empty, result = self.empty(shape), self.name()
        self.emit(
            f"{result} = linalg.broadcast ins({name} : {tensor(a.shape)}) "
            f"outs({empty} : {tensor(shape)}) dimensions = [0]"
        )
        self.add(result, numpy.broadcast_to(a, shape))

    def extract(self):
        operand = self.pick_matrix(lambda array: array.shape[0] > 1)
        if not operand:
            return
        name, a = operand
        first = self.rng.randrange(a.shape[0])
        rows = self.rng.randint(1, a.shape[0] - first)
        result = self.name()
        self.emit(
            f"{result} = tensor.extract_slice {name}[{first}, 0] [{rows}, {a.shape[1]}] [1, 1] "
            f": {tensor(a.shape)} to {tensor((rows, a.shape[1]))}"
        )
        self.add(result, a[first : first + rows].copy())

    def insert(self):
        target = self.pick_matrix()
        if not target:
            return
        into, a = target
        name, b = self.pick_matrix(lambda array: array.shape[0] <= a.shape[0] and array.shape[1] <= a.shape[1])
        row = self.rng.randint(0, a.shape[0] - b.shape[0])
        column = self.rng.randint(0, a.shape[1] - b.shape[1])
        result = self.name()
        self.emit(
            f"{result} = tensor.insert_slice {name} into {into}[{row}, {column}] "
            f"[{b.shape[0]}, {b.shape[1]}] [1, 1] : {tensor(b.shape)} into {tensor(a.shape)}"
        )
        inserted = a.copy()
        inserted[row : row + b.shape[0], column : column + b.shape[1]] = b
        self.add(result, inserted)

    def concat(self):
        first = self.pick_matrix(lambda array: array.shape[0] < 5)
        second = first and self.pick_matrix(lambda array: array.shape[0] < 5 and array.shape[1] == first[1].shape[1])
        if not second:
            return
        joined = numpy.concatenate([first[1], second[1]], 0)
        result = self.name()
        self.emit(
            f"{result} = tensor.concat dim(0) {first[0]}, {second[0]} : ({tensor(first[1].shape)}, "
            f"{tensor(second[1].shape)}) -> {tensor(joined.shape)}"
        )
        self.add(result, joined)

    def reshape(self):
        operand = self.pick_matrix()
        if not operand:
            return
        name, a = operand
        flat, shape = self.name(), a.shape[::-1]
        self.emit(f"{flat} = tensor.collapse_shape {name} [[0, 1]] : {tensor(a.shape)} into {tensor((a.size,))}")
        if self.rng.random() < 0.5:
            self.add(flat, a.reshape(-1))
            return
        result = self.name()
        self.emit(
            f"{result} = tensor.expand_shape {flat} [[0, 1]] output_shape [{shape[0]}, {shape[1]}] "
            f": {tensor((a.size,))} into {tensor(shape)}"
        )
        self.add(result, a.reshape(shape))

    def constant(self):
        shape = self.rng.choice([(2, 3), (3, 3), (3, 2)])
        value, result = self.rng.randint(-2, 2), self.name()
        array = numpy.full(shape, value, numpy.int32)
        text = str(value)
        if self.rng.random() < 0.5:
            array = numpy.arange(array.size, dtype=numpy.int32).reshape(shape) - value
            text = str(array.tolist())
        self.emit(f"{result} = arith.constant dense<{text}> : {tensor(shape)}")
        self.add(result, array)

    def subtract(self):
        """An elementwise op that reads its destination."""
        name, a = self.pick()
        into, b = self.pick(lambda array: array.shape == a.shape)
        result, axes = self.name(), ", ".join(f"d{i}" for i in range(a.ndim))
        identity = f"affine_map<({axes}) -> ({axes})>"
        parallel = ", ".join(['"parallel"'] * a.ndim)
        self.emit(
            f"{result} = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{parallel}]}} "
            f"ins({name} : {tensor(a.shape)}) outs({into} : {tensor(a.shape)}) {{"
        )
        self.emit("^bb0(%in: i32, %out: i32):")
        self.emit("  %s = arith.subi %out, %in : i32")
        self.emit("  linalg.yield %s : i32")
        self.emit(f"}} -> {tensor(a.shape)}")
        self.add(result, b - a)

    def loop(self, depth):
        """The body is drawn again, from one seed, for each iteration's values."""
        carried = [self.pick() for _ in range(self.rng.randint(1, 3))]
        trips, steps = self.rng.randint(0, 3), self.rng.randint(1, 4)
        seed, label = self.rng.randrange(2**30), self.name()[1:]
        names = [f"%{label}_{i}" for i in range(len(carried))]
        outer = self.rng, self.lines, self.values, self.count

        def draw(arrays):
            self.rng, self.lines, self.count = random.Random(seed), [], outer[3]
            self.values = outer[2] + list(zip(names, arrays))
            for _ in range(steps):
                self.step(depth + 1)
            return [self.pick(lambda a, like=array: a.shape == like.shape) for array in arrays]

        arrays = [array for _, array in carried]
        yielded = draw(arrays)
        for trip in range(trips):
            if trip:
                yielded = draw(arrays)
            arrays = [array for _, array in yielded]
        body, count = self.lines, self.count
        self.rng, self.lines, self.values, _ = outer
        self.count = count

        types = ", ".join(tensor(array.shape) for array in arrays)
        starts = ", ".join(f"{name} = {value}" for name, (value, _) in zip(names, carried))
        for suffix, value in (("from", 0), ("to", trips), ("by", 1)):
            self.emit(f"%{label}_{suffix} = arith.constant {value} : index")
        self.emit(
            f"%{label}_r:{len(names)} = scf.for %{label}_i = %{label}_from to %{label}_to step %{label}_by "
            f"iter_args({starts}) -> ({types}) {{"
        )
        self.lines += body
        self.emit(f"scf.yield {', '.join(name for name, _ in yielded)} : {types}")
        self.emit("}")
        for i, array in enumerate(arrays):
            self.add(f"%{label}_r#{i}", array)


def draw_function(name, rng):
    """The text of a function, its inputs, and its results."""
    function = Function(rng)
    inputs = [wrap(numpy.array([rng.randint(-3, 3) for _ in range(int(numpy.prod(shape)))]).reshape(shape))
              for shape in (rng.choice(SHAPES) for _ in range(rng.randint(2, 5)))]
    for i, array in enumerate(inputs):
        function.add(f"%a{i}", array)
    for _ in range(rng.randint(2, 12)):
        function.step()
    return finish(name, function, inputs, lambda array: tensor(array.shape), extra=4)


if __name__ == "__main__":
    main(draw_function, __doc__, count=60)
