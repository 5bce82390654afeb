#!/usr/bin/env python3
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the digits data files: train, validation and test .safetensors.

usage: make_data.py [DIRECTORY]      (default: this script's directory)

The source is the digits.csv.gz that the scikit-learn package carries; README.md
beside this script tells where that comes from. Tensors: `image` f32 [n, 64], the
pixels 0 ... 16 row by row, less 5 and divided by 6 (about mean 0 and deviation 1);
`label` i64 [n]. The split is a fixed shuffle: the samples in the order of
SHA-256("digits seed 0 sample I"), then cut. The files come out byte for byte the
same everywhere.
"""

import gzip
import hashlib
import importlib.util
import json
import os
import struct
import sys

SPLIT = (("train", 1077), ("validation", 360), ("test", 360))
SEED = 0
PIXELS = 64


def source_file():
    """The data file of the installed scikit-learn, which is not imported."""
    spec = importlib.util.find_spec("sklearn")
    if spec is None:
        sys.exit("make_data.py: error: expected the package scikit-learn")
    return os.path.join(spec.submodule_search_locations[0], "datasets", "data", "digits.csv.gz")


def read_samples(path):
    """[(64 pixels, label)] in the order of the file."""
    samples = []
    with gzip.open(path, "rt", encoding="ascii") as lines:
        for line in lines:
            fields = [int(float(field)) for field in line.split(",")]
            if len(fields) != PIXELS + 1 or not all(0 <= p <= 16 for p in fields[:PIXELS]):
                sys.exit(f"make_data.py: error: unexpected line in {path}")
            samples.append((fields[:PIXELS], fields[PIXELS]))
    return samples


def shuffled(samples):
    def key(index):
        return hashlib.sha256(f"digits seed {SEED} sample {index}".encode()).digest()

    return [samples[index] for index in sorted(range(len(samples)), key=key)]


def safetensors_bytes(samples):
    count = len(samples)
    image = b"".join(struct.pack("<64f", *((p - 5) / 6 for p in pixels)) for pixels, _ in samples)
    label = struct.pack(f"<{count}q", *(label for _, label in samples))
    header = {
        "image": {"dtype": "F32", "shape": [count, PIXELS], "data_offsets": [0, len(image)]},
        "label": {
            "dtype": "I64",
            "shape": [count],
            "data_offsets": [len(image), len(image) + len(label)],
        },
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + image + label


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    samples = shuffled(read_samples(source_file()))
    if len(samples) != sum(count for _, count in SPLIT):
        sys.exit(f"make_data.py: error: expected 1797 samples, got {len(samples)}")
    start = 0
    for name, count in SPLIT:
        with open(os.path.join(directory, name + ".safetensors"), "wb") as out:
            out.write(safetensors_bytes(samples[start : start + count]))
        start += count


if __name__ == "__main__":
    main()
