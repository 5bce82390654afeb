# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %cma_tools_dir %S/cma-run/Inputs %t
"""Every program reads text that fills its pages, so that no zero follows it in
memory, sees where such text breaks off, and refuses a NUL in the text, the last
byte included; nothing is written then."""

import os
import subprocess
import sys

TOOLS, INPUTS, DIRECTORY = sys.argv[1:]
sys.path.insert(0, INPUTS)
import tensors

MODEL = open(os.path.join(INPUTS, "model.mlir"), "rb").read()
OPEN = b'func.func private @f() attributes {a = "'


def path(name):
    return os.path.join(DIRECTORY, name)


def run(command, code, words, stdin=None):
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    if done.returncode != code or words not in text:
        sys.exit("%r: exit code %d, expected %d and %r:\n%s" % (command, done.returncode, code, words, text))
    if code != 0 and os.path.exists(path("out")):
        sys.exit("%r wrote its output" % command)
    if os.path.exists(path("out")):
        os.remove(path("out"))


def check(content, code, words):
    with open(path("m.mlir"), "wb") as stream:
        stream.write(content)
    opt, runner = os.path.join(TOOLS, "cma-opt"), os.path.join(TOOLS, "cma-run")
    name, data, out = path("m.mlir"), path("d"), path("out")
    run([opt, name, "-o", out], code, words)
    run([opt, "--split-input-file", "-o", out], code, words, stdin=content)
    run([runner, "train", name, "--data", data, "--batch", "4", "--epochs", "1", "--save", out], code, words)
    run([runner, "eval", name, "--data", data, "--load", path("p"), "--report", out], code, words)
    run([runner, "call", name, "--inputs", path("i"), "--outputs", out], code, words)
    run([runner, "grad", "-", "--inputs", path("i"), "--outputs", out], code, words, stdin=content)


samples = ["x:F32:8x2=1", "label:I64:8=1"]
parameters = ["fc.w:F32:2x3=0", "fc.b:F32:3=0"]
tensors.write(path("d"), *samples)
tensors.write(path("p"), *parameters)
tensors.write(path("i"), *samples, *parameters)
for size in (4096, 16384):
    check(MODEL + b" " * (size - len(MODEL)), 0, "")
    check(OPEN + b"x" * (size - len(OPEN)), 1, "error: expected '\"'")
    check(MODEL + b" " * (size - len(MODEL) - 1) + b"\0", 1, "expected text, got a NUL character")
check(MODEL.rstrip(b"\n"), 0, "")
check(MODEL + b"\0", 1, "expected text, got a NUL character")
check(MODEL.replace(b"return", b"\0return"), 1, "expected text, got a NUL character")
