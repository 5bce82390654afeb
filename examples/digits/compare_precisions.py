#!/usr/bin/env python3
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the tensor-train digits network in f32, in bf16, and in f16 with dynamic
loss scaling, with the same seeds, and compares accuracy and memory.

usage: compare_precisions.py [--seeds N] [--cma-run PROGRAM] [--reports DIRECTORY]

Exits with 1 where a goal is missed: the mean test accuracy at most 0.5 points below
f32's, saved activations and weight views at most 0.55 of their bytes in f32.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PRECISIONS = {
    "f32": [],
    "bf16": ["--precision", "bf16"],
    "f16": ["--precision", "f16", "--loss-scale", "dynamic"],
}


def train(precision, seed, directory, cma_run):
    """The report of one run."""
    report = os.path.join(directory, f"{precision}-{seed}.json")
    environment = dict(os.environ, CMA_RUN=cma_run)
    command = [os.path.join(HERE, "train.sh"), "tt", str(seed), "--quiet", "--report", report]
    subprocess.run(command + PRECISIONS[precision], env=environment, check=True)
    with open(report, encoding="utf-8") as text:
        return json.load(text)


def check_memory(report):
    """Whether both kinds of memory are small enough; prints their shares of f32's."""
    figures = report["precision"]
    shares = {
        name: figures[f"{name}_bytes"] / figures[f"{name}_f32_bytes"]
        for name in ("saved_activation", "weight_view")
    }
    print(
        f"      saved activations {shares['saved_activation']:.3f}, "
        f"weight views {shares['weight_view']:.3f} of their bytes in f32",
        flush=True,
    )
    return all(share <= 0.55 for share in shares.values())


def run(arguments, directory):
    goals_met = True
    means = {}
    for precision in PRECISIONS:
        accuracies, skipped = [], 0
        for seed in range(1, arguments.seeds + 1):
            report = train(precision, seed, directory, arguments.cma_run)
            accuracies.append(report["test_metric"])
            skipped += report["skipped_steps"]
        means[precision] = sum(accuracies) / len(accuracies)
        print(
            f"{precision:5} mean {100 * means[precision]:.2f} %, least {100 * min(accuracies):.2f} %"
            f" of {arguments.seeds} seeds, steps skipped {skipped}",
            flush=True,
        )
        if precision != "f32":
            goals_met &= means[precision] >= means["f32"] - 0.005
            goals_met &= check_memory(report)
    print("goals met" if goals_met else "goals missed")
    return 0 if goals_met else 1


def main():
    parser = argparse.ArgumentParser(description="Trains the digits network in three precisions.")
    parser.add_argument("--seeds", type=int, default=10)
    default = os.path.join(HERE, "..", "..", "build", "bin", "cma-run")
    parser.add_argument("--cma-run", default=default)
    parser.add_argument("--reports", help="keep the reports in this directory")
    arguments = parser.parse_args()
    if arguments.seeds < 1:
        parser.error(f"expected at least one seed, got {arguments.seeds}")
    if arguments.reports:
        os.makedirs(arguments.reports, exist_ok=True)
        return run(arguments, arguments.reports)
    with tempfile.TemporaryDirectory() as directory:
        return run(arguments, directory)


if __name__ == "__main__":
    sys.exit(main())
