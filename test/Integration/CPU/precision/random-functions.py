# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --cma-opt %cma_tools_dir/cma-opt --work %t
"""Random functions in random precisions compute what their report says.

Functions mix loops, branches, bodies of tensor.generate and tensor.pad, f64, casts and
annotations, legal and illegal ones; each gets a policy, a solver and lists. Either the
passes refuse it and say why, or the compiled function runs, and so does the text here:
each op reads and writes the types that the JSON report names, in intervals that are
points where an op is exact. Every result must lie in its interval.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys

import numpy

from lowfloat import FORMATS, TF32, TYPES, load, round_to, save, tensor, wide

LOW = ["f16", "bf16", "f8E4M3FN", "f8E5M2"]
SHAPES = [(3, 3)] * 3 + [(2, 3), (3, 2), (3,), (6,), ()]
REFUSALS = ["expected 'cma.precision'", "expected 'accumulate' of 'cma.precision'",
            "expected 'cma.result_types'", "expected no list to ask for",
            "which the body adds to, to be f32 or wider", "expected a value to be computed in one type"]
LISTED = ["cma.contract", "arith.addf", "arith.mulf", "cma.gelu", "math.exp", "tensor.pad", "tensor.generate",
          "arith.select", "tensor.concat", "cma.softmax", "math.tanh"]

# ---------------------------------------------------------------------------
# Intervals: (low, high, type in which the value is stored)
# ---------------------------------------------------------------------------


def convert(interval, kind):
    """The rounding of a cast: to the nearest, f8 saturates."""
    low, high, stored = interval
    if stored == kind:
        return interval
    if (stored, kind) == ("f64", "tf32"):
        low, high, _ = convert(interval, "f32")
    row = TF32 if kind == "tf32" else FORMATS[kind]
    overflow = "saturate" if kind.startswith("f8") else "ieee"
    low, high = (wide(round_to(x, row, overflow=overflow)) for x in (low, high))
    return low, high, "f32" if kind == "tf32" else kind


def ends(function):
    """The rule of a function that rises with each operand."""
    return lambda *values: tuple(function(*[v[i] for v in values]) for i in (0, 1))


def outward(pair, relative, absolute=0.0):
    return tuple(x + sign * (numpy.abs(x) * relative + absolute) for x, sign in zip(pair, (-1, 1)))


def near(rule, relative=2.0**-17, absolute=2.0**-18):
    """What an approximation in f32 may give."""
    return lambda *values: outward(rule(*values), relative, absolute)


def product(a, b):
    corners = [x * y for x in a[:2] for y in b[:2]]
    return numpy.minimum.reduce(corners), numpy.maximum.reduce(corners)


def magnitude(a):
    return numpy.maximum(numpy.abs(a[0]), numpy.abs(a[1]))


def size(a):
    inside = (a[0] <= 0) & (a[1] >= 0)
    return numpy.where(inside, 0.0, numpy.minimum(numpy.abs(a[0]), numpy.abs(a[1]))), magnitude(a)


def contract(equation):
    """Products, summed in any order."""
    operands, result = equation.split("->")
    labels = "".join(dict.fromkeys(operands.replace(",", "")))

    def rule(*values):
        pair = values[0][:2]
        if len(values) == 2:
            ones = [numpy.ones(v[0].shape) for v in values]
            left = [numpy.einsum(f"{operands}->{labels}", x, ones[1]) for x in values[0][:2]]
            right = [numpy.einsum(f"{operands}->{labels}", ones[0], x) for x in values[1][:2]]
            pair = product(left, right)
        source = labels if len(values) == 2 else operands
        pair = [numpy.einsum(f"{source}->{result}", x) for x in pair]
        if set(result) == set(labels):
            return tuple(pair)
        return outward(pair, 0.0, numpy.einsum(equation, *[magnitude(v) for v in values]) * 2.0**-19)

    return rule


def softmax(a):
    low, high = numpy.exp(a[0]), numpy.exp(a[1])
    return low / (low + high.sum(-1, keepdims=True) - high), high / (high + low.sum(-1, keepdims=True) - low)


def gelu(a):
    low, high = ([0.5 * x * math.erfc(-x / math.sqrt(2)) for x in numpy.ravel(end).tolist()] for end in a[:2])
    low, high = (numpy.reshape(x, a[0].shape) for x in (numpy.minimum(low, high), numpy.maximum(low, high)))
    return numpy.where((a[0] < -0.75) & (a[1] > -0.755), numpy.minimum(low, -0.17), low), high


def root(a):
    return tuple(numpy.where(a[0] < 0, numpy.nan, numpy.sqrt(end)) for end in a[:2])


def quotient(a, b):
    unknown = (b[0] <= 0) & (b[1] >= 0)
    return tuple(numpy.where(unknown, numpy.nan, end) for end in product(a, (1 / b[1], 1 / b[0])))


def mean_square(a, b):
    return tuple(numpy.mean(end * end) for end in size((a[0] - b[1], a[1] - b[0])))


def layer_norm(a):
    """Only of points: how far an interval goes, the variance decides."""
    mean, variance = a[0].mean(-1, keepdims=True), a[0].var(-1, keepdims=True)
    known = (a[0] == a[1]).all(-1, keepdims=True) & (variance > 0.05)
    value = (a[0] - mean) / numpy.sqrt(variance + 1e-5)
    return tuple(numpy.where(known, value, end) for end in (-numpy.inf, numpy.inf))


def select(a, b, c, d):
    """c where a < b, else d; either where that is not known."""
    yes, no = a[1] < b[0], a[0] >= b[1]
    return tuple(numpy.where(yes, c[i], numpy.where(no, d[i], pick(c[i], d[i])))
                 for i, pick in enumerate((numpy.minimum, numpy.maximum)))


UNARY = {
    "arith.negf": lambda a: (-a[1], -a[0]),
    "math.absf": size,
    "cma.relu": ends(lambda x: numpy.maximum(x, 0.0)),
    "cma.gelu": near(gelu),
    "math.tanh": near(ends(numpy.tanh)),
    "math.exp": near(ends(numpy.exp)),
    "math.floor": ends(numpy.floor),
    "cma.softmax": near(softmax),
    "cma.layer_norm": near(layer_norm, absolute=2.0**-14),
    "math.sqrt": near(root),
}
BINARY = {
    "arith.addf": ends(numpy.add),
    "arith.subf": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "arith.mulf": product,
    "arith.divf": lambda a, b: outward(quotient(a, b), 2.0**-50),
    "arith.maximumf": ends(numpy.maximum),
    "arith.minimumf": ends(numpy.minimum),
}
EXACT = {"arith.negf", "math.absf", "cma.relu", "math.floor", "arith.maximumf", "arith.minimumf"}

# ---------------------------------------------------------------------------
# Functions
# ---------------------------------------------------------------------------


class Value:
    def __init__(self, name, shape, written):
        self.name, self.shape, self.written = name, shape, written

    @property
    def type(self):
        return tensor(self.written, self.shape)


class Node:
    """An op: `rows` are the results that the report names."""

    def __init__(self, op, run, results=(), rows=None, children=()):
        self.op, self.run, self.results, self.children = op, run, results, children
        self.rows = list(results) if rows is None else rows
        self.types = []

    def assign(self, report):
        """Takes the rows of the report in program order."""
        for value in self.rows:
            row = next(report)
            if row["op"] != self.op:
                raise ValueError(f"expected the report to name {self.op} for {value.name}, got {row}")
            self.types.append((row["operand_type"], row["type"]))
        for child in self.children:
            child.assign(report)


def compute(operands, result, rule, is_exact):
    """An op of tensors: reads, computes in f32 (f64 for f64), rounds once."""

    def run(node, env):
        reads, writes = node.types[0]
        values = [convert(env[v.name], reads if v.written == "f32" else v.written) for v in operands]
        low, high = rule(*values)
        kind = writes if result.written == "f32" else result.written
        if not is_exact and kind != "f64":
            low, high = (wide(round_to(x, FORMATS["f32"])) for x in outward((low, high), 2.0**-50))
        elif not is_exact:
            low, high = outward((low, high), 2.0**-50)
        env[result.name] = convert((low, high, None), kind)

    return run


class Function:
    def __init__(self, rng):
        self.rng, self.count = rng, 0
        self.lines, self.nodes, self.values = [], [], []
        self.wild = rng.random() < 0.3
        self.annotates = rng.choice([0.0, 0.15, 0.4])

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)

    def pick(self, accept=lambda value: True):
        fitting = [value for value in self.values if accept(value)]
        return self.rng.choice(fitting[-8:] if self.rng.random() < 0.6 else fitting) if fitting else None

    def pick_f32(self, accept=lambda value: True):
        return self.pick(lambda value: value.written == "f32" and accept(value))

    def precision(self, kinds=("f16", "bf16", "f8E4M3FN", "f8E5M2", "f32", "f64"), free=False):
        """An annotation, perhaps, as an element of a dictionary."""
        rng = self.rng
        if rng.random() >= self.annotates:
            return ""
        if self.wild:
            kinds, free = [*FORMATS, "tf32"], rng.random() < 0.5
        text = rng.choice(kinds)
        if free and rng.random() < 0.3:
            text += ", accumulate = f64"
        if free and rng.random() < 0.5:
            text += f", result = {rng.choice(['f16', 'bf16', 'f32', 'f8E5M2'] + ['f64'] * self.wild)}"
        return f"cma.precision = #cma.precision<{text}>"

    def attributes(self, *parts, **kinds):
        parts = [part for part in (*parts, self.precision(**kinds)) if part]
        return f" {{{', '.join(parts)}}}" if parts else ""

    def add(self, op, operands, shape, rule, text, is_exact=True, written=None, **kinds):
        """An op of one result; `text` takes its attributes."""
        result = Value(self.name(), shape, written or operands[0].written)
        if result.written != "f32" and not self.wild:
            kinds = {"kinds": (result.written,)}
        self.emit(f"{result.name} = {text(self.attributes(**kinds), result)}")
        self.nodes.append(Node(op, compute(operands, result, rule, is_exact), (result,)))
        self.values.append(result)
        return result

    def step(self, depth=0):
        kind = self.rng.choice(STEPS)
        if kind in ("loop", "branch") and depth >= 2:
            return
        getattr(self, kind)(*([depth] if kind in ("loop", "branch") else []))

    # Ops that compute.

    def unary(self):
        a = self.pick()
        op = self.rng.choice(sorted(UNARY))
        if op in ("cma.softmax", "cma.layer_norm") and not a.shape:
            return
        self.add(op, [a], a.shape, UNARY[op], lambda attrs, _: f"{op} {a.name}{attrs} : {a.type}", op in EXACT)

    def binary(self):
        a = self.pick()
        b = self.pick(lambda v: v.shape == a.shape and v.written == a.written)
        op = self.rng.choice(sorted(BINARY))
        self.add(op, [a, b], a.shape, BINARY[op],
                 lambda attrs, _: f"{op} {a.name}, {b.name}{attrs} : {a.type}", op in EXACT)

    def contract(self):
        equations = {2: ["ij,jk->ik", "ij,kj->ik", "ij,jk->", "ij,ij->ij", "ij,ik->jk"], 1: ["i,ij->j", "i,i->", "i,j->ij"]}
        a = self.pick_f32(lambda v: v.shape)
        equation = self.rng.choice(equations[len(a.shape)])
        left, right = equation.split("->")[0].split(",")
        sizes = dict(zip(left, a.shape))

        def fits(v):
            return len(v.shape) == len(right) and all(sizes.get(c, n) == n for c, n in zip(right, v.shape))

        b = self.pick_f32(fits)
        if not b:
            return
        sizes.update(zip(right, b.shape))
        shape = tuple(sizes[c] for c in equation.split("->")[1])
        self.add("cma.contract", [a, b], shape, contract(equation), lambda attrs, r:
                 f'cma.contract "{equation}" ({a.name}, {b.name}){attrs[:-1] + ", planned}" if attrs else " {planned}"}'
                 f" : ({a.type}, {b.type}) -> {r.type}", False, kinds=[*LOW, "f32", "tf32"], free=True)

    def sum(self):
        a = self.pick_f32(lambda v: len(v.shape) == 2)
        if not a:
            return
        equation = self.rng.choice(["ij->ji", "ij->i", "ij->j", "ij->"])
        sizes = dict(zip("ij", a.shape))
        free = equation != "ij->ji"
        self.add("cma.contract", [a], tuple(sizes[c] for c in equation[4:]), contract(equation), lambda attrs, r:
                 f'cma.contract "{equation}" ({a.name}){attrs} : ({a.type}) -> {r.type}', not free,
                 kinds=[*LOW, "f32"], free=free)

    def loss(self):
        a = self.pick_f32(lambda v: v.shape)
        b = self.pick_f32(lambda v: v.shape == a.shape)
        self.add("cma.mse", [a, b], (), near(mean_square), lambda attrs, r:
                 f"cma.mse {a.name}, {b.name}{attrs} : {a.type} -> {r.type}", False, kinds=("f32", "f64"))

    def choose(self):
        a = self.pick_f32()
        b, c, d = [self.pick_f32(lambda v: v.shape == a.shape) for _ in range(3)]
        mask, i1 = self.name(), tensor("i1", a.shape)
        annotation = self.attributes()
        self.emit(f"{mask} = arith.cmpf olt, {a.name}, {b.name}{annotation} : {a.type}")
        compared = [k for k in FORMATS if f"<{k}" in annotation] or ["f32", self.low]

        def rule(c, d, env):
            choices = []
            for kind in compared:
                pair = [convert(env[v.name], kind) for v in (a, b)]
                choices.append(select(*pair, c, d))
            return (numpy.minimum.reduce([x[0] for x in choices]), numpy.maximum.reduce([x[1] for x in choices]))

        result = self.add("arith.select", [c, d], a.shape, None, lambda attrs, _:
                          f"arith.select {mask}, {c.name}, {d.name}{attrs} : {i1}, {a.type}")
        node = self.nodes[-1]
        node.run = lambda node, env: compute([c, d], result, lambda x, y: rule(x, y, env), True)(node, env)

    # Ops that move.

    def slice(self):
        a = self.pick(lambda v: len(v.shape) == 2)
        if not a:
            return
        rows = self.rng.choice([n for n in (2, 3) if n <= a.shape[0]])
        first = self.rng.randint(0, a.shape[0] - rows)
        shape = (rows, a.shape[1])
        self.add("tensor.extract_slice", [a], shape, ends(lambda x: x[first:first + rows]), lambda attrs, r:
                 f"tensor.extract_slice {a.name}[{first}, 0] [{rows}, {a.shape[1]}] [1, 1]{attrs} : {a.type} to {r.type}")

    def insert(self):
        a = self.pick(lambda v: len(v.shape) == 2)
        b = a and self.pick(lambda v: len(v.shape) == 2 and v.written == a.written
                            and all(m <= n for m, n in zip(v.shape, a.shape)))
        if not b:
            return

        def put(x, y):
            result = y.copy()
            result[:x.shape[0], :x.shape[1]] = x
            return result

        self.add("tensor.insert_slice", [b, a], a.shape, ends(put), lambda attrs, _:
                 f"tensor.insert_slice {b.name} into {a.name}[0, 0] [{b.shape[0]}, {b.shape[1]}] [1, 1]{attrs}"
                 f" : {b.type} into {a.type}")

    def concat(self):
        a = self.pick(lambda v: v.shape == (3,))
        b = a and self.pick(lambda v: v.shape == (3,) and v.written == a.written)
        if b:
            self.add("tensor.concat", [a, b], (6,), ends(lambda x, y: numpy.concatenate([x, y])), lambda attrs, r:
                     f"tensor.concat dim(0) {a.name}, {b.name}{attrs} : ({a.type}, {b.type}) -> {r.type}")

    def reshape(self):
        a = self.pick(lambda v: v.shape in [(2, 3), (3, 2), (6,)])
        if not a:
            return
        shape = self.rng.choice([(2, 3), (3, 2)]) if a.shape == (6,) else (6,)
        op = "collapse_shape" if shape == (6,) else "expand_shape"
        sizes = "" if shape == (6,) else f" output_shape [{shape[0]}, {shape[1]}]"
        self.add(f"tensor.{op}", [a], shape, ends(lambda x: x.reshape(shape)), lambda attrs, r:
                 f"tensor.{op} {a.name} [[0, 1]]{sizes}{attrs} : {a.type} into {r.type}")

    def broadcast(self):
        a = self.pick(lambda v: v.shape == (3,))
        if a:
            self.add("cma.broadcast", [a], (3, 3), ends(lambda x: numpy.broadcast_to(x, (3, 3))), lambda attrs, r:
                     f'cma.broadcast "j->ij" ({a.name}){attrs} : ({a.type}) -> {r.type}')

    def constant(self):
        shape = self.rng.choice(SHAPES)
        number = float(numpy.float32(self.rng.choice([0.0, 0.3, -1.7, 2.5, self.rng.gauss(0, 2), 1000.0])))
        result = Value(self.name(), shape, "f32")
        self.emit(f"{result.name} = arith.constant dense<{number!r}> : {result.type}")

        def run(_, env):
            env[result.name] = (numpy.full(shape, number),) * 2 + ("f32",)

        self.nodes.append(Node("arith.constant", run, rows=[]))
        self.values.append(result)

    def cast(self):
        """The user's: to another type, and back behind an op or two in it."""
        a = self.pick()
        op = self.rng.choice(["cma.cast"] * 2 + ["arith"])
        kinds = [k for k in FORMATS if k != a.written]
        if op == "arith":
            kinds = [k for k in kinds if TYPES[k].itemsize != TYPES[a.written].itemsize and not k.startswith("f8")]
            if not kinds or a.written.startswith("f8"):
                return
        kind = self.rng.choice(kinds)
        if op == "arith":
            op = "arith.extf" if TYPES[kind].itemsize > TYPES[a.written].itemsize else "arith.truncf"
        attrs = self.attributes() if self.wild else ""
        result = Value(self.name(), a.shape, kind)
        self.emit(f"{result.name} = {op} {a.name}{attrs} : {a.type} to {result.type}")
        # What was lowered is in its type again before the user's cast.
        self.nodes.append(Node(op, lambda _, env: env.update(
            {result.name: convert(convert(env[a.name], a.written), kind)}), rows=[]))
        self.values.append(result)

    def scalar(self, scope=""):
        """An f32 scalar and the node that reads it; it is no value of the report."""
        a = self.pick_f32(lambda v: v.shape in [(), (3,)])
        name = self.name()
        if not a or self.rng.random() < 0.3:
            number = float(numpy.float32(self.rng.choice([0.0, 0.75, -500.0, self.rng.gauss(0, 1)])))
            self.emit(f"{scope}{name} = arith.constant {number!r} : f32")
            return name, Node("arith.constant", lambda _, env: env.update(
                {name: (numpy.array(number), numpy.array(number), "f32")}), rows=[])
        index = "%c1" if a.shape else ""
        attrs = self.attributes() if self.wild else ""
        self.emit(f"{scope}{name} = tensor.extract {a.name}[{index}]{attrs} : {a.type}")
        where = (1,) if a.shape else ()
        return name, Node("tensor.extract", lambda _, env: env.update(
            {name: tuple(x[where] for x in convert(env[a.name], "f32")[:2]) + ("f32",)}), rows=[])

    def splat(self):
        name, node = self.scalar()
        self.nodes.append(node)
        shape = self.rng.choice([(3,), (3, 3)])
        attrs = self.attributes(kinds=("f32",))
        result = Value(self.name(), shape, "f32")
        if shape == (3,):
            self.emit(f"{result.name} = tensor.from_elements {name}, {name}, {name}{attrs} : {result.type}")
        else:
            self.emit(f"{result.name} = tensor.splat {name}{attrs} : {result.type}")

        def run(_, env):
            env[result.name] = tuple(numpy.full(shape, x) for x in env[name][:2]) + ("f32",)

        self.nodes.append(Node("tensor.from_elements" if shape == (3,) else "tensor.splat", run, (result,)))
        self.values.append(result)

    # Ops with regions.

    def body(self, steps, depth):
        """Lines and nodes of a region, drawn with what is visible."""
        outer = self.lines, self.nodes, list(self.values)
        self.lines, self.nodes = [], []
        for _ in range(steps):
            self.step(depth)
        return outer

    def leave(self, outer):
        lines, nodes = ["  " + line for line in self.lines], self.nodes
        self.lines, self.nodes, self.values = outer
        return lines, nodes

    def generate(self):
        result = Value(self.name(), (3,), "f32")
        outer = self.body(self.rng.randint(0, 2), 2)
        source = self.pick_f32(lambda v: v.shape == (3,))
        if not source:
            self.leave(outer)
            return
        name, node = self.scalar()
        index, element, total = self.name(), self.name(), self.name()
        self.emit(f"{element} = tensor.extract {source.name}[{index}] : {source.type}")
        self.emit(f"{total} = arith.addf {element}, {name} : f32")
        self.emit(f"tensor.yield {total} : f32")
        self.nodes.append(node)
        lines, nodes = self.leave(outer)
        self.emit(f"{result.name} = tensor.generate {{")
        self.emit(f"^bb0({index}: index):")
        self.lines += lines
        self.emit(f"}}{self.attributes()} : {result.type}")

        def run(node, env):
            for child in nodes:
                child.run(child, env)
            value = convert(env[source.name], "f32")
            pair = [wide(round_to(x, FORMATS["f32"])) for x in outward((value[0] + env[name][0], value[1] + env[name][1]), 2.0**-50)]
            env[result.name] = convert((*pair, "f32"), node.types[0][1])

        self.nodes.append(Node("tensor.generate", run, (result,), children=nodes))
        self.values.append(result)

    def pad(self):
        a = self.pick_f32(lambda v: v.shape == (3,))
        if not a:
            return
        result = Value(self.name(), (6,), "f32")
        outer = self.body(self.rng.choice([0, 0, 1, 2]), 2)
        name, node = self.scalar()
        self.nodes.append(node)
        self.emit(f"tensor.yield {name} : f32")
        lines, nodes = self.leave(outer)
        if self.rng.random() < 0.3:  # a scalar from outside
            name, outside = self.scalar()
            self.nodes.append(outside)
            lines, nodes = [f"    tensor.yield {name} : f32"], []
        self.emit(f"{result.name} = tensor.pad {a.name} low[1] high[2] {{")
        self.emit(f"^bb0({self.name()}: index):")
        self.lines += lines
        self.emit(f"}}{self.attributes()} : {a.type} to {result.type}")

        def run(node, env):
            for child in nodes:
                child.run(child, env)
            source = convert(env[a.name], node.types[0][0])
            padding = convert(env[name], node.types[0][1])
            env[result.name] = tuple(numpy.concatenate([p[None], s, p[None], p[None]])
                                     for s, p in zip(source[:2], padding[:2])) + (node.types[0][1],)

        self.nodes.append(Node("tensor.pad", run, (result,), children=nodes))
        self.values.append(result)

    def carried_attributes(self, written):
        if self.rng.random() < 0.5 or self.rng.random() >= self.annotates:
            return self.attributes()
        kinds = [w if w != "f32" and not self.wild else self.rng.choice(["f16", "bf16", "f32", "f64"]) for w in written]
        return f" {{cma.result_types = [{', '.join(kinds)}]}}"

    def loop(self, depth):
        carried = [self.pick() for _ in range(self.rng.randint(1, 3))]
        label, trips = self.name(), self.rng.randint(0, 3)
        inner = [Value(f"{label}_{i}", v.shape, v.written) for i, v in enumerate(carried)]
        results = [Value(f"{label}_r#{i}", v.shape, v.written) for i, v in enumerate(carried)]
        types = ", ".join(v.type for v in carried)
        outer = self.lines, self.nodes, list(self.values)
        self.lines, self.nodes = [], []
        self.values += inner
        for _ in range(self.rng.randint(1, 4)):
            self.step(depth + 1)
        yielded = [self.pick(lambda v, like=c: v.type == like.type) for c in carried]
        self.emit(f"scf.yield {', '.join(v.name for v in yielded)} : {types}")
        lines, nodes = self.leave(outer)
        starts = ", ".join(f"{i.name} = {c.name}" for i, c in zip(inner, carried))
        self.emit(f"{label}_r:{len(carried)} = scf.for {label}_i = %c0 to %c{trips} step %c1 "
                  f"iter_args({starts}) -> ({types}) {{")
        self.lines += lines
        self.emit(f"}}{self.carried_attributes([v.written for v in carried])}")

        def run(node, env):
            kinds = [kind for _, kind in node.types]
            values = [convert(env[c.name], kind) for c, kind in zip(carried, kinds)]
            for _ in range(trips):
                env.update(zip([v.name for v in inner], values))
                for child in nodes:
                    child.run(child, env)
                values = [convert(env[y.name], kind) for y, kind in zip(yielded, kinds)]
            env.update(zip([v.name for v in results], values))

        self.nodes.append(Node("scf.for", run, results, children=nodes))
        self.values += results

    def branch(self, depth):
        picked = [self.pick() for _ in range(self.rng.randint(1, 2))]
        label, taken = self.name(), self.rng.randint(0, 1)
        results = [Value(f"{label}#{i}", v.shape, v.written) for i, v in enumerate(picked)]
        types, bodies = ", ".join(v.type for v in picked), []
        for _ in range(2):
            outer = self.body(self.rng.randint(0, 3), depth + 1)
            yielded = [self.pick(lambda v, like=p: v.type == like.type) for p in picked]
            self.emit(f"scf.yield {', '.join(v.name for v in yielded)} : {types}")
            bodies.append((yielded, *self.leave(outer)))
        self.emit(f"{label}:{len(picked)} = scf.if %p{taken} -> ({types}) {{")
        self.lines += bodies[0][1]
        self.emit("} else {")
        self.lines += bodies[1][1]
        self.emit(f"}}{self.carried_attributes([v.written for v in picked])}")
        yielded, _, nodes = bodies[1 - taken]

        def run(node, env):
            for child in nodes:
                child.run(child, env)
            for result, value, (_, kind) in zip(results, yielded, node.types):
                env[result.name] = convert(env[value.name], kind)

        self.nodes.append(Node("scf.if", run, results, children=bodies[0][2] + bodies[1][2]))
        self.values += results


