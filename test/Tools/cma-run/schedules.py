# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %t
"""Schedules by their formulas: with a gradient of 4 in every step, plain descent
subtracts 4 times the sum of the learning rates. Steps that the loss scale skips
do not count."""

import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Inputs"))
import tensors

PROGRAM, DIRECTORY = sys.argv[1:]
MODEL = """
func.func @model(%x: tensor<?x1xf32> {cma.role = "data", cma.name = "x"},
                 %w: tensor<1xf32> {cma.role = "parameter", cma.name = "w", cma.init = #cma.init<zeros>})
    -> (tensor<f32> {cma.role = "loss"}) {
  %loss = cma.contract "bi,i->" (%x, %w) : (tensor<?x1xf32>, tensor<1xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"""
SAMPLES, EPOCHS, RATE = 10, 2, 0.25
# 4 * 2^127 and 4 * 2^126 overflow.
SKIPPING = ["--loss-scale", "dynamic:init=%d" % 2**127]


def factor(kind, warmup, applied, total):
    if applied < warmup:
        return (applied + 1) / warmup
    x = (applied - warmup) / max(total - warmup, 1)
    return {"constant": 1, "cosine": (1 + math.cos(math.pi * x)) / 2, "linear": 1 - x}[kind]


def train(options):
    saved = os.path.join(DIRECTORY, "p")
    subprocess.run([PROGRAM, "train", os.path.join(DIRECTORY, "m.mlir"), "--data", os.path.join(DIRECTORY, "d"),
                    "--epochs", str(EPOCHS), "--batch", "1", "--lr", str(RATE), "--quiet", "--save", saved]
                   + options, check=True)
    return float(read(saved).split("=")[1])


def read(path):
    shown = subprocess.run([sys.executable, os.path.join(HERE, "Inputs", "tensors.py"), "print", path],
                           capture_output=True, text=True, check=True)
    return shown.stdout.strip()


def check(kind, warmup, parts, skips):
    options = ["--schedule", kind, "--warmup", str(warmup), "--accumulate", str(parts)]
    total = SAMPLES // parts * EPOCHS
    applied = total - (2 if skips else 0)
    want = -4 * RATE * sum(factor(kind, warmup, step, total) for step in range(applied))
    got = train(options + (SKIPPING if skips else []))
    if abs(got - want) > 1e-4 * abs(want):
        sys.exit("%r, skips %s: expected %g, got %g" % (options, skips, want, got))


with open(os.path.join(DIRECTORY, "m.mlir"), "w") as model:
    model.write(MODEL)
tensors.write(os.path.join(DIRECTORY, "d"), "x:F32:%dx1=4" % SAMPLES)
# A rate that never gets there is legal, and worth a note.
for warmup, noted in (SAMPLES * EPOCHS, False), (SAMPLES * EPOCHS + 1, True), (2**63 - 1, True):
    run = subprocess.run([PROGRAM, "train", os.path.join(DIRECTORY, "m.mlir"), "--data", os.path.join(DIRECTORY, "d"),
                          "--epochs", str(EPOCHS), "--batch", "1", "--warmup", str(warmup)],
                         capture_output=True, text=True, check=True)
    note = "note: the rate rises for %d steps (--warmup), but the run ends after %d" % (warmup, SAMPLES * EPOCHS)
    assert (note in run.stdout) == noted and ("--warmup" in run.stdout) == noted, run.stdout
# As many epochs as there are: no count of steps overflows.
endless = subprocess.run([PROGRAM, "train", os.path.join(DIRECTORY, "m.mlir"), "--data", os.path.join(DIRECTORY, "d"),
                          "--epochs", str(2**63 - 1), "--batch", "1", "--schedule", "cosine", "--lr", "1e38"],
                         capture_output=True, text=True)
assert endless.returncode == 3, endless
for kind in ("constant", "cosine", "linear"):
    for warmup in (0, 1, 7, 20, 50):
        check(kind, warmup, 1, False)
    check(kind, 4, 1, True)
    check(kind, 3, 2, False)
    check(kind, 3, 2, True)
