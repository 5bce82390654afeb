# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""A sum over a user's parallel loop has the same bits for every number of threads."""

import argparse
import os
import subprocess
import sys

import numpy
from safetensors.numpy import load_file, save_file

FUNCTION = """func.func @f(%x: tensor<10000xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10000 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %v = tensor.extract %x[%i] : tensor<10000xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      scf.reduce.return %t : f32
    }
  }
  %r = tensor.from_elements %s : tensor<f32>
  return %r : tensor<f32>
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cma-run", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    source, inputs, outputs = (os.path.join(options.work, name) for name in ("f.mlir", "in", "out"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(FUNCTION)
    x = numpy.random.default_rng(20261201).standard_normal(10000).astype(numpy.float32)
    save_file({"0": x}, inputs)
    want = numpy.float32(0)
    for value in x:
        want += value
    for threads in (1, 2, 5):
        subprocess.run([options.cma_run, "call", source, "--inputs", inputs, "--outputs", outputs],
                       env=dict(os.environ, OMP_NUM_THREADS=str(threads)), check=True)
        got = load_file(outputs)["0"]
        if got != want:
            sys.exit(f"{threads} threads: expected {want!r}, got {got!r}")


if __name__ == "__main__":
    main()
