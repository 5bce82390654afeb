# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one op at a time with `cma-run call` and compares it with NumPy.

References are computed in at least f64 from the inputs as the op sees them. Each
comparison states its bound; a NaN is equal to a NaN alone.
"""

import argparse
import os
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

TYPES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64"}
EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}


def type_of(array):
    extents = "".join(f"{extent}x" for extent in array.shape)
    return f"tensor<{extents}{TYPES[array.dtype.name]}>"


def wide(array):
    """The array in extended precision, for references."""
    return numpy.asarray(array, dtype=numpy.longdouble)


class Checker:
    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--cma-run", required=True)
        parser.add_argument("--work", required=True)
        parser.add_argument("--seed", type=int, default=20261130)
        self.arguments = parser.parse_args()
        os.makedirs(self.arguments.work, exist_ok=True)
        self.random = numpy.random.default_rng(self.arguments.seed)
        self.checks = self.failures = 0

    def normal(self, shape, dtype, scale=1.0, offset=0.0):
        return numpy.asarray(offset + scale * self.random.standard_normal(shape), dtype)

    def write(self, name, inputs, body, results):
        """A function of `inputs`; `{x}` in the text stands for input x's type."""
        types = {key: type_of(value) for key, value in inputs.items()}
        arguments = ", ".join(f'%{key}: {text} {{cma.name = "{key}"}}'
                              for key, text in types.items())
        results = {key: text.format(**types) for key, text in results.items()}
        text = (f"func.func @{name}({arguments}) -> ({', '.join(results.values())}) {{\n"
                f"  {body.format(**types)}\n"
                f"  return {', '.join('%' + key for key in results)} : "
                f"{', '.join(results.values())}\n}}\n")
        stem = os.path.join(self.arguments.work, name)
        with open(stem + ".mlir", "w", encoding="ascii") as file:
            file.write(text)
        save_file(inputs, stem + ".in.safetensors")
        return stem

    def start(self, stem):
        command = [self.arguments.cma_run, "call", stem + ".mlir",
                   "--inputs", stem + ".in.safetensors",
                   "--outputs", stem + ".out.safetensors"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def run(self, name, inputs, body, results):
        """The results by name; None where the call failed."""
        stem = self.write(name, inputs, body, results)
        done = self.start(stem)
        if done.returncode:
            self.fail(name, f"exit {done.returncode}: {done.stderr.strip()}")
            return None
        outputs = load_file(stem + ".out.safetensors")
        return {key: outputs[str(i)] for i, key in enumerate(results)}

    def refuse(self, name, inputs, body, results, message):
        """The call ends with `message` and writes nothing."""
        self.checks += 1
        stem = self.write(name, inputs, body, results)
        done = self.start(stem)
        if done.returncode == 0 or message not in done.stderr:
            self.fail(name, f"expected an error with {message!r}, got exit "
                            f"{done.returncode}: {done.stderr.strip()}")
        if os.path.exists(stem + ".out.safetensors"):
            self.fail(name, "expected no output file")

    def close(self, name, got, want, bound):
        """|got - want| <= bound, elementwise; equal where `want` is not finite."""
        self.checks += 1
        want, bound = wide(want), numpy.broadcast_to(wide(bound), numpy.shape(want))
        if got.shape != want.shape:
            self.fail(name, f"expected shape {want.shape}, got {got.shape}")
            return
        same = (got == want) | (numpy.isnan(got) & numpy.isnan(want))
        with numpy.errstate(invalid="ignore"):
            right = same | (numpy.isfinite(want) & (numpy.abs(got - want) <= bound))
        if not numpy.all(right):
            at = tuple(int(i) for i in numpy.argwhere(~right)[0])
            self.fail(name, f"element {at}: expected {want[at]!r}, got {got[at]!r}, "
                            f"bound {float(bound[at]):.3g}")

    def equal(self, name, got, want):
        self.checks += 1
        if got.dtype != want.dtype:
            self.fail(name, f"expected {want.dtype}, got {got.dtype}")
        self.close(name, got, want, 0)

    def fail(self, name, message):
        self.failures += 1
        print(f"{name}: {message}")

    def finish(self):
        print(f"seed {self.arguments.seed}: {self.checks} checks, "
              f"{self.failures} failures")
        sys.exit(1 if self.failures or not self.checks else 0)
