# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs drawn functions by `cma-run call` and compares their results bit for bit."""

import argparse
import os
import random
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file


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
