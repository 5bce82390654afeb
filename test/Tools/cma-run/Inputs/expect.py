# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py CODE COMMAND...: runs the command, prints what it printed, and fails
unless it ended with that exit code."""

import subprocess
import sys

run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.buffer.write(run.stdout)
if run.returncode != int(sys.argv[1]):
    sys.exit("expected exit code %s, got %d" % (sys.argv[1], run.returncode))
