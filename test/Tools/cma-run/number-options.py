# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: %python %s cma-run
"""Every numeric option refuses what it cannot take, naming itself and the value,
with exit code 2; the same values in both spellings. Reals are also refused where
what they round to in f32 is out of range."""

import subprocess
import sys

PROGRAM = sys.argv[1]
GARBAGE = ["x", "1x", "0x10", "1 2", " 1", "+1", "--", "1,5", "99999999999999999999", "nan", "inf", "1e999"]
INTEGER_ONLY = ["1.5", "1e3"]

# Option: the values out of its range, and the words that its message has.
OPTIONS = {
    "--epochs": (["0", "-1"] + INTEGER_ONLY, "expected a whole number from 1 to 2^63 - 1"),
    "--batch": (["0", "-1"] + INTEGER_ONLY, "expected a whole number from 1 to 2^63 - 1"),
    "--threads": (["0", "-1", "1025"] + INTEGER_ONLY, "expected a whole number from 1 to 1024"),
    "--seed": (["-1"] + INTEGER_ONLY, "expected a whole number from 0 to 2^63 - 1"),
    "--accumulate": (["0", "-1"] + INTEGER_ONLY, "expected a whole number from 1 to 2^63 - 1"),
    "--warmup": (["-1"] + INTEGER_ONLY, "expected a whole number from 0 to 2^63 - 1"),
    "--lr": (["0", "-0.1"], "expected a finite number greater than 0"),
    "--momentum": (["-0.1", "1", "2"], "expected a number of at least 0 and less than 1"),
    "--beta1": (["-0.1", "1", "2"], "expected a number of at least 0 and less than 1"),
    "--beta2": (["-0.1", "1", "2"], "expected a number of at least 0 and less than 1"),
    "--weight-decay": (["-1"], "expected a finite number of at least 0"),
    "--epsilon": (["0", "-1"], "expected a finite number greater than 0"),
    "--clip": (["0", "-1"], "expected a finite number greater than 0"),
}
# Values that only their rounding puts out of range, and what it is.
ROUNDED = {
    "--lr": {"1e-60": "0", "1e60": "inf"},
    "--momentum": {"0.99999999": "1"},
    "--beta1": {"0.99999999": "1"},
    "--beta2": {"0.9999999999": "1"},
    "--epsilon": {"1e-60": "0", "7e-46": "0", "3.5e38": "inf"},
    "--weight-decay": {"1e39": "inf"},
    "--clip": {"1e-50": "0", "1e39": "inf"},
}
REALS = ("--lr", "--momentum", "--beta1", "--beta2", "--weight-decay", "--epsilon", "--clip")
COMMANDS = {
    "train": ["m.mlir", "--data", "d"],
    "eval": ["m.mlir", "--data", "d", "--load", "p"],
    "call": ["m.mlir", "--inputs", "i", "--outputs", "o"],
    "grad": ["m.mlir", "--inputs", "i", "--outputs", "o"],
}
TAKES = {"train": list(OPTIONS), "eval": ["--batch", "--threads"], "call": ["--threads"], "grad": ["--threads"]}


def garbage_for(option):
    # As an integer too large for 64 bits, as a real a large learning rate.
    reals = option in REALS
    return [g for g in GARBAGE if not (reals and g in ("99999999999999999999", "0x10", "+1"))]


def check(command, option, value, words, rounded=""):
    for spelling in ([option, value], [option + "=" + value]):
        line = [PROGRAM, command] + COMMANDS[command] + spelling
        run = subprocess.run(line, capture_output=True, text=True)
        expected = "%s: %s" % (option, words)
        if run.returncode != 2 or expected not in run.stderr or "got '%s'%s (see" % (value, rounded) not in run.stderr:
            sys.exit("%r: exit code %d, %r" % (line, run.returncode, run.stderr))


for command, options in TAKES.items():
    for option in options:
        values, words = OPTIONS[option]
        for value in values + (garbage_for(option) if command == "train" else ["x"]):
            check(command, option, value, words)
for option, values in ROUNDED.items():
    for value, rounded in values.items():
        check("train", option, value, OPTIONS[option][1], ", which is %s in f32" % rounded)
# The smallest f32 is one. The data file is missing.
run = subprocess.run(
    [PROGRAM, "train", "m.mlir", "--data", "d", "--optimizer", "adamw", "--epsilon", "1e-45"],
    capture_output=True, text=True)
assert run.returncode == 1 and "epsilon" not in run.stderr, run
