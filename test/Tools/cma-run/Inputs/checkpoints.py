# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of checkpoints share: data for seen.mlir, and reading files."""

import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tensors

SAMPLES = 24


def make_data(path, deviation=1):
    generator = random.Random(1)
    points = ",".join("%.3f" % generator.gauss(0, deviation) for _ in range(2 * SAMPLES))
    unit = ",".join("1" if i == j else "0" for i in range(SAMPLES) for j in range(SAMPLES))
    tensors.write(path, "x:F32:%dx2=%s" % (SAMPLES, points), "id:F32:%dx%d=%s" % (SAMPLES, SAMPLES, unit))


def read(path):
    """The metadata, and the bytes of every tensor; raises where the file is not whole."""
    header, data = tensors.split(path)
    metadata = header.pop("__metadata__")
    end = max(entry["data_offsets"][1] for entry in header.values())
    if end != len(data):
        raise ValueError("%s: expected %d bytes of data, got %d" % (path, end, len(data)))
    return metadata, {name: data[slice(*entry["data_offsets"])] for name, entry in header.items()}


def listing(directory):
    return sorted(name for name in os.listdir(directory) if name.startswith("step-"))


def epochs(report):
    """The report's epochs without times."""
    with open(report, encoding="utf-8") as text:
        figures = json.load(text)["epochs"]
    for epoch in figures:
        del epoch["samples_per_s"]
    return figures
