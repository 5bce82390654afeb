# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %S/Inputs %t 50
"""Kills a training run at random moments, again and again, and goes on from its
checkpoints. No checkpoint is ever unreadable, and the end is that of an unbroken run:
the same parameters and optimizer buffers, the same report but for times, every sample
used once in every epoch.

CMA_TEST_SEED chooses other moments."""

import os
import random
import struct
import subprocess
import sys
import time

program, inputs, directory, kills = sys.argv[1:]
sys.path.insert(0, inputs)
import checkpoints

seed = int(os.environ.get("CMA_TEST_SEED", "1"))
print("seed", seed)
moments = random.Random(seed)
data, parameters, report = (os.path.join(directory, name) for name in ("data", "parameters", "report"))
checkpoints.make_data(data)
command = [program, "train", os.path.join(inputs, "seen.mlir"), "--data", data, "--eval-data", data]
command += ["--batch", "4", "--lr", "0.001", "--momentum", "0.9", "--threads", "1"]


def train(where, *options):
    """A run to its end; returns its results and the newest checkpoint's tensors."""
    run = subprocess.run(
        command + ["--checkpoint", where, "--save", parameters, "--report", report, "--quiet", *options],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.returncode == 0 and run.stderr == "", (run.returncode, run.stderr)
    newest = checkpoints.listing(where)[-1]
    with open(parameters, "rb") as stream:
        saved = stream.read()
    return saved, checkpoints.epochs(report), newest, checkpoints.read(os.path.join(where, newest))[1]


start = time.monotonic()
train(os.path.join(directory, "timing"), "--epochs", "1")
startup = time.monotonic() - start
print("one epoch takes %.2f s" % startup)

broken = os.path.join(directory, "broken")
reached, halves = [], 0
newest = {"state.steps": "0", "state.epoch": "0"}
for kill in range(int(kills)):
    settings = ["--every", str(moments.randint(1, 9)), "--keep", str(moments.randint(1, 3))]
    run = subprocess.Popen(
        command + ["--checkpoint", broken, "--resume", "--epochs", "1000000", *settings],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if kill % 5 == 0:  # Anywhere, the start included.
        time.sleep(moments.uniform(0, 1.2 * startup))
    else:  # Between steps, within them, while a checkpoint is written or removed.
        for line in run.stdout:
            if line.startswith(("going on from", "epoch")):
                break
        time.sleep(moments.uniform(0, 0.3 * startup))  # Longer where the machine is busy.
    run.kill()
    _, errors = run.communicate()
    # A warning would be of a checkpoint that it could not read.
    assert run.returncode == -9 and errors == "", (kill, run.returncode, errors)
    for name in checkpoints.listing(broken) if os.path.isdir(broken) else []:
        if ".tmp-" in name:
            halves += 1
        else:
            newest = checkpoints.read(os.path.join(broken, name))[0]
    reached.append(int(newest["state.steps"]))
assert reached == sorted(reached) and len(set(reached)) > int(kills) // 4, reached
last = int(newest["state.epoch"]) + 2
print("killed", kills, "times,", halves, "while it wrote;", len(set(reached)), "checkpoints to step", reached[-1])

resumed = train(broken, "--resume", "--epochs", str(last))
assert not [name for name in os.listdir(broken) if ".tmp-" in name], os.listdir(broken)
unbroken = train(os.path.join(directory, "unbroken"), "--epochs", str(last))
for what, got, expected in zip(("parameters", "epochs", "checkpoint", "its tensors"), resumed, unbroken):
    assert got == expected, (what, got, expected)
assert len(resumed[1]) == last and "w.momentum" in resumed[3]
seen = struct.unpack("<%df" % checkpoints.SAMPLES, resumed[3]["seen"])
assert seen == (last,) * checkpoints.SAMPLES, seen