STEPS = ["unary"] * 4 + ["binary"] * 4 + ["contract"] * 4 + ["sum", "choose", "slice", "insert", "concat", "reshape"]
STEPS += ["loss", "broadcast", "constant", "cast", "splat", "generate", "generate", "pad", "pad", "loop", "loop", "branch", "branch"]

# ---------------------------------------------------------------------------
# Runs
# ---------------------------------------------------------------------------


def draw_options(rng, function):
    """Options of cma-assign-precision."""
    policy = rng.choice(["f32", "f16", "f16", "bf16", "bf16", "tf32", "custom", "custom"])
    function.low = policy
    options = [f"policy={policy}", f"solver={rng.choice(['mincut', 'lists'])}"]
    if policy == "custom":
        function.low = rng.choice(LOW)
        options += [f"type={function.low}", f"allow={','.join(rng.sample(LISTED[:6], 2))}",
                    f"follow={','.join(rng.sample(LISTED[6:], 3))}"]
        if function.low.startswith("f8") and rng.random() < 0.4:
            options.append("target=sm_90")
    elif rng.random() < 0.4:
        listed = rng.sample(LISTED, 3)
        options += [f"{kind}={op}" for kind, op in zip(("allow", "deny", "follow"), listed)]
    if rng.random() < 0.4:
        options.append(f"ranges=0:-{rng.choice([4, 300])}:4")
    if rng.random() < 0.2:
        options.append("require-proof")
    if function.low == "tf32" or function.low not in FORMATS:
        function.low = "f32"
    return " ".join(options)


