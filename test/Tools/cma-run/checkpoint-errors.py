# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s cma-run %S/Inputs %t
"""Checkpoints that a run cannot go on from: of another run, an error that names both
values and changes no file; unreadable, a warning and the one before it."""

import fcntl
import json
import os
import shutil
import subprocess
import sys

program, inputs, directory = sys.argv[1:]
sys.path.insert(0, inputs)
import checkpoints
import tensors

os.chdir(directory)
checkpoints.make_data("data")
shutil.copy(os.path.join(inputs, "seen.mlir"), "model.mlir")
OPTIONS = {"data": "data", "eval-data": "data", "batch": "4", "lr": "0.1", "momentum": "0.5", "checkpoint": "c"}
NEWEST, OLDER = "c/step-00000012.safetensors", "c/step-00000006.safetensors"


def run(model="model.mlir", flags=("--resume",), epochs="3", **options):
    chosen = dict(OPTIONS, epochs=epochs, **{name.replace("_", "-"): value for name, value in options.items()})
    command = [program, "train", model, "--threads", "1", *flags]
    command += ["--%s=%s" % pair for pair in chosen.items() if pair[1] is not None]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


def snapshot():
    files = {}
    for folder, _, names in os.walk("."):
        for name in names:
            path = os.path.join(folder, name)
            files[path] = open(path, "rb").read() if os.path.isfile(path) else None
    return files


def refuse(*messages, code=1, **how):
    before = snapshot()
    ended = run(**how)
    assert ended.returncode == code, (messages, ended)
    assert ended.stderr.startswith("cma-run: error: ") and ended.stderr.count("\n") == 1, ended.stderr
    for message in messages:
        assert message in ended.stderr, (message, ended.stderr)
    assert snapshot() == before, messages
    return ended


# A directory that is missing or empty is no error. It is there afterwards.
ended = run(epochs="2")
assert ended.returncode == 0 and "note: no checkpoint in 'c': the run starts from the beginning" in ended.stdout, ended
assert checkpoints.listing("c") == [os.path.basename(OLDER), os.path.basename(NEWEST)]
shutil.copytree("c", "original")
ended = run(epochs="3", save="p")
assert ended.returncode == 0 and "going on from '%s': 2 of 3 epochs, 0 of 6" % NEWEST in ended.stdout, ended
expected = open("p", "rb").read()


def restore():
    shutil.rmtree("c")
    shutil.copytree("original", "c")


restore()
# Nothing is overwritten unasked.
refuse("'c': expected no checkpoints, since --resume is not given; the newest is '%s'" % NEWEST, flags=())

# Another run: every difference, with both values.
other = "'%s': the checkpoint is of another run: " % NEWEST
refuse(other, "seed: the checkpoint has '0', this run has '7'", seed="7")
refuse(
    other,
    "batch: the checkpoint has '4', this run has '3'; lr: the checkpoint has '0.1', this run has '0.25'",
    batch="3",
    lr="0.25",
)
refuse(other, "momentum: the checkpoint has '0.5', this run has '0'", momentum=None)
ended = refuse(other, "optimizer: the checkpoint has 'sgd', this run has 'adamw'", momentum=None, optimizer="adamw")
assert "compiling" not in ended.stdout, ended
assert not {"run.beta1", "run.beta2", "run.epsilon"} & set(checkpoints.read(NEWEST)[0])
refuse(other, "eval_data_fingerprint: the checkpoint has '", "this run has 'none'", eval_data=None)
values = ["%g" % (i % 7) for i in range(2 * checkpoints.SAMPLES)]
tensors.write("changed", "x:F32:24x2=" + ",".join(values), "id:F32:24x24=0")
refuse(other, "data_fingerprint: the checkpoint has '", data="changed")
tensors.write("longer", "x:F32:30x2=0", "id:F32:30x24=0")
refuse(other, "samples: the checkpoint has '24', this run has '30'", data="longer")
text = open("model.mlir", encoding="utf-8").read()


def write_model(text):
    with open("other.mlir", "w", encoding="utf-8") as stream:
        stream.write(text)
    return "other.mlir"


refuse(other, "model_fingerprint: the", model=write_model(text.replace("arith.addf %seen", "arith.subf %seen")))
refuse(
    other,
    "tensor 'w': expected F64 tensor of shape 2x2, got F32 tensor of shape 2x2",
    model=write_model(
        text.replace("%w: tensor<2x2xf32>", "%w: tensor<2x2xf64>")
        .replace("%0 =", "%v = arith.truncf %w : tensor<2x2xf64> to tensor<2x2xf32>\n  %0 =")
        .replace("%x, %w", "%x, %v")
    ),
)
refuse(other, "tensor 'v': missing", model=write_model(text.replace('"w"', '"v"')))
wider = text.replace("%w: tensor<2x2xf32>", "%w: tensor<2x3xf32>").replace(
    "tensor<2x2xf32> -> tensor<?x2xf32>", "tensor<2x3xf32> -> tensor<?x3xf32>"
)
wider = wider.replace("cma.mse %0, %x : tensor<?x2xf32>", "cma.mse %0, %0 : tensor<?x3xf32>")
refuse(
    "tensor 'w': expected F32 tensor of shape 2x3, got F32 tensor of shape 2x2", model=write_model(wider)
)
ended = refuse("'%s': the checkpoint stands in epoch 2, beyond --epochs 1" % NEWEST, epochs="1")
assert "compiling" not in ended.stdout, ended

