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

import sys

from run_seeds import main, train

PRECISIONS = {
    "f32": [],
    "bf16": ["--precision", "bf16"],
    "f16": ["--precision", "f16", "--loss-scale", "dynamic"],
}


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
            report = train(
                "tt", seed, directory, arguments.cma_run, precision, PRECISIONS[precision]
            )
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


if __name__ == "__main__":
    sys.exit(main("Trains the digits network in three precisions.", 10, run))
