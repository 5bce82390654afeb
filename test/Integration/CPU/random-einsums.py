# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Compares random contractions, planned and compiled, with numpy.einsum in f64.

The error of a result element may be 4 (K + n) 2^-53 times the sum of the absolute
products, with K the number of summed points and n the number of operands.
"""

import argparse
import os
import random
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_POINTS = 2**22


class Case:
    """One einsum: operand and result labels, and an extent for each label."""

    def __init__(self, operands, result, sizes):
        self.operands, self.result, self.sizes = operands, result, sizes

    @property
    def equation(self):
        return ",".join(self.operands) + "->" + self.result

    def shape(self, labels):
        return tuple(self.sizes[label] for label in labels)

    def points(self, labels):
        return int(numpy.prod([self.sizes[label] for label in labels], dtype=object))

    def has_zero(self):
        return 0 in self.sizes.values()

    def has_diagonal(self):
        return any(len(set(o)) < len(o) for o in self.operands)


def draw_extent(rng):
    kind = rng.random()
    if kind < 0.12:
        return 1
    return rng.randint(2, 17) if kind < 0.5 else rng.randint(2, 6)


def draw_case(rng, want_zero, want_diagonal):
    """A random case with the wanted features, or None where the draw has too many
    points."""
    pool = rng.sample(LETTERS, rng.randint(1, 8))
    sizes = {label: draw_extent(rng) for label in pool}
    operands = []
    for _ in range(rng.randint(1, 6)):
        labels = rng.sample(pool, rng.randint(0, min(4, len(pool))))
        if labels and rng.random() < 0.1:
            labels.insert(rng.randint(0, len(labels)), rng.choice(labels))
        operands.append("".join(labels))
    if want_diagonal:
        index = rng.randrange(len(operands))
        label = rng.choice(operands[index] or pool)
        operands[index] += label if label in operands[index] else 2 * label
    used = sorted(set("".join(operands)))
    sizes = {label: sizes[label] for label in used}
    if want_zero:
        if not used:
            return None
        sizes[rng.choice(used)] = 0
    nonzero = [max(extent, 1) for extent in sizes.values()]
    if numpy.prod(nonzero, dtype=object) > MAX_POINTS:
        return None
    result = rng.sample(used, rng.randint(0, len(used)))
    return Case(operands, "".join(result), sizes)


def draw_cases(rng, count):
    cases = []
    while len(cases) < count:
        part = len(cases) / count
        case = draw_case(rng, want_zero=part < 0.12, want_diagonal=0.08 <= part < 0.28)
        if case:
            cases.append(case)
    return cases


def tensor_type(shape):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + "f64>"


def write_module(cases):
    """One function whose results are all cases', its arguments all operands'."""
    arguments, body, values, types = [], [], [], []
    for index, case in enumerate(cases):
        names = [f"%c{index}_{k}" for k in range(len(case.operands))]
        operand_types = [tensor_type(case.shape(labels)) for labels in case.operands]
        arguments += [f"{n}: {t}" for n, t in zip(names, operand_types)]
        result_type = tensor_type(case.shape(case.result))
        body.append(f'  %r{index} = cma.contract "{case.equation}" ({", ".join(names)}) : '
                    f'({", ".join(operand_types)}) -> {result_type}')
        values.append(f"%r{index}")
        types.append(result_type)
    return (f"func.func @all({', '.join(arguments)}) -> ({', '.join(types)}) {{\n"
            + "\n".join(body) + f"\n  return {', '.join(values)} : {', '.join(types)}\n}}\n")


def check_case(case, inputs, got):
    """None, or what is wrong."""
    want = numpy.einsum(case.equation, *inputs)
    scale = numpy.einsum(case.equation, *[numpy.abs(i) for i in inputs])
    if got.shape != want.shape or got.dtype != numpy.float64:
        return f"expected f64 {want.shape}, got {got.dtype} {got.shape}"
    summed = case.points(set("".join(case.operands)) - set(case.result))
    bound = 4 * (summed + len(inputs)) * 2.0**-53 * scale
    error = numpy.abs(got - want)
    if numpy.all(error <= bound):  # false for a NaN
        return None
    worst = numpy.argmax(numpy.nan_to_num(error - bound, nan=numpy.inf))
    return (f"element {numpy.unravel_index(worst, want.shape)}: expected "
            f"{want.flat[worst]!r}, got {got.flat[worst]!r}, bound {bound.flat[worst]:.3g}")


def run_batch(arguments, number, cases, generator):
    inputs = [[numpy.array(generator.standard_normal(case.shape(labels)))
               for labels in case.operands]
              for case in cases]
    stem = os.path.join(arguments.work, f"batch{number}")
    with open(stem + ".mlir", "w", encoding="ascii") as file:
        file.write(write_module(cases))
    flat = [array for arrays in inputs for array in arrays]
    save_file({str(k): array for k, array in enumerate(flat)}, stem + ".in.safetensors")
    subprocess.run([arguments.cma_run, "call", stem + ".mlir",
                    "--inputs", stem + ".in.safetensors",
                    "--outputs", stem + ".out.safetensors"], check=True)
    outputs = load_file(stem + ".out.safetensors")
    failures = 0
    for index, case in enumerate(cases):
        wrong = check_case(case, inputs[index], outputs[str(index)])
        if wrong:
            failures += 1
            print(f"{stem}.mlir %r{index} {case.equation} {case.sizes}: {wrong}")
    for suffix in (".in.safetensors", ".out.safetensors") if not failures else ():
        os.remove(stem + suffix)
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cma-run", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20261130)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)

    rng = random.Random(arguments.seed)
    generator = numpy.random.default_rng(arguments.seed)
    cases = draw_cases(rng, arguments.count)
    zeros = sum(case.has_zero() for case in cases)
    diagonals = sum(case.has_diagonal() for case in cases)
    print(f"seed {arguments.seed}: {len(cases)} cases, {zeros} with a zero extent, "
          f"{diagonals} with a diagonal")
    if arguments.count >= 2000:
        assert zeros >= 200 and diagonals >= 300
    rng.shuffle(cases)

    failures = 0
    for start in range(0, len(cases), arguments.batch):
        failures += run_batch(arguments, start // arguments.batch,
                              cases[start:start + arguments.batch], generator)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
