# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/make_points.py %t/d 4000
# RUN: %python %s cma-run %S/Inputs/model.mlir %t
"""Ctrl-C or SIGTERM while training ends the step, saves a file that can be loaded and a
checkpoint to go on from, reports the whole epochs, and gives exit code 130 or 143; at
any other time it ends the program, and no temporary file is left."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

program, model, directory = sys.argv[1:]
data, saved, report, checkpoints = (os.path.join(directory, name) for name in ("d", "p", "r", "c"))
temporary = os.path.join(directory, "temporary")
command = [program, "train", model, "--data", data, "--batch", "1", "--threads", "1", "--checkpoint", checkpoints]
outputs = ["--save", saved, "--report", report]
seed = int(os.environ.get("CMA_TEST_SEED", "1"))
print("seed", seed)
moments = random.Random(seed)


def start(*options, action=signal.SIG_DFL):
    """A test may run with signals ignored, as jobs in the background do."""

    def prepare():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, action)

    return subprocess.Popen(
        command + outputs + ["--epochs", "1000000", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
        env=dict(os.environ, TMPDIR=temporary),
    )


def await_epoch(run):
    # Its line says that training is under way.
    for line in run.stdout:
        if line.startswith("epoch"):
            return


def stop_and_resume(number, times, word, code):
    run = start()
    await_epoch(run)
    for _ in range(times):
        run.send_signal(number)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == code, (run.returncode, errors)
    assert "cma-run: error: %s in epoch" % word in errors and "the parameters are in '%s'" % saved in errors, errors
    assert sorted(os.listdir(directory)) == ["c", "d", "p", "r", "temporary"], os.listdir(directory)
    subprocess.run([program, "eval", model, "--data", data, "--load", saved], check=True, stdout=subprocess.DEVNULL)

    # The report has the whole epochs and why there are no more.
    with open(report, encoding="utf-8") as text:
        stopped = json.load(text)
    assert len(stopped["epochs"]) >= 1 and stopped["stopped"].startswith(word + " in epoch "), stopped

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
    shutil.rmtree(checkpoints)


os.mkdir(temporary)
stop_and_resume(signal.SIGINT, 1, "interrupted", 130)
# Some send it to the process and to its group.
stop_and_resume(signal.SIGTERM, 3, "terminated", 143)

# At any moment, the start and the compilation included.
begin = time.monotonic()
run = start()
await_epoch(run)
startup = time.monotonic() - begin
run.kill()
run.communicate()
for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)] * 4:
    run = start("--resume", "--every", "7")
    time.sleep(moments.uniform(0.1, 1.3) * startup)
    run.send_signal(number)
    _, errors = run.communicate(timeout=60)
    # While libraries are loaded the system handles signals.
    assert run.returncode in (code, -number) and "warning" not in errors, (run.returncode, errors)
    assert os.listdir(temporary) == [], os.listdir(temporary)

# Signals that were ignored stay so.
run = start("--resume", action=signal.SIG_IGN)
await_epoch(run)
for number in (signal.SIGINT, signal.SIGTERM):
    run.send_signal(number)
await_epoch(run)
await_epoch(run)
assert run.poll() is None
run.kill()
run.communicate()
