# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/make_points.py %t/d 4000
# RUN: %python %s cma-run %S/Inputs/model.mlir %t
"""Ctrl-C while training ends the step, saves a file that can be loaded, and gives exit
code 130."""

import os
import signal
import subprocess
import sys

program, model, directory = sys.argv[1:]
data, saved = os.path.join(directory, "d"), os.path.join(directory, "p")
command = [program, "train", model, "--data", data, "--batch", "1", "--epochs", "1000000", "--threads", "1"]
run = subprocess.Popen(command + ["--save", saved], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
# The first epoch's line says that training is under way.
for line in run.stdout:
    if line.startswith("epoch"):
        break
run.send_signal(signal.SIGINT)
_, errors = run.communicate(timeout=60)
assert run.returncode == 130, run.returncode
assert "interrupted in epoch" in errors and "the parameters are in '%s'" % saved in errors, errors
assert sorted(os.listdir(directory)) == ["d", "p"], os.listdir(directory)
subprocess.run([program, "eval", model, "--data", data, "--load", saved], check=True, stdout=subprocess.DEVNULL)
