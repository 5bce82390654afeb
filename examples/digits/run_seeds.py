#!/usr/bin/env python3
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains both digits networks with seeds 1 to 5 and prints their test accuracy.

usage: run_seeds.py [--seeds N] [--cma-run PROGRAM] [--reports DIRECTORY]

Exits with 1 where a goal is missed: the tensor-train network's mean test accuracy
at least 96 %, none under 94.5 %, its two big layers compressed at least 20 times.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def train(model, seed, directory, cma_run, name=None, options=()):
    """The report of one run, which is kept as NAME-SEED.json."""
    report = os.path.join(directory, f"{name or model}-{seed}.json")
    environment = dict(os.environ, CMA_RUN=cma_run)
    command = [os.path.join(HERE, "train.sh"), model, str(seed), "--quiet", "--report", report]
    subprocess.run(command + list(options), env=environment, check=True)
    with open(report, encoding="utf-8") as text:
        return json.load(text)


def compression(report):
    """How many times smaller the compressed layers are than their matrices."""
    layers = [layer for layer in report["layers"] if layer["kind"] != "linear"]
    return sum(layer["dense_count"] for layer in layers) / sum(layer["count"] for layer in layers)


def run(arguments, directory):
    goals_met = True
    for model in ("tt", "dense"):
        accuracies = []
        for seed in range(1, arguments.seeds + 1):
            report = train(model, seed, directory, arguments.cma_run)
            accuracies.append(report["test_metric"])
            print(
                f"{model:5} seed {seed}: test accuracy {100 * accuracies[-1]:.2f} %, "
                f"validation {100 * report['epochs'][-1]['eval_metric']:.2f} %, "
                f"{report['wall_s']:.1f} s",
                flush=True,
            )
        mean = sum(accuracies) / len(accuracies)
        line = f"{model:5} mean {100 * mean:.2f} %, least {100 * min(accuracies):.2f} %"
        if model == "tt":
            ratio = compression(report)
            line += f", compression {ratio:.1f}x"
            goals_met = mean >= 0.96 and min(accuracies) >= 0.945 and ratio >= 20
        print(line, flush=True)
    print("goals met" if goals_met else "goals missed")
    return 0 if goals_met else 1


def main(description, seeds, run):
    """Reads the command line and calls `run` with it and a directory for reports."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seeds", type=int, default=seeds)
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
    sys.exit(main("Trains the digits networks with several seeds.", 5, run))
