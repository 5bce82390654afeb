# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run, numpy, safetensors
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %t
"""Files go both ways between cma-run and the reference library, and initial values are
those that the rules in Random.h give."""

import math
import os
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

PROGRAM, DIRECTORY = sys.argv[1:]
SEED = 1234567890123
MODEL = """
func.func @model(%x: tensor<?x2xf64> {cma.role = "data", cma.name = "x"},
    %w: tensor<2x2xf64> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<normal, std = 0.5>},
    %u: tensor<2x2xf64> {cma.role = "parameter", cma.name = "u", cma.init = #cma.init<uniform, low = -1.0, high = 3.0>},
    %c: tensor<2x2xf64> {cma.role = "parameter", cma.name = "c", cma.init = #cma.init<constant, value = 0.25>},
    %f: tensor<7xf32> {cma.role = "state", cma.name = "f", cma.init = #cma.init<normal, std = 0.1>})
    -> (tensor<f64> {cma.role = "loss"}) {
  %0 = arith.addf %w, %u : tensor<2x2xf64>
  %1 = arith.addf %0, %c : tensor<2x2xf64>
  %2 = cma.linear %x, %1 : tensor<?x2xf64>, tensor<2x2xf64> -> tensor<?x2xf64>
  %3 = cma.mse %2, %x : tensor<?x2xf64> -> tensor<f64>
  return %3 : tensor<f64>
}
"""
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1


def path(name):
    return os.path.join(DIRECTORY, name)


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & MASK32, (p >> 32) ^ c[3] ^ k[1], p & MASK32]
        k = [(k[0] + 0x9E3779B9) & MASK32, (k[1] + 0xBB67AE85) & MASK32]
    return c


def units(name, element):
    """The two numbers in [0, 1) of an element."""
    h = 0xCBF29CE484222325
    for byte in SEED.to_bytes(8, "little") + name.encode():
        h = (h ^ byte) * 0x100000001B3 & MASK64
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    h = (h ^ h >> 27) * 0x94D049BB133111EB & MASK64
    h ^= h >> 31
    w = philox([element & MASK32, element >> 32, 0, 0], [h & MASK32, h >> 32])
    return ((w[1] << 32 | w[0]) >> 11) * 2.0**-53, ((w[3] << 32 | w[2]) >> 11) * 2.0**-53


def normal(name, element, deviation):
    u, v = units(name, element)
    return math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * v) * deviation


def main():
    with open(path("m.mlir"), "w") as stream:
        stream.write(MODEL)
    # A learning rate so small that no parameter of f64 changes by more than 1e-290.
    save_file({"x": numpy.ones((4, 2))}, path("x"))
    subprocess.run(
        [PROGRAM, "train", path("m.mlir"), "--data", path("x"), "--save", path("p"), "--seed", str(SEED)]
        + ["--epochs=1", "--batch=4", "--lr=1e-44", "--quiet"],
        check=True,
    )
    saved = load_file(path("p"))
    expected = {
        "w": numpy.array([normal("w", i, 0.5) for i in range(4)]),
        "u": numpy.array([-1 + 4 * units("u", i)[0] for i in range(4)]),
        "c": numpy.full(4, 0.25),
        "f": numpy.array([normal("f", i, 0.1) for i in range(7)], dtype=numpy.float32),
    }
    assert set(saved) == set(expected), sorted(saved)
    for name, values in expected.items():
        numpy.testing.assert_allclose(saved[name].ravel(), values, rtol=1e-15, err_msg=name)
        assert saved[name].dtype == values.dtype, name


main()
