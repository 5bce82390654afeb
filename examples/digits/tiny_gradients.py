#!/usr/bin/env python3
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why loss scaling: the digits network with gradients too small for f16.

usage: tiny_gradients.py [--seed N] [--epochs N] [--cma-run PROGRAM]

Multiplies the loss of tt.mlir by 2^-20, the learning rate by 2^20 and the weight
decay by 2^-20. In f32 that is the same training, bit for bit. In f16 the gradients
of the logits, at most 2^-25, round to zero: nothing is learned, unless the loss
is scaled. Prints the test accuracies, and exits with 1 where f16 without scaling
learned something, or with scaling stayed more than 2 points behind f32.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHRINK = 2.0**-20
RUNS = {
    "f32": ["--precision", "f32"],
    "f16": ["--precision", "f16"],
    "f16, scaled": ["--precision", "f16", "--loss-scale", "dynamic"],
}


def write_model(path):
    """tt.mlir with its loss multiplied by SHRINK."""
    with open(os.path.join(HERE, "tt.mlir"), encoding="utf-8") as file:
        text = file.read()
    head, tail = text.split("  return %loss,")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}  %shrink = arith.constant dense<{SHRINK!r}> : tensor<f32>\n"
                   f"  %tiny = arith.mulf %loss, %shrink : tensor<f32>\n  return %tiny,{tail}")


def train(arguments, directory, options):
    """The report of one run."""
    report = os.path.join(directory, "report.json")
    data = {name: os.path.join(HERE, name + ".safetensors") for name in ("train", "test")}
    command = [
        arguments.cma_run, "train", os.path.join(directory, "tiny.mlir"), "--quiet",
        "--data", data["train"], "--test-data", data["test"], "--report", report,
        "--seed", str(arguments.seed), "--epochs", str(arguments.epochs), "--batch", "32",
        "--momentum", "0.9", "--lr", repr(0.01 / SHRINK), "--weight-decay", repr(0.02 * SHRINK),
    ]  # fmt: skip
    subprocess.run(command + options, check=True)
    with open(report, encoding="utf-8") as text:
        return json.load(text)


def main():
    parser = argparse.ArgumentParser(description="Trains with gradients too small for f16.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=60)
    default = os.path.join(HERE, "..", "..", "build", "bin", "cma-run")
    parser.add_argument("--cma-run", default=default)
    arguments = parser.parse_args()
    accuracy = {}
    with tempfile.TemporaryDirectory() as directory:
        write_model(os.path.join(directory, "tiny.mlir"))
        for name, options in RUNS.items():
            report = train(arguments, directory, options)
            accuracy[name] = report["test_metric"]
            print(f"{name:12} test accuracy {100 * accuracy[name]:6.2f} %, "
                  f"{report['skipped_steps']} of {report['steps']} steps skipped", flush=True)
    good = accuracy["f16"] < 0.3 and accuracy["f16, scaled"] > accuracy["f32"] - 0.02
    print("as expected" if good else "not as expected")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
