# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/make_points.py %t/d 4000
# RUN: %python %s cma-run %S/Inputs/model.mlir %t
"""Ctrl-C while training ends the step, saves a file that can be loaded and a checkpoint
to go on from, reports the whole epochs, and gives exit code 130."""

import json
import os
import signal
import subprocess
import sys

program, model, directory = sys.argv[1:]
data, saved, report, checkpoints = (os.path.join(directory, name) for name in ("d", "p", "r", "c"))
command = [program, "train", model, "--data", data, "--batch", "1", "--threads", "1", "--checkpoint", checkpoints]
outputs = ["--save", saved, "--report", report]
run = subprocess.Popen(
    command + outputs + ["--epochs", "1000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
)
# The first epoch's line says that training is under way.
for line in run.stdout:
    if line.startswith("epoch"):
        break
run.send_signal(signal.SIGINT)
_, errors = run.communicate(timeout=60)
assert run.returncode == 130, run.returncode
assert "interrupted in epoch" in errors and "the parameters are in '%s'" % saved in errors, errors
assert sorted(os.listdir(directory)) == ["c", "d", "p", "r"], os.listdir(directory)
subprocess.run([program, "eval", model, "--data", data, "--load", saved], check=True, stdout=subprocess.DEVNULL)

# The report has the whole epochs and why there are no more.
with open(report, encoding="utf-8") as text:
    stopped = json.load(text)
assert len(stopped["epochs"]) >= 1 and stopped["stopped"].startswith("interrupted in epoch "), stopped

# The checkpoint is that of the step after which it stopped: going on gives what a
# run without the interruption gives.
newest = max(name for name in os.listdir(checkpoints) if name.startswith("step-"))
assert "the checkpoint is '%s'" % os.path.join(checkpoints, newest) in errors, (newest, errors)
epochs = ["--epochs", str(len(stopped["epochs"]) + 1), "--quiet"]
subprocess.run(command + outputs + epochs + ["--resume"], check=True)
resumed = open(saved, "rb").read(), [epoch["loss"] for epoch in json.load(open(report))["epochs"]]
subprocess.run(command[:-2] + outputs + epochs, check=True)
unbroken = open(saved, "rb").read(), [epoch["loss"] for epoch in json.load(open(report))["epochs"]]
assert resumed == unbroken and len(resumed[1]) == len(stopped["epochs"]) + 1
