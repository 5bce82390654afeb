#!/usr/bin/env python3
# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the layer benchmark for each number of threads and prints the ratios.

The repetitions of all benchmarks of a process are interleaved at random, and
each figure is the median over them, so that a slow phase of the machine falls
on both sides of a ratio. The numbers of threads are set by environment, for
OpenMP and OpenBLAS alike, before a process starts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build", help="build tree (default: build)")
    parser.add_argument("--threads", default="1,2", help="comma list (default: 1,2)")
    parser.add_argument("--repetitions", type=int, default=9,
                        help="repetitions of each benchmark (default: 9)")
    parser.add_argument("--min-time", type=float, default=0.1,
                        help="seconds a repetition lasts at least (default: 0.1)")
    parser.add_argument("--filter", default=".", help="regular expression of names")
    return parser.parse_args()


def run(arguments, threads):
    """Medians of one process: name -> (microseconds, GFLOP/s), and its context."""
    environment = dict(os.environ)
    environment.update(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
                       # Threads that spin would take the rival's core. Both sides
                       # spin for about 1 ms: 2^21 ticks in OpenBLAS (default 2^26).
                       KMP_BLOCKTIME="1", OPENBLAS_THREAD_TIMEOUT="21")
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.json")
        subprocess.run(
            [os.path.join(arguments.build, "bin", "layer-benchmark"),
             f"--benchmark_filter={arguments.filter}",
             f"--benchmark_repetitions={arguments.repetitions}",
             f"--benchmark_min_time={arguments.min_time}",
             "--benchmark_enable_random_interleaving=true",
             "--benchmark_report_aggregates_only=true",
             f"--benchmark_out={output}", "--benchmark_out_format=json"],
            env=environment, check=True, stdout=subprocess.DEVNULL)
        with open(output, encoding="utf-8") as file:
            report = json.load(file)
    medians = {}
    for row in report["benchmarks"]:
        if row.get("aggregate_name") == "median":
            name = row["run_name"].removesuffix("/real_time")
            medians[name] = (row["real_time"], row["flops"] * 1e-9)
    return medians, report["context"]


def print_table(threads, medians, context):
    peak = medians.get("peak", (0, float("nan")))[1]
    print(f"threads {threads}   OpenBLAS {context['openblas'].strip()}, "
          f"core {context['openblas_core']}   peak {peak:.1f} GFLOP/s")
    header = ("case", "CMA us", "(a) us", "(b) us", "vs (a)", "vs (b)", "% of peak", "f16", "bf16")
    print("{:<32}{:>11}{:>11}{:>11}{:>9}{:>9}{:>11}{:>8}{:>8}".format(*header))
    for name, (time, rate) in medians.items():
        if not name.endswith("/cma"):
            continue
        case = name.removesuffix("/cma")
        same = medians[case + "/openblas-same-order"][0]
        dense = medians[case + "/openblas-dense"][0]
        low = [time / medians[case + kind][0] for kind in ("/f16", "/bf16")]
        print(f"{case:<32}{time:>11.1f}{same:>11.1f}{dense:>11.1f}"
              f"{same / time:>9.2f}{dense / time:>9.2f}{100 * rate / peak:>11.1f}"
              f"{low[0]:>8.2f}{low[1]:>8.2f}")
    print()


def main():
    arguments = parse_arguments()
    print("(a) OpenBLAS calls in the same contraction order, (b) the dense layer in "
          "OpenBLAS, f16 and bf16: speed with all storage in that type against CMA in "
          "f32; medians of", arguments.repetitions, "interleaved repetitions")
    for threads in arguments.threads.split(","):
        medians, context = run(arguments, int(threads))
        print_table(threads, medians, context)
    return 0


if __name__ == "__main__":
    sys.exit(main())