def draw(seed):
    rng = random.Random(seed)
    function = Function(rng)
    options = draw_options(rng, function)
    inputs = []
    for i, shape in enumerate([(3, 3), (3,), (), (2, 3), (3, 3)]):
        kind = "f64" if i == 4 else "f32"
        inputs.append(numpy.array([rng.gauss(0, 1) for _ in range(math.prod(shape))]).reshape(shape).astype(TYPES[kind]))
        function.values.append(Value(f"%a{i}", shape, kind))
    for number in range(4):
        function.emit(f"%c{number} = arith.constant {number} : index")
    for number in range(2):
        function.emit(f"%p{number} = arith.cmpi eq, %c{number}, %n : index")
    for _ in range(rng.randint(3, 12)):
        function.step()
    results = [function.pick() for _ in range(rng.randint(1, 3))] + [function.values[-1]]
    arguments = ", ".join(f"{v.name}: {v.type}" for v in function.values[:5])
    types = ", ".join(v.type for v in results)
    # The conditions are not known when the function is compiled.
    count = ["  %i = tensor.extract %a5[] : tensor<i64>", "  %n = arith.index_cast %i : i64 to index"]
    text = [f"func.func @f({arguments}, %a5: tensor<i64>) -> ({types}) {{", *count, *function.lines,
            f"  return {', '.join(v.name for v in results)} : {types}", "}", ""]
    return "\n".join(text), options, inputs, function, results