# Comments and blanks are not the model, and every option may change that only says
# how often to write.
ended = run(model=write_model("// A remark.\n" + text.replace("  %", "\n    %")), every="5", keep="1", save="q")
assert ended.returncode == 0 and open("q", "rb").read() == expected, ended
assert checkpoints.listing("c") == ["step-00000018.safetensors"], checkpoints.listing("c")


# Metadata changed by hand.
def change(path, edit):
    header, data = tensors.split(path)
    edit(header["__metadata__"])
    tensors.raw(path, json.dumps(header), data)


def setting(**values):
    return lambda metadata: metadata.update({key.replace("__", "."): value for key, value in values.items()})


restore()
change(NEWEST, setting(cma__checkpoint="2"))
refuse("'%s': the checkpoint has version 2, this program reads version 1" % NEWEST)


def pass_over(reason, damage, used=OLDER):
    """The newest is damaged: the run goes on from the one before, to the same end."""
    restore()
    damage()
    ended = run(save="q")
    warning = "cma-run: warning: passing over a checkpoint that cannot be read: "
    assert ended.returncode == 0 and ended.stderr.startswith(warning) and ended.stderr.count("\n") == 1, ended
    assert "'%s'" % NEWEST in ended.stderr and reason in ended.stderr, (reason, ended.stderr)
    assert "going on from '%s'" % used in ended.stdout, ended
    assert open("q", "rb").read() == expected, reason


def flip(at):
    content = bytearray(open(NEWEST, "rb").read())
    content[at] ^= 1
    open(NEWEST, "wb").write(content)


def replace_by(make):
    os.remove(NEWEST)
    make(NEWEST)


size = os.path.getsize(NEWEST)
pass_over("expected at least 8 bytes for the header's length, got 0", lambda: os.truncate(NEWEST, 0))
pass_over("goes past the end of the file", lambda: os.truncate(NEWEST, 100))
pass_over("but the file has", lambda: os.truncate(NEWEST, size - 1))
pass_over("expected checksum ", lambda: flip(-1))
pass_over("expected checksum ", lambda: change(NEWEST, setting(epoch__0__loss="1")))
pass_over("expected checksum ", lambda: change(NEWEST, lambda metadata: metadata.pop("checksum")))
# What looks like another run is damage first.
pass_over("expected checksum ", lambda: change(NEWEST, setting(run__seed="1")))
pass_over("expected checksum ", lambda: change(NEWEST, setting(state__batch="7")))
pass_over("metadata 'state.batch': expected a number, got '1x'", lambda: change(NEWEST, setting(state__batch="1x")))
pass_over("missing metadata 'epoch.2.loss'", lambda: change(NEWEST, setting(state__epoch=str(2**62))))
pass_over("missing metadata 'state.steps'", lambda: change(NEWEST, lambda metadata: metadata.pop("state.steps")))
pass_over("contradict each other", lambda: change(NEWEST, setting(state__applied="13")))
pass_over("expected 12 steps, as its name says, got 6", lambda: shutil.copy(OLDER, NEWEST))
pass_over("not a checkpoint: expected metadata 'cma.checkpoint'", lambda: shutil.copy("p", NEWEST))
pass_over("got 'x'", lambda: change(NEWEST, setting(cma__checkpoint="x")))
pass_over("cannot open", lambda: replace_by(lambda path: os.symlink("nowhere", path)))

# A pipe is not waited for, and not replaced when the run comes to that step.
restore()
replace_by(os.mkfifo)
ended = run()
assert ended.returncode == 1 and "'%s': expected a regular file\n" % NEWEST in ended.stderr, ended
assert "error: cannot write '%s': expected a regular file in its place" % NEWEST in ended.stderr, ended

# None is left: an error.
restore()
os.truncate(OLDER, 50)
flip(-1)
before = snapshot()
ended = run()
assert ended.returncode == 1 and ended.stderr.count("warning: passing over") == 2, ended
assert ended.stderr.endswith("cma-run: error: 'c': none of its checkpoints can be read\n"), ended
assert snapshot() == before

# Places that cannot hold checkpoints, and one that another process uses.
refuse("'data': expected a directory", checkpoint="data")
refuse("cannot make directory 'no/where': No such file or directory", checkpoint="no/where")
restore()
with open("c/.lock", "w", encoding="utf-8") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    refuse("'c': another process is using the directory")

# What dead processes left goes, what others left stays. A checkpoint has the
# parameters that eval needs.
for name in "step-00000013.safetensors.tmp-aaaaaa", "notes.tmp-aaaaaa":
    open(os.path.join("c", name), "w", encoding="utf-8").close()
evaluation = [program, "eval", "model.mlir", "--data", "data", "--load", NEWEST]
subprocess.run(evaluation, check=True, stdout=subprocess.DEVNULL)
assert run(save="q").returncode == 0 and open("q", "rb").read() == expected
assert sorted(os.listdir("c")) == [".lock", "notes.tmp-aaaaaa", os.path.basename(NEWEST), "step-00000018.safetensors"]

# Values that are not finite get into no checkpoint, unless they are allowed.
os.mkdir("d")
open("d/.lock", "w", encoding="utf-8").close()
tensors.write("nan", "x:F32:24x2=1e30", "id:F32:24x24=0")
refuse("is inf in epoch 1, step 1", code=3, data="nan", checkpoint="d", lr="1e30", eval_data=None)
assert checkpoints.listing("d") == []
