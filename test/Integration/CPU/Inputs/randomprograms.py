# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes drawn functions, runs them by `cma-run call`, and compares their results bit
for bit."""

import argparse
import os
import random
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file


class Drawing:
    """The body of a function; each value is its name and what NumPy says it holds."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.values = []
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)


def finish(name, drawing, inputs, type_of, extra):
    """The text of the function, its inputs, and its results: updates of some inputs,
    and up to `extra` other values."""
    rng, results = drawing.rng, []
    for i, array in enumerate(inputs):
        if rng.random() < 0.6:
            update = drawing.pick(lambda a, like=array: type_of(a) == type_of(like))
            results.append((update, f' {{cma.updates = "a{i}"}}'))
    results += [(drawing.pick(), "") for _ in range(rng.randint(1, extra))]
    rng.shuffle(results)
    arguments = ", ".join(f'%a{i}: {type_of(a)} {{cma.name = "a{i}"}}' for i, a in enumerate(inputs))
    types = [type_of(array) for (_, array), _ in results]
    text = [f"func.func @{name}({arguments}) -> ({', '.join(t + a for t, (_, a) in zip(types, results))}) {{"]
    text += drawing.lines
    text += [f"  return {', '.join(value for (value, _), _ in results)} : {', '.join(types)}", "}"]
    return "\n".join(text) + "\n", inputs, [array for (_, array), _ in results]


def run_case(arguments, draw, seed):
    """A complaint, or None where the compiled function agrees."""
    text, inputs, expected = draw("f", random.Random(seed))
    path, source, target = (os.path.join(arguments.work, name) for name in ("f.mlir", "in.safetensors", "out.safetensors"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    save_file({f"a{i}": array for i, array in enumerate(inputs)}, source)
    done = subprocess.run([arguments.cma_run, "call", path, "--inputs", source, "--outputs", target],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return f"seed {seed}: exit {done.returncode}\n{text}{done.stderr}"
    got = load_file(target)
    for i, array in enumerate(expected):
        if not numpy.array_equal(got[str(i)], array):
            wrong = numpy.argwhere(got[str(i)] != array)
            return (f"seed {seed}: result {i} differs at {len(wrong)} places, first {wrong[:4].tolist()}:\n"
                    f"{got[str(i)]}\nexpected\n{array}\n{text}")
    return None


def main(draw, description, count):
    """`draw(name, rng)` gives the text of a function, its inputs, named a0, a1, ... in
    it, and its results."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cma-run", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    print(f"seeds {arguments.seed} to {arguments.seed + arguments.count - 1}")
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    complaints = [complaint for seed in seeds if (complaint := run_case(arguments, draw, seed))]
    for complaint in complaints[:5]:
        print(complaint)
    print(f"{len(complaints)} of {arguments.count} functions are wrong")
    sys.exit(bool(complaints))