class Case:
    def __init__(self, options, seed):
        self.options, self.seed = options, seed
        self.path = os.path.join(options.work, "f.")

    def opt(self, source, target, *passes):
        return subprocess.run([self.options.cma_opt, self.path + source, "-o", self.path + target, *passes],
                              capture_output=True, text=True, check=False)

    def run(self):
        """A complaint, None where all is well, "" where the passes refuse."""
        text, options, inputs, function, results = draw(self.seed)
        with open(self.path + "mlir", "w", encoding="utf-8") as file:
            file.write(text)
        assign = f"--cma-assign-precision={options} report={self.path}json"
        about = f"seed {self.seed}: {options}\n{text}"
        for source, target, passes in (("mlir", "assigned.mlir", [assign]),
                                       ("assigned.mlir", "cast.mlir", ["--cma-insert-casts", "--cma-verify-precision"])):
            done = self.opt(source, target, *passes)
            if done.returncode == 1 and any(refusal in done.stderr.split("note: see")[0] for refusal in REFUSALS):
                return ""
            if done.returncode:
                return f"{about}{done.stderr}"
            if source == "mlir":
                with open(self.path + "json", encoding="utf-8") as file:
                    report = json.load(file)["functions"][0]["values"]
        self.opt("assigned.mlir", "again.mlir", f"--cma-assign-precision={options}")
        if open(self.path + "again.mlir").read() != open(self.path + "assigned.mlir").read():
            return f"{about}a second run changes annotations"
        return self.compare(about, report, inputs, function, results)

    def compare(self, about, report, inputs, function, results):
        save(self.path + "in", {str(i): a for i, a in enumerate([*inputs, numpy.array(1, numpy.int64)])})
        done = subprocess.run([self.options.cma_run, "call", self.path + "cast.mlir", "--inputs", self.path + "in",
                               "--outputs", self.path + "out"], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{about}{done.stderr}"
        rows = iter(report)
        for node in function.nodes:
            node.assign(rows)
        if next(rows, None):
            return f"{about}the report has more rows than the function has values"
        env = {f"%a{i}": (wide(a), wide(a), "f64" if a.dtype == "float64" else "f32") for i, a in enumerate(inputs)}
        with numpy.errstate(all="ignore"):
            for node in function.nodes:
                node.run(node, env)
            got = load(self.path + "out")
            for i, value in enumerate(results):
                low, high, _ = convert(env[value.name], value.written)
                x = wide(got[str(i)])
                unknown = numpy.isnan(low) | numpy.isnan(high)
                if not numpy.all(unknown | ((low <= x) & (x <= high))):
                    return f"{about}result {i}, {value.name}, is\n{x}\nexpected from\n{low}\nto\n{high}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cma-run", required=True)
    parser.add_argument("--cma-opt", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    print(f"seeds {options.seed} to {options.seed + options.count - 1}")
    outcomes = [Case(options, seed).run() for seed in range(options.seed, options.seed + options.count)]
    complaints = [outcome for outcome in outcomes if outcome]
    for complaint in complaints[:5]:
        print(complaint)
    print(f"{len(complaints)} of {options.count} functions are wrong, {outcomes.count('')} are refused")
    sys.exit(bool(complaints) or outcomes.count(None) < options.count / 2)


if __name__ == "__main__":
    main()
