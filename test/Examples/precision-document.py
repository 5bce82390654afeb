# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %cma_src_root/docs/Precision.md %cma_tools_dir/cma-opt
"""The first two programs of docs/Precision.md are what goes into the passes and what
comes out."""

import re
import subprocess
import sys

document, cma_opt = sys.argv[1:]
with open(document, encoding="utf-8") as file:
    before, after = re.findall(r"```mlir\n(.*?)```", file.read(), re.S)[:2]


def run(text, *flags):
    return subprocess.run([cma_opt, *flags], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


got = run(before, "--cma-assign-precision=policy=f16", "--cma-insert-casts", "--cma-verify-precision")
assert got == run(after), got
