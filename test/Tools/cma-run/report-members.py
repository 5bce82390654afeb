# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/make_points.py %t/d 64
# RUN: %python %s cma-run %S/Inputs/model.mlir %t
"""Every member of the reports of train and eval is explained in the section on reports of
docs/Runner.md, and every member that is explained is in a report."""

import json
import os
import re
import subprocess
import sys

program, model, directory = sys.argv[1:]
document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "Runner.md")
with open(document, encoding="utf-8") as text:
    section = re.search(r"^### Report\n(.*?)^#", text.read(), re.MULTILINE | re.DOTALL).group(1)
explained = {name for row in re.findall(r"^\| `.*$", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}

os.chdir(directory)


def members(value):
    """All names of members within, as in {"a": [{"b": 1}]}."""
    if isinstance(value, list):
        return set().union(*map(members, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*map(members, value.values()))


def report(*arguments):
    subprocess.run([program, *arguments, "--data", "d", "--report", "r"], check=True, stdout=subprocess.DEVNULL)
    with open("r", encoding="utf-8") as text:
        return members(json.load(text))


found = report("train", model, "--precision", "f16", "--loss-scale", "dynamic:interval=1", "--save", "p")
evaluated = report("eval", model, "--load", "p")
assert evaluated < found, evaluated - found
assert found <= explained, ("not explained in docs/Runner.md", sorted(found - explained))
# Values that the table names.
assert explained - found <= {"train", "eval"}, ("in no report", sorted(explained - found))
