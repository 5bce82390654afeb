# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %S/Inputs %t %cma_faults
"""Every file operation of --checkpoint, --save and --report fails in turn, in the
program itself. It ends with an error that names file and reason, leaves no temporary,
and what was there before can still be read: a checkpoint can be gone on from."""

import errno
import os
import shutil
import subprocess
import sys

program, inputs, directory, faults = sys.argv[1:]
sys.path.insert(0, inputs)
import checkpoints

assert os.path.exists(faults), faults
data, log = os.path.join(directory, "data"), os.path.join(directory, "log")
under, before = os.path.join(directory, "under"), os.path.join(directory, "before")
checkpoints.make_data(data)
command = [program, "train", os.path.join(inputs, "seen.mlir"), "--data", data, "--batch", "4", "--quiet"]
outputs = ["--save", os.path.join(under, "p"), "--report", os.path.join(under, "r")]
resume = ["--checkpoint", os.path.join(under, "c"), "--resume", "--keep", "1"]
# With SHORT, a write takes half of its bytes: no error, and nothing may be lost.
SHORT = 0


def run(options, environment=None):
    return subprocess.run(command + options, env=environment, stderr=subprocess.PIPE, text=True)


def content(name):
    with open(os.path.join(under, name), "rb") as stream:
        return stream.read()


def check(ended, failed, error):
    """What must hold after operation `failed` did not work, and what is then there."""
    left = [name for _, _, names in os.walk(under) for name in names if ".tmp-" in name]
    if failed != "unlink":
        assert not left, (failed, left)
    if error == SHORT:
        assert ended.returncode == 0 and ended.stderr == "", (failed, ended.stderr)
    elif ended.returncode == 0:
        # A checkpoint that cannot be read is passed over; a trial whether a file can be
        # written leaves nothing that matters.
        assert failed in ("close unwritten", "close", "unlink") or "warning: passing over" in ended.stderr, (failed, ended.stderr)
    else:
        assert ended.returncode == 1, (failed, ended.returncode, ended.stderr)
        assert "'%s" % under in ended.stderr and os.strerror(error) in ended.stderr, (failed, ended.stderr)
    for name in checkpoints.listing(os.path.join(under, "c")):
        if ".tmp-" not in name:
            checkpoints.read(os.path.join(under, "c", name))
    checkpoints.read(os.path.join(under, "p"))
    checkpoints.epochs(os.path.join(under, "r"))


os.mkdir(under)
# Two checkpoints are there, so that one that cannot be read has one before it.
assert run([*outputs, *resume[:2], "--epochs", "2"]).returncode == 0
shutil.copytree(under, before)
assert run([*outputs, *resume, "--epochs", "3"]).returncode == 0
expected = content("p"), checkpoints.epochs(os.path.join(under, "r"))

counts = {}
for error in errno.ENOSPC, errno.EIO, SHORT:
    for at in range(1, 200):
        shutil.rmtree(under)
        shutil.copytree(before, under)
        if os.path.exists(log):
            os.remove(log)
        environment = dict(os.environ, LD_PRELOAD=faults, CMA_FAULT_UNDER=under, CMA_FAULT_LOG=log)
        environment.update(CMA_FAULT_AT=str(at), CMA_FAULT_ERROR=str(error))
        ended = run([*outputs, *resume, "--epochs", "3"], environment)
        if not os.path.exists(log):
            assert ended.returncode == 0, ended.stderr
            break
        with open(log, encoding="utf-8") as text:
            failed = text.read()
        counts.setdefault(error, []).append(failed)
        check(ended, failed, error)
        # As soon as the reason is gone, the run ends as it would have.
        if error == errno.ENOSPC:
            continue  # The same as for EIO.
        ended = run([*outputs, *resume, "--epochs", "3"])
        assert ended.returncode == 0 and ended.stderr == "", (failed, ended.stderr)
        assert (content("p"), checkpoints.epochs(os.path.join(under, "r"))) == expected, failed
print(counts)
assert counts[errno.ENOSPC] == counts[errno.EIO] and len(counts[SHORT]) == counts[errno.EIO].count("write")
for operation in "mkstemp", "open", "write", "fsync", "close", "rename", "unlink", "flock":
    assert operation in counts[errno.EIO], operation
