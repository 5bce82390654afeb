# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %S/Inputs %t
"""With every optimizer, schedule, kind of loss scaling and precision, a run that goes on
from any of its checkpoints ends with the bytes of the run that wrote them."""

import os
import shutil
import subprocess
import sys

program, inputs, directory = sys.argv[1:]
sys.path.insert(0, inputs)
import checkpoints

os.chdir(directory)
checkpoints.make_data("data", deviation=10)
command = [program, "train", os.path.join(inputs, "seen.mlir"), "--data", "data", "--eval-data", "data", "--quiet"]
command += ["--batch", "4", "--epochs", "3", "--seed", "5", "--lr", "0.0001", "--every", "1", "--keep", "100"]

# A scale that grows every second step makes gradients overflow again and again, so that
# the steps run are not the steps applied.
OPTIONS = {
    "sgd": ["--momentum", "0.9", "--weight-decay", "0.1", "--clip", "0.5"],
    "adamw": ["--optimizer", "adamw", "--schedule", "cosine", "--warmup", "4"],
    "accumulate": ["--accumulate", "2", "--optimizer", "adamw", "--schedule", "linear"],
    "scaled": ["--loss-scale", "dynamic:init=1e36,interval=2,growth=16", "--momentum", "0.9"],
    "hysteresis": ["--loss-scale", "megatron:init=5e37,interval=2", "--accumulate", "2"],
    "f16": ["--precision", "f16", "--loss-scale", "dynamic:init=4096,interval=2,growth=256"],
    "tf32": ["--precision", "tf32", "--schedule", "linear", "--warmup", "5", "--momentum", "0.9"],
    "windows": ["--precision", "f16", "--loss-scale", "keras:init=4096,interval=2,growth=256", "--accumulate", "2",
                "--clip", "0.5", "--optimizer", "adamw", "--beta2", "0.9", "--schedule", "cosine", "--warmup", "2"],
    "bf16": ["--precision", "bf16", "--accumulate", "3", "--optimizer", "adamw"],
}


def train(where, options):
    report, saved = where + ".report", where + ".p"
    run = subprocess.run(
        command + options + ["--checkpoint", where, "--report", report, "--save", saved],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # A note on the scale may be repeated; warnings and errors may not be there.
    assert run.returncode == 0 and "cma-run:" not in run.stdout, (options, run.stdout)
    with open(saved, "rb") as stream:
        return stream.read(), checkpoints.epochs(report), checkpoints.listing(where)


def content(path):
    """A checkpoint but for times, and so for its checksum."""
    metadata, values = checkpoints.read(path)
    times = ("checksum", "state.seconds", ".samples_per_s")
    return {key: value for key, value in metadata.items() if not key.endswith(times)}, values


skipped = {}
for name, options in OPTIONS.items():
    whole = train(name, options)
    steps = len(whole[2])
    assert steps >= 6, (name, whole[2])
    states = [content(os.path.join(name, file)) for file in whole[2]]
    skipped[name] = sum(int(states[-1][0][key]) * sign for key, sign in (("state.steps", 1), ("state.applied", -1)))
    # After the first step, within and at the end of an epoch, and before the last step.
    for step in sorted({1, steps // 3 - 1, steps // 3, steps // 3 + 1, steps - 1}):
        part = "%s-%d" % (name, step)
        os.mkdir(part)
        shutil.copy(os.path.join(name, whole[2][step - 1]), part)
        resumed = train(part, [*options, "--resume"])
        assert resumed[:2] == whole[:2], (part, resumed[1], whole[1])
        assert resumed[2] == whole[2][step - 1 :], part
        for file, expected in zip(whole[2][step:], states[step:]):
            assert content(os.path.join(part, file)) == expected, (part, file)
print("skipped steps", skipped)
assert skipped["scaled"] > 0 and skipped["hysteresis"] > 0 and skipped["f16"] > 0, skipped
assert skipped["windows"] > 0 and skipped["sgd"] == 0, skipped
